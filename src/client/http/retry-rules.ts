/** Again? And when? Pure answers; the waiting is done in transport.ts. */
import { isObject } from '../../base/json.ts';
import { type Backoff, backoffMs } from '../../base/network/retry.ts';
import { readRetryAfterMs } from '../../border/answers.ts';
import { headerNames, readFeatures } from '../../contract/tables/headers.ts';
import { ApiError, UnexpectedResponseError } from '../errors/answer-errors.ts';
import { AgentRunsError, ApiKeyError, ConnectionError, type ConnectionFault } from '../errors/errors.ts';

export const retryBackoff: Backoff = Object.freeze({ baseDelayMs: 500, maxDelayMs: 8_000 });

/** A server that names a longer wait is asked again after this one. */
export const longestServerDelayMs = 60_000;

/**
 * What a failure says about its request:
 * - `final`: the same request fails again, so it is not repeated;
 * - `not-done`: it was certainly not carried out, and may be next time; anything may be repeated;
 * - `unknown`: it may have been carried out; only what does no harm twice is repeated.
 */
export type Verdict = 'final' | 'not-done' | 'unknown';

const hopeless: ReadonlySet<ConnectionFault> = new Set(['certificate', 'tls', 'fetch']);

/** The server's own word (`x-should-retry`, then `retryable: false`) goes before the status. */
export function judgeFailure(error: unknown): Verdict {
  if (error instanceof ConnectionError) {
    if (hopeless.has(error.fault)) return 'final';
    return error.neverLeft ? 'not-done' : 'unknown';
  }
  if (error instanceof UnexpectedResponseError) return error.cut ? 'unknown' : 'final';
  if (error instanceof ApiKeyError) return error.retryable ? 'not-done' : 'final';
  return error instanceof ApiError ? judgeAnswer(error) : 'final';
}

/** Whether the request may have been carried out. That it shall not be repeated (`final`) does not mean that it was not. */
export function mayBeDone(error: unknown): boolean {
  // A success that cannot be read may be one all the same, and a proxy may have put a redirect in its place.
  if (error instanceof UnexpectedResponseError) return true;
  if (error instanceof ConnectionError) return !error.neverLeft;
  // A fault that the client did not foresee says nothing about what the server did.
  if (!(error instanceof ApiError)) return !(error instanceof AgentRunsError);
  const { status, code } = error;
  // By the table of codes this one is a refusal, and nobody but such a service says it.
  if (status === 501 || status === 505 || code === 'environment_setup_failed') return false;
  return (status === 408 || status >= 500) && !isTurnedAway(error);
}

function judgeAnswer(error: ApiError): Verdict {
  const { status, headers, retryable } = error;
  const repeat = mayBeDone(error) ? 'unknown' : 'not-done';
  const word = headers.get(headerNames.shouldRetry);
  if (word === 'true') return repeat;
  if (word === 'false' || retryable === false) return 'final';
  if (status === 409) return retryable === true ? repeat : 'final';
  if (status === 501 || status === 505) return 'final';
  return status >= 500 || status === 408 || status === 425 || status === 429 ? repeat : 'final';
}

/** Whether something before the service says it, which says nothing of how the service will answer next time. One that forbids a repetition is taken at its word. */
export function isWordOfAnother(error: unknown): error is ApiError {
  return error instanceof ApiError && error.isProxyResponse && error.headers.get(headerNames.shouldRetry) !== 'false';
}

/** Whether the service itself says it: in a problem document, or with the features of a server of this project. A proxy has other words. */
export function isWordOfService({ body, headers }: ApiError): boolean {
  if (readFeatures(headers).size > 0 || headers.get('content-type')?.includes('problem+json')) return true;
  return isObject(body) && !!body.type && !!body.status && !!(body.title ?? body.error);
}

/** Whether a server of this project says it, rather than a proxy before it or another service. */
export function isOfThisService(error: ApiError): boolean {
  return error.code !== undefined && readFeatures(error.headers).has('idempotency');
}

/** A server of this project says 503 before it does anything. Any other 503 says nothing about what was done. */
function isTurnedAway(error: ApiError): boolean {
  return error.status === 503 && error.code === 'resource_unavailable' && isOfThisService(error);
}

/** How long to wait before repetition number `attempt` (from 0): what the server says, else the own back-off. `now` is for a date without a `Date` beside it. */
export function retryDelayMs(error: unknown, attempt: number, now: number, random = Math.random): number {
  const told = serverDelayMs(error, now);
  if (told === undefined || told <= 0) return backoffMs(attempt, retryBackoff, random);
  return Math.min(told + random() * retryBackoff.baseDelayMs, longestServerDelayMs);
}

/** The wait that the answer asks for, or undefined where it names none that can be read. */
export function serverDelayMs(error: unknown, now: number): number | undefined {
  return error instanceof ApiError ? readRetryAfterMs(name => error.headers.get(name), now) : undefined;
}
