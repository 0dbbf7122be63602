import { realpathSync } from 'node:fs';
import type { Clock } from '../../base/clock.ts';
import type { Descendants, SeenProcesses } from './cleanup/descendants.ts';
import { printMarker } from './cleanup/marker.ts';
import type { ProcessRow } from './cleanup/process-table.ts';
import type { ReadyNamespace } from './cleanup/ready-namespace.ts';
import { findReapers, type Leader, type Orphans, type RunScope } from './cleanup/run-processes.ts';
import { type SweepReport, sweep, terminate, usualSweepLimits } from './cleanup/sweep.ts';
import type { WatchdogLink } from './cleanup/watchdog-link.ts';
import { type ExecutorEnd, type ExecutorRequest, stoppedBefore } from './executor.ts';
import { OutputReaders } from './output-readers.ts';
import type { PipeStock } from './pipe-stock.ts';
import { type Program, startProgram } from './program-start.ts';
import { type Spawner, SpawnerFault } from './spawning/spawner.ts';
import { watchForStop } from './stop-watch.ts';

/** Grace for a last writer, such as `tee` at the end of a pipe. */
const settleMs = 500;
/** A pipe without holders ends at once. If it is still open after this, a process holds it or the reader is slow. */
const pipeEndMs = 100;
/** Time for the kernel to end a killed program. */
const exitMs = 10_000;
/** Time for the waiter to start the program through four small ones. Usually milliseconds. */
const startMs = 2000;

const noneFound: SweepReport = { found: 0, survivors: [] };

interface Surroundings {
  readonly serverId: string;
  readonly clock: Clock;
  readonly link: WatchdogLink | undefined;
  readonly descendants: Descendants;
  readonly limit: readonly string[];
  readonly stock: PipeStock;
  /** Undefined with process groups. */
  readonly ready: ReadyNamespace | undefined;
  readonly spawner: Spawner;
  readonly orphanFolder: string | undefined;
}

/** Executes one program and ends all of its descendants. */
export async function runProcess(request: ExecutorRequest, around: Surroundings): Promise<ExecutorEnd> {
  if (request.signal.aborted) return stoppedBefore;
  const folder = realpathSync(request.runDir);
  around.link?.watch(request.runId, { folder });
  try {
    const owner = { serverId: around.serverId, runId: request.runId };
    const program = await startProgram(request, { ...around, marker: printMarker(owner) }).catch(async error => {
      // The spawner may have started the program before it died.
      if (error instanceof SpawnerFault)
        await sweep({ markers: [owner], leaders: [], folders: [folder] }, usualSweepLimits, around.clock);
      throw error;
    });
    if (typeof program === 'string') return { kind: 'not_started', message: program };
    try {
      return await followProgram(program, { ...request, runDir: folder }, around);
    } finally {
      // Has an effect only after an error; the normal path has already ended it.
      await program.namespace?.end();
    }
  } finally {
    around.link?.drop(request.runId);
  }
}

async function followProgram(
  program: Program,
  request: ExecutorRequest,
  { serverId, clock, link, descendants, orphanFolder }: Surroundings,
): Promise<ExecutorEnd> {
  const { pid, startTicks, namespace } = program;
  const leader = { pid, startTicks };
  // No process leaves a namespace, so descendants need no tracking.
  const seen = namespace === undefined ? descendants.follow(leader) : followNone(leader);
  const find = namespace === undefined ? undefined : () => namespace.findProcesses(leader);
  const orphans: Orphans = {
    runFolder: request.runDir,
    runId: request.runId,
    folder: orphanFolder && realpathSync(orphanFolder),
    since: leader,
    reapers: findReapers(),
  };
  const findScope = (): RunScope => ({
    markers: [{ serverId, runId: request.runId }],
    leaders: seen.leaders,
    seen: seen.seen,
    folders: [request.runDir],
    orphans: [orphans],
    since: leader.startTicks,
  });
  const leaders = namespace === undefined ? [leader] : [leader, namespace.keeper];
  link?.watch(request.runId, { folder: request.runDir, leaders, orphans });
  const over = new AbortController();
  const watch = watchForStop(request, clock, over.signal);
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => {
    failures.push(error);
    watch.stop('failure');
  };
  const readers = new OutputReaders({ streams: program, onOutput: request.onOutput, onFailure });
  const exited = program.exited.catch(error => {
    onFailure(error);
    return undefined;
  });
  try {
    const stop = await Promise.race([
      program.exited.then(
        () => undefined,
        () => watch.stopped,
      ),
      watch.stopped,
    ]);
    // Its end says nothing of the program then, which may not even have begun.
    if (stop === undefined && namespace?.look() === 'ending')
      failures.push(new SpawnerFault("the run's PID namespace was killed from outside"));
    if (stop === undefined) await Promise.race([readers.done, clock.sleep(settleMs, over.signal)]);
    else if (stop !== 'failure') {
      if (find !== undefined) await waitForStart(leader, find, clock);
      await terminate(findScope(), { graceMs: request.graceMs, clock, find });
    }
    const inside = find === undefined ? { ...noneFound, isGone: false } : await endNamespace(program, find);
    // No process is born of a namespace that is gone, so one look is enough.
    const limits = inside.isGone ? { ...usualSweepLimits, quietMs: 0 } : usualSweepLimits;
    const swept = await sweep(findScope(), limits, clock);
    await Promise.race([readers.done, clock.sleep(pipeEndMs, over.signal)]);
    const held = readers.isDone
      ? noneFound
      : await sweep({ ...findScope(), pipes: program.pipeNames }, usualSweepLimits, clock);
    const exit = await Promise.race([exited, clock.sleep(exitMs, over.signal).then(() => undefined)]);
    const unended = exit === undefined ? [leader.pid] : [];
    const survivorPids = [...new Set([...inside.survivors, ...swept.survivors, ...held.survivors, ...unended])];
    const isDrained = await readers.drain(clock, over.signal);
    if (stop === 'failure' || failures.length > 0) throw failures[0];
    return {
      kind: 'ended',
      exitCode: exit?.exitCode,
      signal: exit?.signal,
      stopped: stop,
      leftovers: stop === undefined ? inside.found + swept.found + held.found : 0,
      survivors: Math.max(survivorPids.length, isDrained ? 0 : 1),
      survivorPids,
    };
  } finally {
    over.abort();
    seen.forget();
  }
}

/** A signal to the waiter before it has started the program would be reported as an exit code. */
async function waitForStart(waiter: Leader, find: () => readonly ProcessRow[], clock: Clock): Promise<void> {
  const deadline = clock.monotonicMs() + startMs;
  while (listOrNone(find).some(row => row.pid === waiter.pid) && clock.monotonicMs() < deadline) await clock.sleep(2);
}

async function endNamespace(
  { namespace }: Program,
  find: () => readonly ProcessRow[],
): Promise<SweepReport & { readonly isGone: boolean }> {
  const found = listOrNone(find).length;
  const isGone = (await namespace?.end()) === true;
  return { found, survivors: isGone ? [] : listOrNone(find).map(row => row.pid), isGone };
}

/** Processes can be ended even while they cannot be listed. The count matters less. */
function listOrNone(find: () => readonly ProcessRow[]): readonly ProcessRow[] {
  try {
    return find();
  } catch {
    return [];
  }
}

function followNone(leader: Leader): SeenProcesses {
  return { leaders: [leader], seen: [], forget: () => {} };
}
