/** Work on a run that was stopped: what it changed may be known, if that goes fast. Whoever cancels waits for the end, not for what was done until then. */
import type { Clock } from '../../base/clock.ts';
import type { ExecutorCommand, ExecutorEnd, ExecutorRequest } from '../executor/executor.ts';
import type { RunEnding } from '../store/store.ts';
import { describeDuration, RunFailure, type Stop } from './run-ending.ts';
import type { GitParts } from './run-git.ts';

const lateMs = { cancelled: 2000, stopped: 10_000 };

/** `bounds` count more than those of the run, which are over. */
type Execute = (
  command: ExecutorCommand,
  onOutput: ExecutorRequest['onOutput'],
  bounds: Pick<ExecutorRequest, 'timeLimitMs' | 'graceMs'>,
) => Promise<ExecutorEnd>;

/** Undefined where the run ended by itself, within its time; 'none' where nobody is to work on it any more. */
export function findLateness(
  ending: RunEnding | undefined,
  stop: Stop | undefined,
): keyof typeof lateMs | 'none' | undefined {
  if (ending === undefined) return 'none';
  if (stop?.kind === 'cancel') return 'cancelled';
  if (stop?.kind === 'limit' || ending.statusMessage?.error_code === 'time_limit') return 'stopped';
  return stop === undefined ? undefined : 'none';
}

/** Executes while there is time, for all programs together; then RunFailure is thrown. */
export function executeLate(execute: Execute, lateness: keyof typeof lateMs, clock: Clock): GitParts['execute'] {
  const ms = lateMs[lateness];
  const deadline = clock.monotonicMs() + ms;
  return async (command, onOutput) => {
    const timeLimitMs = Math.max(1, deadline - clock.monotonicMs());
    const end = await execute(command, onOutput, { timeLimitMs, graceMs: 0 });
    if (end.kind !== 'ended' || end.stopped === undefined) return end;
    throw new RunFailure('time_limit', `a run that was ${lateness} has ${describeDuration(ms)} for it`);
  };
}
