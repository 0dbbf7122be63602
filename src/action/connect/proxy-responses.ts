/**
 * A single response from a proxy or firewall is not proof of anything. Requests that are safe to repeat are retried.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '../../base/network/retry.ts';
import { ApiError, UnexpectedResponseError } from '../../client/index.ts';

/** Covers the restart of a server behind a proxy. Delays the error for a wrong address by as much. */
const usualLimitMs = 15_000;
const backoff = { baseDelayMs: 250, maxDelayMs: 2000 };

interface Patience {
  /** For all attempts. @default 15_000 */
  readonly limitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** `act` gets the time left. Throws its error if a proxy's response persists or the step has to stop. */
export async function retryProxyResponses<Answer>(
  act: (leftMs: number) => Promise<Answer>,
  { limitMs = usualLimitMs, signal }: Patience,
): Promise<Answer> {
  const endsAt = performance.now() + limitMs;
  const leftMs = (): number => Math.max(1, Math.ceil(endsAt - performance.now()));
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await act(leftMs());
    } catch (error) {
      const pauseMs = backoffMs(attempt, backoff);
      if (!isProxyResponse(error) || pauseMs >= leftMs()) throw error;
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
      if (signal?.aborted === true) throw error;
    }
  }
}

/** The client has already retried these statuses within its time. */
const repeated: ReadonlySet<number> = new Set([408, 425, 429]);

/** Also true for a success of something else, such as a maintenance page. */
export function isProxyResponse(error: unknown): error is ApiError | UnexpectedResponseError {
  if (error instanceof UnexpectedResponseError) return !error.cut;
  return error instanceof ApiError && error.isProxyResponse && error.status < 500 && !repeated.has(error.status);
}
