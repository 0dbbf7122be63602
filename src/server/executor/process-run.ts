import { realpathSync } from 'node:fs';
import type { Clock } from '../../base/clock.ts';
import type { Containment } from './cleanup/containment.ts';
import type { Descendants, SeenProcesses } from './cleanup/descendants.ts';
import { printMarker } from './cleanup/marker.ts';
import { type ProcessRow, readStartTicks } from './cleanup/process-table.ts';
import { findReapers, type Leader, type Orphans, type RunScope } from './cleanup/run-processes.ts';
import { type SweepReport, sweep, terminate, usualSweepLimits } from './cleanup/sweep.ts';
import type { WatchdogLink } from './cleanup/watchdog-link.ts';
import { type ExecutorEnd, type ExecutorRequest, stoppedBefore } from './executor.ts';
import { OutputReaders } from './output-readers.ts';
import { type Program, startProgram } from './program-start.ts';
import { watchForStop } from './stop-watch.ts';

/** A left-over of the last line, such as `tee` at the end of a pipe, may still write its output for so long. */
const settleMs = 500;
/** Pipes that nobody holds any more end at once; after this somebody does, or the reader is slow. */
const pipeEndMs = 100;
/** A killed program that the kernel does not let go in this time is given up. */
const deathMs = 10_000;
/** From its waiter to a program: four small programs one after another, milliseconds if the machine is not busy. */
const birthMs = 2000;

const noneFound: SweepReport = { found: 0, survivors: [] };

interface Surroundings {
  readonly serverId: string;
  readonly clock: Clock;
  readonly link: WatchdogLink | undefined;
  readonly descendants: Descendants;
  readonly containment: Containment;
  readonly orphanFolder: string | undefined;
}

/** Executes one program, from its birth to the last of its descendants. */
export async function runProcess(request: ExecutorRequest, around: Surroundings): Promise<ExecutorEnd> {
  if (request.signal.aborted) return stoppedBefore;
  const folder = realpathSync(request.runDir);
  around.link?.watch(request.runId, { folder });
  try {
    const marker = printMarker({ serverId: around.serverId, runId: request.runId });
    const { containment, clock } = around;
    const program = await startProgram(request, { marker, containment, clock });
    if (typeof program === 'string') return { kind: 'not_started', message: program };
    try {
      return await followProgram(program, { ...request, runDir: folder }, around);
    } finally {
      // Done already but for a fault on the way.
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
  const leader = { pid: program.pid, startTicks: readStartTicks(program.pid) };
  const { namespace } = program;
  // From a namespace nobody gets away, so that nobody has to be remembered.
  const seen = namespace === undefined ? descendants.follow(leader) : followNobody(leader);
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
  });
  link?.watch(request.runId, { folder: request.runDir, leader, orphans });
  const over = new AbortController();
  const watch = watchForStop(request, clock, over.signal);
  const failures: unknown[] = [];
  const readers = new OutputReaders({
    streams: program,
    onOutput: request.onOutput,
    onFailure: error => {
      failures.push(error);
      watch.stop('failure');
    },
  });
  try {
    const stop = await Promise.race([program.exited.then(() => undefined), watch.stopped]);
    if (stop === undefined) await Promise.race([readers.done, clock.sleep(settleMs, over.signal)]);
    else if (stop !== 'failure') {
      if (find !== undefined) await waitForBirth(leader, find, clock);
      await terminate(findScope(), { graceMs: request.graceMs, clock, find });
    }
    const inside = find === undefined ? noneFound : await endNamespace(program, find);
    const swept = await sweep(findScope(), usualSweepLimits, clock);
    await Promise.race([readers.done, clock.sleep(pipeEndMs, over.signal)]);
    const held = readers.isDone
      ? noneFound
      : await sweep({ ...findScope(), pipes: [program.pipeName] }, usualSweepLimits, clock);
    const exit = await Promise.race([program.exited, clock.sleep(deathMs, over.signal).then(() => undefined)]);
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

/** A signal to the process that waits for the program, before it has started it, would be told as an exit code. */
async function waitForBirth(waiter: Leader, find: () => readonly ProcessRow[], clock: Clock): Promise<void> {
  const deadline = clock.monotonicMs() + birthMs;
  while (findOrNone(find).some(row => row.pid === waiter.pid) && clock.monotonicMs() < deadline) await clock.sleep(2);
}

/** Ends the namespace of a program. */
async function endNamespace({ namespace }: Program, find: () => readonly ProcessRow[]): Promise<SweepReport> {
  const found = findOrNone(find).length;
  const isGone = await namespace?.end();
  return { found, survivors: isGone === false ? findOrNone(find).map(row => row.pid) : [] };
}

/** While processes cannot be looked for, they can still be ended: the count is the lesser thing. */
function findOrNone(find: () => readonly ProcessRow[]): readonly ProcessRow[] {
  try {
    return find();
  } catch {
    return [];
  }
}

function followNobody(leader: Leader): SeenProcesses {
  return { leaders: [leader], seen: [], forget: () => {} };
}
