/** Requests to the API of a git host with octokit, which is loaded on first use, and texts for failed answers. */

import { describeCause, findCause } from '../../base/cause.ts';
import { systemClock } from '../../base/clock.ts';
import { isObject } from '../../base/json.ts';
import { unlessAborted } from '../../base/network/answer-race.ts';
import { ellipsis } from '../../base/text.ts';
import { bufferAnswer, findRedirect, refuseRedirect } from '../../border/answers.ts';
import type { Redact } from '../../border/secrets.ts';

/** Limit for one attempt, in ms. GitHub itself gives up after ten seconds. */
const answerMs = 15_000;
/** Limit for a request with its retry and the waits for its turn and the rate limit, in ms. */
const totalMs = 120_000;
/** GitHub asks for a minute after too many writes at once. */
const quotaSecondsMax = 90;
const answerBytesMax = 8 * 1024 * 1024;
const silentLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/**
 * Loads octokit's classes for an API. A failed request is retried once, unless it has `retries: 0`. Write requests
 * are spaced out per API, as GitHub asks. `request.signal` ends all of it.
 */
export async function loadOctokit(apiUrl: string) {
  const { App, Octokit } = await import('octokit');
  // The last plugin is the outermost, so the signal ends the waits of all others.
  const Bounded = Octokit.plugin(({ hook }) => {
    hook.wrap('request', (request, { request: more = {}, ...options }) => {
      const signal = AbortSignal.any([
        AbortSignal.timeout(totalMs),
        ...(more.signal === undefined ? [] : [more.signal]),
      ]);
      return unlessAborted(Promise.resolve(request({ ...options, request: { ...more, signal } })), signal);
    });
  });
  return {
    App,
    log: silentLog,
    Octokit: Bounded.defaults({
      baseUrl: apiUrl,
      userAgent: 'agent-run',
      request: { fetch: fetchHere },
      // `retries: 1` in a request would retry whatever the answer is.
      retry: { retries: 1, retryAfterBaseValue: 300 },
      throttle: { id: apiUrl, onRateLimit: waitForQuota, onSecondaryRateLimit: waitForQuota, retryAfterBaseValue: 0 },
      log: silentLog,
    }),
  };
}

/** Decides on a retry and waits here, because a signal does not end the plugin's own wait. */
async function waitForQuota(
  seconds: number,
  {
    request: { signal, retryCount },
  }: { readonly request: { readonly signal?: AbortSignal; readonly retryCount?: number } },
): Promise<boolean> {
  if (retryCount !== 0 || seconds > quotaSecondsMax) return false;
  await systemClock.sleep(seconds * 1000, signal);
  return true;
}

/** A redirect would send the token to another address. */
async function fetchHere(url: string, init: RequestInit): Promise<Response> {
  const signal = AbortSignal.any([AbortSignal.timeout(answerMs), ...(init.signal ? [init.signal] : [])]);
  const answer = await fetch(url, { ...init, signal, redirect: 'manual' });
  await refuseRedirect(answer, 'and the token is not sent to another address; set `api_url` to the final address');
  return bufferAnswer(answer, answerBytesMax);
}

/** The answer does not contain the requested data. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';

  constructor(what: string) {
    super(`answered with no ${what}`);
  }
}

export function describeRedirect(error: unknown, apiUrl: string): string | undefined {
  return findRedirect(error)?.message.replace(/^it/, apiUrl);
}

/** The host's reason for a refusal, with the secret redacted; undefined if the host did not answer. */
export function describeRefusal(error: unknown, redact: Redact): string | undefined {
  const answer = readAnswer(error, redact);
  if (answer === undefined || answer.status >= 500) return undefined;
  const isForbidden = answer.status === 403 && /not accessible by/.test(answer.said);
  return `the host answered ${answer.status}${answer.said}${isForbidden ? '; the token needs `pull-requests: write`' : ''}`;
}

/** `https://api.github.com answered 502: Server Error`, with the secret redacted. */
export function describeFault(
  error: unknown,
  { apiUrl, redact }: { readonly apiUrl: string; readonly redact: Redact },
): string {
  const answer = readAnswer(error, redact);
  if (answer !== undefined) return `${apiUrl} answered ${answer.status}${answer.said}`;
  const inner = findCause(error);
  if (inner instanceof NoAnswer) return `${apiUrl} ${inner.message}`;
  const isLate = inner instanceof Error && inner.name === 'TimeoutError';
  return `${apiUrl} did not answer: ${isLate ? 'no answer in time' : redact(describeCause(inner))}`;
}

export function statusOf(error: unknown): number | undefined {
  return isObject(error) && typeof error.status === 'number' && isObject(error.response) ? error.status : undefined;
}

interface Answer {
  readonly status: number;
  readonly said: string;
}

function readAnswer(error: unknown, redact: Redact): Answer | undefined {
  const status = statusOf(error);
  if (status === undefined || !isObject(error) || !isObject(error.response)) return undefined;
  // An HTML page comes from a proxy, and its status is enough.
  const { message, errors } = isObject(error.response.data) ? error.response.data : {};
  const more = Array.isArray(errors) ? errors.map(describeDetail) : [];
  // Redact before cutting, which could leave a part of the secret.
  const said = redact([message, ...more].filter(text => typeof text === 'string' && text !== '').join('; '));
  return { status, said: said === '' ? '' : `: ${ellipsis(said.replace(/\s+/g, ' '), 400)}` };
}

/**
 * GitHub describes some faults in words, others as a code: `{resource: "PullRequest", field: "base", code:
 * "invalid"}`.
 */
function describeDetail(fault: unknown): string | undefined {
  if (typeof fault === 'string') return fault;
  if (!isObject(fault)) return undefined;
  if (typeof fault.message === 'string') return fault.message;
  return [fault.field, fault.code].filter(text => typeof text === 'string').join(': ');
}
