import type { ModelFault } from './model-fault.ts';

export interface RetryPolicy {
  /** After the first try. */
  readonly retriesMax: number;
  readonly baseDelayMs: number;
  /** Whoever is told to wait longer does not wait at all. */
  readonly longestDelayMs: number;
}

export const retryPolicy: RetryPolicy = { retriesMax: 3, baseDelayMs: 2000, longestDelayMs: 60_000 };

/** How long to wait before the next try; undefined: there is none. `retries` counts those so far. */
export function retryDelayMs(
  { isRetryable, retryAfterMs }: ModelFault,
  retries: number,
  { retriesMax, baseDelayMs, longestDelayMs }: RetryPolicy,
  random = Math.random,
): number | undefined {
  if (!isRetryable || retries >= retriesMax) return undefined;
  if (retryAfterMs !== undefined) return retryAfterMs <= longestDelayMs ? retryAfterMs : undefined;
  // Half to full of the doubled delay, so that many runs do not return together.
  return Math.min(baseDelayMs * 2 ** retries, longestDelayMs) * (0.5 + random() / 2);
}
