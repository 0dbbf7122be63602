import { backoffMs } from '../../../../../base/network/retry.ts';
import type { ModelFault } from './model-fault.ts';

export interface RetryPolicy {
  /** After the first attempt. */
  readonly retriesMax: number;
  readonly baseDelayMs: number;
  /** An endpoint that asks for a longer wait is not asked again. */
  readonly maxDelayMs: number;
}

export const retryPolicy: RetryPolicy = { retriesMax: 3, baseDelayMs: 2000, maxDelayMs: 60_000 };

/** Delay before the next attempt. Undefined if a retry would not help. `retries` counts those so far. */
export function retryDelayMs(
  { isRetryable, retryAfterMs }: ModelFault,
  retries: number,
  policy: RetryPolicy,
  random = Math.random,
): number | undefined {
  if (!isRetryable) return undefined;
  if (retryAfterMs === undefined) return backoffMs(retries, policy, random);
  return retryAfterMs <= policy.maxDelayMs ? Math.max(0, retryAfterMs) : undefined;
}
