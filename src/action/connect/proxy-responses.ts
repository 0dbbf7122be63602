/** One response of a proxy or firewall in place of the server decides nothing: a request that does no harm twice is repeated. */
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '../../base/network/retry.ts';
import { ApiError, UnexpectedResponseError } from '../../client/index.ts';

/** Long enough for a proxy whose server restarts; where the address is wrong, that is said after it. */
const usualLimitMs = 15_000;
const backoff = { baseDelayMs: 250, maxDelayMs: 2000 };

interface Patience {
  /** For all attempts. @default 15_000 */
  readonly limitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** `act` is told how much of the time is left. Throws what it throws: the proxy's response if that stays, or if the step is to stop. */
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

/** Statuses that the client itself has asked again after, as long as there was time. */
const repeated: ReadonlySet<number> = new Set([408, 425, 429]);

/** Also a success of something else, such as a page for maintenance. */
export function isProxyResponse(error: unknown): error is ApiError | UnexpectedResponseError {
  if (error instanceof UnexpectedResponseError) return !error.cut;
  return error instanceof ApiError && error.isProxyResponse && error.status < 500 && !repeated.has(error.status);
}
