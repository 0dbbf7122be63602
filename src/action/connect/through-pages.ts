/** One page of a proxy or firewall, in place of the server's word, decides nothing: what does no harm twice is asked again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, UnexpectedResponseError } from '../../client/index.ts';

/** Long enough for a proxy whose server restarts; where the address is wrong, that is said after it. */
const usualLimitMs = 15_000;
const firstPauseMs = 250;
const longestPauseMs = 2000;

interface Patience {
  /** For all attempts. @default 15_000 */
  readonly limitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** `act` is told how much of the time is left. Throws what it throws: a page where it stays so, or comes when the step is to stop. */
export async function throughPages<Answer>(
  act: (leftMs: number) => Promise<Answer>,
  { limitMs = usualLimitMs, signal }: Patience,
): Promise<Answer> {
  const endsAt = performance.now() + limitMs;
  const leftMs = (): number => Math.max(1, Math.ceil(endsAt - performance.now()));
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await act(leftMs());
    } catch (error) {
      if (!isPage(error) || pauseMs >= leftMs()) throw error;
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
      if (signal?.aborted === true) throw error;
    }
  }
}

/** Statuses that the client itself has asked again after, as long as there was time. */
const repeated: ReadonlySet<number> = new Set([408, 425, 429]);

/** Also a success of something else, such as a page for maintenance. */
export function isPage(error: unknown): error is ApiError | UnexpectedResponseError {
  if (error instanceof UnexpectedResponseError) return !error.cut;
  return error instanceof ApiError && error.isPage && error.status < 500 && !repeated.has(error.status);
}
