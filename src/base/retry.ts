/** The retry loop of the client and the built-in agent, and when to come back. Whether to come back is the caller's decision. */
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

/**
 * The wait that an answer asks for, in ms (`retry-after-ms`, `Retry-After` in seconds or as a date), or undefined where it names none that can be
 * read. `nowMs` is for a date in an answer without a `Date` of its own.
 */
export function readRetryAfterMs(
  get: (header: string) => string | null | undefined,
  nowMs: number,
): number | undefined {
  const ms = readNumber(get('retry-after-ms'));
  if (ms !== undefined) return ms;
  const text = get('retry-after') ?? '';
  const seconds = readNumber(text);
  if (seconds !== undefined) return seconds * 1000;
  // Date.parse takes nearly anything; a date of HTTP begins with the day of the week.
  const at = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) return undefined;
  // The date is by the server's clock, and so is the answer's own.
  const sent = Date.parse(get('date') ?? '');
  return at - (Number.isNaN(sent) ? nowMs : sent);
}

function readNumber(text: string | null | undefined): number | undefined {
  return /^\d+(\.\d+)?$/.test(text?.trim() ?? '') ? Number(text) : undefined;
}
