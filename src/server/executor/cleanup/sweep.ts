import type { Clock } from '../../../base/clock.ts';
import { hasProcessTable, type ProcessRow } from './process-table.ts';
import { findProcesses, killGroups, type RunScope, signalLeaderGroup, signalProcess } from './run-processes.ts';

interface SweepLimits {
  /** Nothing must be found for so long. One look misses a process that is being born during it. */
  readonly quietMs: number;
  /** Gives up after this: a process stuck in the kernel, or a bomb that forks faster than it is killed. */
  readonly budgetMs: number;
}

/** For the end of a run, and for what an earlier server left. */
export const usualSweepLimits: SweepLimits = { quietMs: 25, budgetMs: 10_000 };

export interface SweepReport {
  /** Processes that were found, dead now but for `survivors`. */
  readonly found: number;
  /** Processes that were still there when the time was up, by number. */
  readonly survivors: readonly number[];
}

/**
 * Kills every process of a scope until none is left. Elsewhere than on Linux: the process groups of its leaders, of which no count can be had.
 * Throws when processes cannot be looked for all the time.
 */
export async function sweep(scope: RunScope, limits: SweepLimits, clock: Clock): Promise<SweepReport> {
  if (!hasProcessTable) return sweepGroups(scope);
  const start = clock.monotonicMs();
  const seen = new Set<string>();
  // A program that forks without end must not outgrow the look at it.
  for (const leader of scope.leaders) signalLeaderGroup(leader, 'SIGSTOP');
  let quietSince: number | undefined;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    const found = look(scope);
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
  /** Looks for the processes, where something else than the scope tells which they are. */
  readonly find?: (() => ProcessRow[]) | undefined;
}

/** SIGTERM to every process of a scope, each once; then waits until all are gone, at most `graceMs`. */
export async function terminate(scope: RunScope, { graceMs, clock, find }: Termination): Promise<void> {
  const deadline = clock.monotonicMs() + graceMs;
  const found = hasProcessTable ? look(scope, find) : undefined;
  if (Array.isArray(found)) for (const row of found) signalProcess(row, 'SIGTERM');
  else for (const leader of scope.leaders) signalLeaderGroup(leader, 'SIGTERM');
  for (;;) {
    const restMs = deadline - clock.monotonicMs();
    if (restMs <= 0 || !hasProcesses(scope, find)) return;
    await clock.sleep(Math.min(restMs, 50));
  }
}

/** The processes of a scope, or why they cannot be seen at the moment: the server has too many files open, say. */
function look(scope: RunScope, find = () => findProcesses(scope)): ProcessRow[] | Error {
  try {
    return find();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function hasProcesses(scope: RunScope, find?: () => ProcessRow[]): boolean {
  if (!hasProcessTable) return scope.leaders.some(leader => signalLeaderGroup(leader, 0));
  const found = look(scope, find);
  return found instanceof Error || found.length > 0;
}

function sweepGroups({ leaders }: RunScope): SweepReport {
  const killed = leaders.filter(leader => signalLeaderGroup(leader, 'SIGKILL'));
  return { found: killed.length, survivors: [] };
}
