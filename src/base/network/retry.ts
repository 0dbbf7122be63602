/** The retry loop of the client and the built-in agent, and its backoff. The caller decides whether to retry. */
import pRetry from 'p-retry';

export interface RetryPlan {
  /** Not counting the first attempt. */
  readonly retriesMax: number;
  /**
   * Waits until the next attempt. Resolves to false if there is none. An error that it throws ends the loop.
   * `attempt` counts from 0.
   */
  readonly wait: (error: Error, attempt: number) => Promise<boolean>;
  /** Whether a failure uses up a retry. @default always */
  readonly countsAsRetry?: (error: Error) => boolean;
}

/** Retries `attempt` and rejects with its last error. A TypeError without a network fault is a bug, and final. */
export async function retry<Value>(
  attempt: () => Promise<Value>,
  { retriesMax, wait, countsAsRetry = () => true }: RetryPlan,
): Promise<Value> {
  return await pRetry(attempt, {
    retries: retriesMax,
    // shouldRetry waits, because the wait depends on the failure.
    minTimeout: 0,
    shouldRetry: async ({ error, attemptNumber }) => await wait(error, attemptNumber - 1),
    shouldConsumeRetry: ({ error }) => countsAsRetry(error),
  });
}

export interface Backoff {
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
}

/** Half to all of the doubled delay, so that many clients do not return together. `attempt` counts from 0. */
export function backoffMs(attempt: number, { baseDelayMs, maxDelayMs }: Backoff, random = Math.random): number {
  return Math.min(baseDelayMs * 2 ** attempt, maxDelayMs) * (0.5 + random() / 2);
}
