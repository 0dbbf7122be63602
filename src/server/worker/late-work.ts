/**
 * Work that is still done for a stopped run. A patch is made only if that is quick, because the caller who canceled
 * is waiting.
 */

import type { Stop } from '../run-failure.ts';
import type { RunEnding } from '../store/store.ts';

/** Limit for git in milliseconds, instead of its usual one. */
export const lateMs = { canceled: 2000, stopped: 10_000 };

export type Lateness = keyof typeof lateMs;

/** Undefined if the run ended by itself in time; 'too_late' if no more work may be done for it. */
export function findLateness(ending: RunEnding | undefined, stop: Stop | undefined): Lateness | 'too_late' | undefined {
  if (ending === undefined) return 'too_late';
  if (stop?.kind === 'cancel') return 'canceled';
  if (stop?.kind === 'limit' || ending.statusMessage?.error_code === 'time_limit') return 'stopped';
  return stop === undefined ? undefined : 'too_late';
}
