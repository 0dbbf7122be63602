/** Again? And when? Pure answers about GitHub's API; the waiting is done in github.ts. */
import { type Backoff, readRetryAfterMs } from '../../base/retry.ts';

export interface Failure {
  readonly method: string;
  /** Undefined when no whole answer came. */
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  /** What GitHub said. */
  readonly message: string;
}

/**
 * - `final`: the same request fails again;
 * - `limited`: GitHub did nothing and asks for a pause, in milliseconds where it names one;
 * - `unknown`: it may have been carried out. Only what does no harm twice is repeated.
 */
export type Judgement =
  | { readonly kind: 'final' }
  | { readonly kind: 'limited'; readonly waitMs: number | undefined }
  | { readonly kind: 'unknown' };

/** https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api: both kinds of limits answer 403 or 429. */
export function judgeFailure({ status, headers, message }: Failure, now: number): Judgement {
  if (status === undefined) return { kind: 'unknown' };
  if (status === 429 || (status === 403 && isLimit(headers, message)))
    return { kind: 'limited', waitMs: askedWaitMs(headers, now) };
  const isOfServer = status >= 500 && status !== 501 && status !== 505;
  return { kind: isOfServer ? 'unknown' : 'final' };
}

/** Whether a request that may have been carried out can be sent again as it is. An edit to the same text is the same edit. */
export function isRepeatable(method: string): boolean {
  return method.toUpperCase() !== 'POST';
}

export const gitHubBackoff: Backoff = { baseDelayMs: 500, maxDelayMs: 8_000 };

function isLimit(headers: Failure['headers'], message: string): boolean {
  return (
    headers['retry-after'] !== undefined ||
    String(headers['x-ratelimit-remaining']) === '0' ||
    /\b(?:secondary rate|rate limit exceeded|abuse detection)/i.test(message)
  );
}

/** `Retry-After` in seconds or as a date, else the moment at which the hour's limit begins anew. By GitHub's clock where it says its time. */
function askedWaitMs(headers: Failure['headers'], now: number): number | undefined {
  const told = readRetryAfterMs(name => headers[name]?.toString(), now);
  if (told !== undefined) return Math.max(0, told);
  const sent = Date.parse(String(headers.date ?? ''));
  const from = Number.isNaN(sent) ? now : sent;
  const reset = Number(headers['x-ratelimit-reset']);
  if (String(headers['x-ratelimit-remaining']) !== '0' || !(reset > 0)) return undefined;
  return Math.max(0, reset * 1000 - from);
}
