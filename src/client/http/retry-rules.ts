/** Decides whether and when to retry. transport.ts does the waiting. */
import { isObject } from '../../base/json.ts';
import { type Backoff, backoffMs } from '../../base/network/retry.ts';
import { readRetryAfterMs } from '../../border/answers.ts';
import { headerNames, readFeatures } from '../../contract/tables/headers.ts';
import { ApiError, UnexpectedResponseError } from '../errors/answer-errors.ts';
import { AgentRunsError, ApiKeyError, ConnectionError, type ConnectionFault } from '../errors/errors.ts';

export const retryBackoff: Backoff = Object.freeze({ baseDelayMs: 500, maxDelayMs: 8_000 });

/** Longer delays requested by a server are cut to this. */
export const longestServerDelayMs = 60_000;

/**
 * What a failure says about its request:
 * - `final`: the same request would fail again, so it is not retried;
 * - `not-done`: it was certainly not carried out, so anything may be retried;
 * - `unknown`: it may have been carried out, so only idempotent requests are retried.
 */
export type Verdict = 'final' | 'not-done' | 'unknown';

const hopeless: ReadonlySet<ConnectionFault> = new Set(['certificate', 'tls', 'fetch']);

/** The server's own hint (`x-should-retry`, then `retryable: false`) overrides the status. */
export function judgeFailure(error: unknown): Verdict {
  if (error instanceof ConnectionError) {
    if (hopeless.has(error.fault)) return 'final';
    return error.neverLeft ? 'not-done' : 'unknown';
  }
  if (error instanceof UnexpectedResponseError) return error.cut ? 'unknown' : 'final';
  if (error instanceof ApiKeyError) return error.retryable ? 'not-done' : 'final';
  return error instanceof ApiError ? judgeAnswer(error) : 'final';
}

/** Whether the request may have been carried out. A `final` verdict does not rule that out. */
export function mayBeDone(error: unknown): boolean {
  // An unreadable response may stand for a success, and a proxy may have replaced it with a redirect.
  if (error instanceof UnexpectedResponseError) return true;
  if (error instanceof ConnectionError) return !error.neverLeft;
  // An unforeseen error in the client says nothing about the server.
  if (!(error instanceof ApiError)) return !(error instanceof AgentRunsError);
  const { status, code } = error;
  // By definition this code is a refusal, and only such a service uses it.
  if (status === 501 || status === 505 || code === 'environment_setup_failed') return false;
  return (status === 408 || status >= 500) && !isUnavailable(error);
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

/**
 * Whether something in front of the service answered, so that the service may answer the next attempt. A response
 * that forbids retries is obeyed.
 */
export function isProxyAnswer(error: unknown): error is ApiError {
  return error instanceof ApiError && error.isProxyResponse && error.headers.get(headerNames.shouldRetry) !== 'false';
}

/**
 * Whether the service itself answered: with a problem document, or with the features header of this project's server.
 */
export function isServiceAnswer({ body, headers }: ApiError): boolean {
  if (readFeatures(headers).size > 0 || headers.get('content-type')?.includes('problem+json')) return true;
  return isObject(body) && !!body.type && !!body.status && !!(body.title ?? body.error);
}

/** Whether this project's server answered, rather than a proxy or another service. */
export function isOwnServerAnswer(error: ApiError): boolean {
  return error.code !== undefined && readFeatures(error.headers).has('idempotency');
}

/** This project's server sends 503 before it does anything. Any other 503 says nothing about what was done. */
function isUnavailable(error: ApiError): boolean {
  return error.status === 503 && error.code === 'resource_unavailable' && isOwnServerAnswer(error);
}

/**
 * The wait before retry number `attempt` (from 0): the server's delay, otherwise backoff. `now` is for a date without
 * a `Date` header.
 */
export function retryDelayMs(error: unknown, attempt: number, now: number, random = Math.random): number {
  const told = serverDelayMs(error, now);
  if (told === undefined || told <= 0) return backoffMs(attempt, retryBackoff, random);
  return Math.min(told + random() * retryBackoff.baseDelayMs, longestServerDelayMs);
}

/** The delay that the response asks for; undefined if it has none that can be read. */
export function serverDelayMs(error: unknown, now: number): number | undefined {
  return error instanceof ApiError ? readRetryAfterMs(name => error.headers.get(name), now) : undefined;
}
