/** Requests to the API of a git host by octokit, which is loaded with the first one, and the words for answers that do not help. */

import { describeCause, findCause } from '../../base/cause.ts';
import { systemClock } from '../../base/clock.ts';
import { isObject } from '../../base/json.ts';
import { unlessAborted } from '../../base/network/answer-race.ts';
import { ellipsis } from '../../base/text.ts';
import { bufferAnswer, findRedirect, refuseRedirect } from '../../border/answers.ts';
import type { Redact } from '../../border/secrets.ts';

/** One question, in ms. GitHub itself gives up after ten seconds. */
const answerMs = 15_000;
/** One question with its repetition and the waits for its turn and for the rate limit, in ms. */
const totalMs = 120_000;
/** GitHub asks for a minute where too much was written at once. */
const quotaSecondsMax = 90;
const answerBytesMax = 8 * 1024 * 1024;
const silentLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/**
 * The classes of octokit for an API. A question that failed is repeated once, unless it says `retries: 0`. Requests that write are spaced out per API, as
 * GitHub asks. `request.signal` of a question ends all of it.
 */
export async function loadOctokit(apiUrl: string) {
  const { App, Octokit } = await import('octokit');
  // The last plugin is the outermost: no wait of another one, in a queue or before a repetition, outlasts the signal.
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
      // `retries: 1` with a question would repeat it whatever the answer is.
      retry: { retries: 1, retryAfterBaseValue: 300 },
      throttle: { id: apiUrl, onRateLimit: waitForQuota, onSecondaryRateLimit: waitForQuota, retryAfterBaseValue: 0 },
      log: silentLog,
    }),
  };
}

/** Whether to ask once more. It waits here because no signal ends a wait of the plugin. */
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

/** A redirect would take the request, token and all, elsewhere. */
async function fetchHere(url: string, init: RequestInit): Promise<Response> {
  const signal = AbortSignal.any([AbortSignal.timeout(answerMs), ...(init.signal ? [init.signal] : [])]);
  const answer = await fetch(url, { ...init, signal, redirect: 'manual' });
  await refuseRedirect(answer, 'and the token is not sent to another address; set `api_url` to the final address');
  return bufferAnswer(answer, answerBytesMax);
}

/** An answer that does not hold what was asked for. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';

  constructor(what: string) {
    super(`answered with no ${what}`);
  }
}

export function describeRedirect(error: unknown, apiUrl: string): string | undefined {
  return findRedirect(error)?.message.replace(/^it/, apiUrl);
}

/** What the host says that it does not want, without the secret; undefined where it did not say anything. */
export function describeRefusal(error: unknown, redact: Redact): string | undefined {
  const answer = readAnswer(error, redact);
  if (answer === undefined || answer.status >= 500) return undefined;
  const isForbidden = answer.status === 403 && /not accessible by/.test(answer.said);
  return `the host answered ${answer.status}${answer.said}${isForbidden ? '; the token needs `pull-requests: write`' : ''}`;
}

/** `https://api.github.com answered 502: Server Error`, without the secret. */
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
  // Of a page of whatever stands in between the status says all.
  const { message, errors } = isObject(error.response.data) ? error.response.data : {};
  const more = Array.isArray(errors) ? errors.map(describeDetail) : [];
  // Before it is cut, which would leave a part of the secret.
  const said = redact([message, ...more].filter(text => typeof text === 'string' && text !== '').join('; '));
  return { status, said: said === '' ? '' : `: ${ellipsis(said.replace(/\s+/g, ' '), 400)}` };
}

/** GitHub has words for some faults, and for others a field with a code: `{resource: "PullRequest", field: "base", code: "invalid"}`. */
function describeDetail(fault: unknown): string | undefined {
  if (typeof fault === 'string') return fault;
  if (!isObject(fault)) return undefined;
  if (typeof fault.message === 'string') return fault.message;
  return [fault.field, fault.code].filter(text => typeof text === 'string').join(': ');
}
