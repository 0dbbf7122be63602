/** The retry loop of the client and the built-in agent, and its back-off. Whether to come back is the caller's decision. */
import pRetry from 'p-retry';

export interface RetryPlan {
  /** After the first attempt. */
  readonly retriesMax: number;
  /** Waits until the next attempt. Resolves to false if there is none; what it throws ends the loop. `attempt` counts from 0. */
  readonly wait: (error: Error, attempt: number) => Promise<boolean>;
  /** Whether a failure uses up a retry. @default always */
  readonly countsAsRetry?: (error: Error) => boolean;
}

/** Repeats `attempt` and rejects with its last error. A TypeError that is not a network's is a fault of the program, and final. */
export async function retry<Value>(
  attempt: () => Promise<Value>,
  { retriesMax, wait, countsAsRetry = () => true }: RetryPlan,
): Promise<Value> {
  return await pRetry(attempt, {
    retries: retriesMax,
    // The wait is in shouldRetry, because only a failure that is repeated has one, and its length depends on the answer.
    minTimeout: 0,
    shouldRetry: async ({ error, attemptNumber }) => await wait(error, attemptNumber - 1),
    shouldConsumeRetry: ({ error }) => countsAsRetry(error),
  });
}

export interface Backoff {
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
}

/** Half to full of the doubled delay, so that many clients do not return together. `attempt` counts from 0. */
export function backoffMs(attempt: number, { baseDelayMs, maxDelayMs }: Backoff, random = Math.random): number {
  return Math.min(baseDelayMs * 2 ** attempt, maxDelayMs) * (0.5 + random() / 2);
}
