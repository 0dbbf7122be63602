/** What is still done for a run that was stopped: what it changed may be known, if that goes fast. Whoever cancels waits for the end. */

import type { Stop } from '../run-failure.ts';
import type { RunEnding } from '../store/store.ts';

/** For git, in ms, in the place of its usual time. */
export const lateMs = { canceled: 2000, stopped: 10_000 };

export type Lateness = keyof typeof lateMs;

/** Undefined where the run ended by itself, within its time; 'none' where nobody is to work on it any more. */
export function findLateness(ending: RunEnding | undefined, stop: Stop | undefined): Lateness | 'none' | undefined {
  if (ending === undefined) return 'none';
  if (stop?.kind === 'cancel') return 'canceled';
  if (stop?.kind === 'limit' || ending.statusMessage?.error_code === 'time_limit') return 'stopped';
  return stop === undefined ? undefined : 'none';
}
