import type { Clock } from '../../../base/clock.ts';
import { hasProcessTable, type ProcessRow } from './process-table.ts';
import { findProcesses, killGroups, type RunScope, signalLeaderGroup, signalProcess } from './run-processes.ts';

interface SweepLimits {
  /** Time without a match before the sweep ends. A single look misses a process that is being born. */
  readonly quietMs: number;
  /** Limit for the whole sweep. A process stuck in the kernel or a fork bomb reaches it. */
  readonly budgetMs: number;
}

/** For the end of a run, and for processes that an earlier server left. */
export const usualSweepLimits: SweepLimits = { quietMs: 25, budgetMs: 10_000 };

export interface SweepReport {
  /** Processes that were found. All are dead except `survivors`. */
  readonly found: number;
  /** Pids of processes that were still alive at the end. */
  readonly survivors: readonly number[];
}

/**
 * Kills the processes of a scope until none is left. Outside Linux, it kills the leaders' process groups and cannot
 * count them. Throws if processes could not be listed during the whole sweep.
 */
export async function sweep(scope: RunScope, limits: SweepLimits, clock: Clock): Promise<SweepReport> {
  if (!hasProcessTable) return sweepGroups(scope);
  const start = clock.monotonicMs();
  const seen = new Set<string>();
  // Stops a fork bomb from outgrowing the list.
  for (const leader of scope.leaders) signalLeaderGroup(leader, 'SIGSTOP');
  let quietSince: number | undefined;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    const found = listProcesses(scope);
    const now = clock.monotonicMs();
    const isLate = now - start > limits.budgetMs;
    if (found instanceof Error) {
      quietSince = undefined;
      if (isLate) throw found;
    } else if (found.length > 0) {
      quietSince = undefined;
      for (const { pid, startTicks } of found) seen.add(`${pid} ${startTicks}`);
      if (isLate) return { found: seen.size, survivors: found.map(row => row.pid) };
      killGroups(found);
    } else {
      quietSince ??= now;
      if (now - quietSince >= limits.quietMs) return { found: seen.size, survivors: [] };
    }
    await clock.sleep(quietSince === undefined ? pauseMs : Math.max(limits.quietMs, 1));
  }
}

interface Termination {
  readonly graceMs: number;
  readonly clock: Clock;
  /** Lists the processes instead of `findProcesses(scope)`. */
  readonly find?: (() => ProcessRow[]) | undefined;
}

/** Sends SIGTERM once to every process of a scope, then waits until all are gone, for at most `graceMs`. */
export async function terminate(scope: RunScope, { graceMs, clock, find }: Termination): Promise<void> {
  const deadline = clock.monotonicMs() + graceMs;
  const found = hasProcessTable ? listProcesses(scope, find) : undefined;
  if (Array.isArray(found)) for (const row of found) signalProcess(row, 'SIGTERM');
  else for (const leader of scope.leaders) signalLeaderGroup(leader, 'SIGTERM');
  for (;;) {
    const restMs = deadline - clock.monotonicMs();
    if (restMs <= 0 || !hasProcesses(scope, find)) return;
    await clock.sleep(Math.min(restMs, 50));
  }
}

/** Lists a scope's processes. Returns the error if they cannot be listed now, for example with too many open files. */
function listProcesses(scope: RunScope, find = () => findProcesses(scope)): ProcessRow[] | Error {
  try {
    return find();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function hasProcesses(scope: RunScope, find?: () => ProcessRow[]): boolean {
  if (!hasProcessTable) return scope.leaders.some(leader => signalLeaderGroup(leader, 0));
  const found = listProcesses(scope, find);
  return found instanceof Error || found.length > 0;
}

function sweepGroups({ leaders }: RunScope): SweepReport {
  const killed = leaders.filter(leader => signalLeaderGroup(leader, 'SIGKILL'));
  return { found: killed.length, survivors: [] };
}
