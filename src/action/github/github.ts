/**
 * GitHub's API by GitHub's toolkit, which is loaded with this file and with nothing else. Octokit's plugins repeat what failed. Whether there
 * is time for that is decided here, and the waits are here: they have a deadline and end with the step.
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

/** One attempt; GitHub itself gives up after ten seconds. */
const attemptMs = 12_000;
const maxRetries = 5;
/** Far more than an answer has that says something for us, and little for the memory of a runner. */
const answerBytesMax = 8 * 1024 * 1024;
const backoff = { baseDelayMs: 500, maxDelayMs: 8_000 };
/** Without a word of GitHub about how long a limit lasts: what its documentation asks for. */
const usualLimitMs = 60_000;
/** What a wait of no named length leaves for the request that it was for. */
const reserveMs = 5000;

/** What plugin-throttling asks of a group of requests, without its spaces between them. */
const unspaced = { key: () => ({ schedule: async () => {} }) } as unknown as NonNullable<ThrottlingOptions['write']>;

type Octokit = ReturnType<typeof getOctokit>;

export interface GitHub {
  /** Throws GitHubError. */
  readonly request: Octokit['request'];
  readonly graphql: Octokit['graphql'];
  /** A pause before something is done again that only the caller can judge; false when no time is left for it. */
  pause(attempt: number): Promise<boolean>;
}

/** How long GitHub is used for one purpose. */
export interface GitHubUse {
  /** From now until the last byte of the last answer, waits and failed attempts and all, in milliseconds. */
  readonly limitMs: number;
  /** Ends everything at once: the runner wants the step to stop. */
  readonly signal?: AbortSignal | undefined;
  /** Nothing new is begun, and waits and questions end; a write that is under way is let be, for nobody could tell whether it was done. */
  readonly hurry?: AbortSignal | undefined;
}

export interface GitHubOptions extends GitHubUse {
  readonly token: string;
  /** `https://api.github.com`, or `https://ghe.example.com/api/v3`. */
  readonly apiUrl: string;
  readonly fetch: typeof globalThis.fetch;
  /** Lines about waits, for the step's log. */
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
    // A sleep rejects with nothing but its end.
    await clock.sleep(waitMs, ends).catch(() => {});
    return !ends.aborted;
  };
  const whyStopped = (): string | undefined => {
    if (use.signal?.aborted === true) return 'the step is being stopped';
    return ends.aborted ? 'the step has ended' : undefined;
  };

  const watchAttempts = ({ hook }: Pick<Octokit, 'hook'>): void => {
    hook.after('request', (answer, options) => {
      // An answer that broke off reads as an empty text in octokit, and an empty list would make a second comment of one.
      if (answer.status === 204 || isObject(answer.data) || Array.isArray(answer.data)) return;
      throw Object.assign(new Error('the answer is not JSON or is incomplete'), { status: 500, request: options });
    });
    hook.error('request', async (error: Failure, options) => {
      markLimit(error, clock.now());
      const retryCount: number = options.request.retryCount ?? 0;
      const isRepeated =
        Number(error.status) >= 500 &&
        // An edit to the same text is the same edit. A second POST may make a second comment.
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

  // So that the signal of the request bounds the body too.
  const fetchWhole: typeof fetch = async (url, init) => bufferAnswer(await fetch(url, init), answerBytesMax);
  const octokit = getOctokit(
    token,
    {
      baseUrl: apiUrl.replace(/\/+$/, ''),
      userAgent: 'agent-run',
      // Octokit warns of deprecated routes on the console, which is the runner's channel.
      request: { fetch: fetchWhole, log: { warn: () => {} } },
      // Without waits of their own, which no deadline would end.
      retry: { retries: 1, retryAfterBaseValue: 0 },
      throttle: {
        retryAfterBaseValue: 0,
        fallbackSecondaryRateRetryAfter: 0,
        onRateLimit: waitForLimit,
        onSecondaryRateLimit: waitForLimit,
        // Without the one to three seconds between writes: a step makes two or three in all.
        write: unspaced,
        notifications: unspaced,
      },
    },
    // The first one is the closest to the request, so that it sees each attempt.
    watchAttempts,
    retry,
    throttling,
  );
  octokit.hook.error('request', (error: Failure, options) => {
    if (error instanceof GitHubError) throw error;
    // Also here, for what plugin-throttling found in an answer of GraphQL.
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

/** GraphQL is only asked here, and what is only asked may be asked again. */
function isQuestion({ method, url }: Request): boolean {
  return method === 'GET' || url.endsWith('/graphql');
}

function nameOperation({ method, url }: Request): string {
  // On a server of one's own octokit makes a whole address of GraphQL's.
  return `${method} ${url.endsWith('/graphql') ? '/graphql' : url}`;
}
