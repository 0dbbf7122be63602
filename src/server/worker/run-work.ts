/** One run from claim to end: setup, task, turns, changes, artifacts, end. */

import { ContainerFault } from '../executor/containers/container-engine.ts';
import { SpawnerFault } from '../executor/spawning/spawner.ts';
import { type Harness, HarnessRefusal } from '../harness/harness.ts';
import { findDisabled } from '../harness/mcp-servers.ts';
import { endWithCode, RunFailure, readStop } from '../run-failure.ts';
import type { RunEnding, StoredRun } from '../store/store.ts';
import { waitWithin } from './bounded-work.ts';
import { watchClaim } from './claim-watch.ts';
import { findLateness } from './late-work.ts';
import { addArtifacts } from './run-artifacts.ts';
import { keepWork, lookBefore } from './run-changes.ts';
import { createRunContext, type RunContext, type RunParts } from './run-context.ts';
import { endByStop } from './run-ending.ts';
import { tidyAfter, writeEnding } from './run-finish.ts';
import { setUpRun } from './run-setup.ts';
import { createRunTask } from './turns/run-task.ts';
import { takeTurns } from './turns/run-turns.ts';

/** For the removal of files. A deep tree takes minutes, and a later sweep removes what is left. */
const tidyLimits = { ms: 30_000, spareMs: 5_000 };

/** Returns the final state of the run, or undefined if another worker owns it now. Never rejects. */
export async function carryOutRun(
  parts: RunParts,
  run: StoredRun,
  stopping: AbortSignal,
): Promise<RunEnding['state'] | undefined> {
  const context = createRunContext(parts, run, stopping);
  const stopWatching = watchClaim(context, context.giveUp);
  const onStopping = () => context.giveUp({ kind: 'stopping' });
  stopping.addEventListener('abort', onStopping, { once: true });
  if (stopping.aborted) onStopping();
  try {
    context.log('debug', 'run started', { run: run.runId });
    const ending = await addArtifacts(context, await findEnding(context));
    // Not awaited: that would wait for everything that still uses the signal.
    void context.progress.patchFile?.close().catch(() => {});
    // Files first: if they fill the disk, there is no room to write the end.
    const tidying = tidyAfter(context, ending);
    // The next attempt makes the same folder again.
    if (ending?.state === 'QUEUED') await tidying;
    else await waitWithin(tidying, { clock: parts.clock, signal: context.signal, ...tidyLimits });
    if (ending !== undefined) await writeEnding(context, ending);
    return ending?.state;
  } finally {
    stopWatching();
    stopping.removeEventListener('abort', onStopping);
  }
}

/** Runs the stages and turns any outcome into an ending. Undefined if the run is no longer ours to end. */
async function findEnding(context: RunContext): Promise<RunEnding | undefined> {
  const { events, run, log, progress } = context;
  try {
    const ending = await work(context);
    await events.finish();
    return ending;
  } catch (error) {
    await events.finish().catch(() => {});
    if (error instanceof ContainerFault || error instanceof SpawnerFault)
      return endWithCode('resource_unavailable', error.message);
    if (error instanceof RunFailure || error instanceof HarnessRefusal) return endWithCode(error.code, error.message);
    return endByStop(readStop(error), { runId: run.runId, log, hasBegun: progress.hasBegun });
  }
}

async function work(context: RunContext): Promise<RunEnding | undefined> {
  const { run, events, conversation, programs, signal } = context;
  const harness = findHarness(context);
  const surroundings = await setUpRun(context, harness);
  const before = await lookBefore(context, surroundings);
  for (const name of findDisabled(run.config))
    await events.writeSystem(`the MCP server ${name} was not started, because its entry disables it`);
  const task = createRunTask(context, { harness, surroundings });
  const ending = await takeTurns(context, { harness, surroundings, task });
  if (ending?.state === 'BLOCKED') {
    await conversation.noteBlocked(events.usage);
    return ending;
  }
  const lateness = findLateness(ending, signal.aborted ? programs.findStop() : undefined);
  return lateness === 'too_late' ? ending : await keepWork(context, { surroundings, before, ending, lateness });
}

function findHarness({ harnesses, run }: RunContext): Harness {
  const type = run.config.harness?.type;
  const harness = harnesses.get(type);
  if (harness !== undefined) return harness;
  throw new RunFailure('operation_not_supported', `this server has no harness ${JSON.stringify(type ?? 'oz')}`);
}
