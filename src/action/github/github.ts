/**
 * GitHub's API through GitHub's toolkit, which only this file loads. Octokit's plugins retry. This file decides
 * whether there is time, and it waits, so that waits respect the deadline and end with the step.
 */
import { getOctokit } from '@actions/github';
import { retry } from '@octokit/plugin-retry';
import { type ThrottlingOptions, throttling } from '@octokit/plugin-throttling';
import { findCause } from '../../base/cause.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { isObject } from '../../base/json.ts';
import { backoffMs } from '../../base/network/retry.ts';
import { BodyTooLongError, bufferAnswer } from '../../border/answers.ts';
import { explainFailure, type Failure, GitHubError } from './github-error.ts';
import { markLimit } from './rate-limit.ts';

/** One attempt. GitHub itself gives up after ten seconds. */
const attemptMs = 12_000;
const maxRetries = 5;
/** Far more than any useful response, and little for a runner's memory. */
const answerBytesMax = 8 * 1024 * 1024;
const backoff = { baseDelayMs: 500, maxDelayMs: 8_000 };
/** GitHub's documentation asks for this wait if a response names no duration. */
const usualLimitMs = 60_000;
/** Time left for the request after a wait of unknown length. */
const reserveMs = 5000;

/** Satisfies plugin-throttling's interface for a request group, without its delays. */
const unspaced = { key: () => ({ schedule: async () => {} }) } as unknown as NonNullable<ThrottlingOptions['write']>;

type Octokit = ReturnType<typeof getOctokit>;

export interface GitHub {
  /** Throws GitHubError. */
  readonly request: Octokit['request'];
  readonly graphql: Octokit['graphql'];
  /** Waits before a retry that only the caller can decide on. Returns false if there is no time left. */
  pause(attempt: number): Promise<boolean>;
}

export interface GitHubUse {
  /** Milliseconds until the last byte of the last response, including waits and failed attempts. */
  readonly limitMs: number;
  /** Aborts everything at once: the runner wants the step to stop. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Aborts waits and reads, and starts nothing new. A pending write continues, because its outcome would be unknown.
   */
  readonly hurry?: AbortSignal | undefined;
}

export interface GitHubOptions extends GitHubUse {
  readonly token: string;
  /** `https://api.github.com`, or `https://ghe.example.com/api/v3`. */
  readonly apiUrl: string;
  readonly fetch: typeof globalThis.fetch;
  /** Writes lines about waits to the step's log. */
  readonly log: (line: string) => void;
  readonly clock?: Clock;
}

export function openGitHub({ token, apiUrl, fetch, log, clock = systemClock, ...use }: GitHubOptions): GitHub {
  const endsAt = clock.monotonicMs() + use.limitMs;
  const leftMs = (): number => endsAt - clock.monotonicMs();
  const ends = AbortSignal.any([use.signal, use.hurry].filter(end => end !== undefined));
  const canWait = (waitMs: number): boolean => !ends.aborted && waitMs < leftMs();
  const pause = async (waitMs: number): Promise<boolean> => {
    if (!canWait(waitMs)) return false;
    // A sleep rejects only when it is aborted.
    await clock.sleep(waitMs, ends).catch(() => {});
    return !ends.aborted;
  };
  const whyStopped = (): string | undefined => {
    if (use.signal?.aborted === true) return 'the step is being stopped';
    return ends.aborted ? 'the step has ended' : undefined;
  };

  const watchAttempts = ({ hook }: Pick<Octokit, 'hook'>): void => {
    hook.after('request', (answer, options) => {
      // Octokit reads a truncated response as empty text. An empty list would lead to a second comment.
      if (answer.status === 204 || isObject(answer.data) || Array.isArray(answer.data)) return;
      throw Object.assign(new Error('the answer is not JSON or is incomplete'), { status: 500, request: options });
    });
    hook.error('request', async (error: Failure, options) => {
      markLimit(error, clock.now());
      const retryCount: number = options.request.retryCount ?? 0;
      const isRepeated =
        Number(error.status) >= 500 &&
        // Repeating an edit is harmless. Repeating a POST may create a second comment.
        (isQuestion(options) || options.method !== 'POST') &&
        !(findCause(error) instanceof BodyTooLongError) &&
        retryCount < maxRetries &&
        (await pause(backoffMs(retryCount, backoff)));
      options.request.retries = isRepeated ? maxRetries : 0;
      throw error;
    });
    hook.before('request', options => {
      const why = whyStopped() ?? `the limit of ${Math.ceil(use.limitMs / 1000)} s was reached`;
      if (!canWait(0)) throw new GitHubError(`${nameOperation(options)} was not sent to GitHub: ${why}`, {});
      const end = isQuestion(options) ? ends : use.signal;
      const timeout = AbortSignal.timeout(Math.ceil(Math.min(attemptMs, leftMs())));
      options.request.signal = end === undefined ? timeout : AbortSignal.any([timeout, end]);
    });
  };

  const waitForLimit = async (seconds: number, options: Request, _: unknown, retryCount: number): Promise<boolean> => {
    const waitMs = seconds > 0 ? seconds * 1000 : Math.max(Math.min(usualLimitMs, leftMs() - reserveMs), 100);
    if (retryCount >= maxRetries || !canWait(waitMs)) return false;
    log(`GitHub limits the rate of ${nameOperation(options)}. Trying again in ${Math.ceil(waitMs / 1000)} s`);
    return await pause(waitMs);
  };

  // Reads the body here, so that the request's signal covers it too.
  const fetchWhole: typeof fetch = async (url, init) => bufferAnswer(await fetch(url, init), answerBytesMax);
  const octokit = getOctokit(
    token,
    {
      baseUrl: apiUrl.replace(/\/+$/, ''),
      userAgent: 'agent-run',
      // Octokit warns about deprecated routes on the console, which the runner parses.
      request: { fetch: fetchWhole, log: { warn: () => {} } },
      // No waits by the plugin: they would ignore the deadline.
      retry: { retries: 1, retryAfterBaseValue: 0 },
      throttle: {
        retryAfterBaseValue: 0,
        fallbackSecondaryRateRetryAfter: 0,
        onRateLimit: waitForLimit,
        onSecondaryRateLimit: waitForLimit,
        // Removes the one to three seconds between writes. A step writes two or three times in all.
        write: unspaced,
        notifications: unspaced,
      },
    },
    // The first plugin is closest to the request, so it sees each attempt.
    watchAttempts,
    retry,
    throttling,
  );
  octokit.hook.error('request', (error: Failure, options) => {
    if (error instanceof GitHubError) throw error;
    // Also covers limits that plugin-throttling found in a GraphQL response.
    markLimit(error, clock.now());
    throw explainFailure(error, nameOperation(options), whyStopped());
  });
  return {
    request: octokit.request,
    graphql: octokit.graphql,
    pause: attempt => pause(backoffMs(attempt + 1, backoff)),
  };
}

interface Request {
  readonly method: string;
  readonly url: string;
}

/** This file sends only GraphQL queries, so repeating them is safe. */
function isQuestion({ method, url }: Request): boolean {
  return method === 'GET' || url.endsWith('/graphql');
}

function nameOperation({ method, url }: Request): string {
  // On GitHub Enterprise Server, octokit expands the GraphQL route to a full URL.
  return `${method} ${url.endsWith('/graphql') ? '/graphql' : url}`;
}
