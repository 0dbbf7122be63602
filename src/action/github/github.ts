/**
 * GitHub's API by octokit, which is loaded with this file and with nothing else. What failed is repeated here, and all of it has a deadline:
 * a report is not worth more of a step's time, and neither is an answer that never ends.
 */
import { Octokit } from '@octokit/core';
import { describeCause, findCause } from '../../base/cause.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { isObject } from '../../base/json.ts';
import { backoffMs } from '../../base/retry.ts';
import { AnswerTooBigError, boundAnswers } from './bounded-fetch.ts';
import { explainAnswer, GitHubError } from './github-error.ts';
import { createPatience } from './patience.ts';
import { type Failure, gitHubBackoff, judgeFailure } from './retry.ts';

/** One attempt; GitHub itself gives up after ten seconds. */
const attemptMs = 12_000;

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
  const patience = createPatience({ clock, log, ...use });
  const octokit = new Octokit({
    auth: token,
    baseUrl: apiUrl.replace(/\/+$/, ''),
    userAgent: 'agent-run',
    request: { fetch: boundAnswers(fetch) },
    // Octokit warns of deprecated routes on the console, which is the runner's channel.
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  });
  octokit.hook.wrap('request', async (send, options) => {
    // On a server of one's own octokit makes a whole address of GraphQL's.
    const isQuery = options.url.endsWith('/graphql');
    const operation = `${options.method} ${isQuery ? '/graphql' : options.url}`;
    // GraphQL is only asked here, and what is only asked may be asked again.
    const method = isQuery ? 'GET' : options.method;
    for (let attempt = 0; ; attempt += 1) {
      const over = patience.whyOver();
      if (over !== undefined) throw new GitHubError(`${operation} was not sent to GitHub: ${over}`, {});
      const ends = [AbortSignal.timeout(Math.ceil(Math.min(attemptMs, patience.leftMs()))), use.signal];
      if (method === 'GET') ends.push(use.hurry);
      // Octokit's own hook has these same options in its hands, and takes no others.
      options.request = { ...options.request, signal: AbortSignal.any(ends.filter(end => end !== undefined)) };
      const outcome = await carryOut(async () => send(options));
      if ('answer' in outcome) return outcome.answer;
      const failure = { ...outcome.failure, method, message: patience.whyStopped() ?? outcome.failure.message };
      if (!(await patience.waitAfter(failure, { attempt, operation }))) throw errorOf(failure, operation, clock.now());
    }
  });
  return {
    request: octokit.request,
    graphql: octokit.graphql,
    pause: attempt => patience.pause(backoffMs(attempt + 1, gitHubBackoff)),
  };
}

interface Lost extends Omit<Failure, 'method'> {
  readonly cause?: unknown;
  /** Whether the same question gets the same useless answer. */
  readonly isHopeless?: boolean;
}

/** One attempt. An answer that broke off reads as an empty text in octokit, and an empty list would make a second comment of one. */
async function carryOut<Answer extends { readonly status: number; readonly data: unknown }>(
  send: () => Promise<Answer>,
): Promise<{ readonly answer: Answer } | { readonly failure: Lost }> {
  try {
    const answer = await send();
    const isWhole = answer.status === 204 || isObject(answer.data) || Array.isArray(answer.data);
    if (isWhole) return { answer };
    return { failure: { status: undefined, headers: {}, message: 'the answer is not JSON or is incomplete' } };
  } catch (cause) {
    const { response, message } = cause as {
      response?: { status: number; headers: Failure['headers']; data?: unknown };
      message?: string;
    };
    if (response === undefined) return { failure: { status: undefined, headers: {}, ...describeFault(cause), cause } };
    // Octokit's own message of a refusal holds the address; GitHub's words are in the data.
    const said = isObject(response.data) && typeof response.data.message === 'string' ? response.data.message : '';
    return {
      failure: {
        status: response.status,
        headers: response.headers,
        message: said || (typeof response.data === 'string' ? '' : (message ?? '')),
        cause,
      },
    };
  }
}

function errorOf(failure: Failure & { readonly cause?: unknown }, operation: string, now: number): GitHubError {
  const { status, headers, message, cause } = failure;
  const judgement = judgeFailure(failure, now);
  const facts = { status, mayBeDone: judgement.kind === 'unknown', isRefusal: judgement.kind === 'final' };
  if (status === undefined) return new GitHubError(`GitHub did not answer ${operation}: ${message}`, facts, { cause });
  if (judgement.kind === 'limited') {
    const wait =
      judgement.waitMs === undefined
        ? ''
        : ` It asks to wait ${Math.ceil(judgement.waitMs / 1000)} s, which is longer than the step waits.`;
    return new GitHubError(`GitHub limits the rate of ${operation} (${status}).${wait}`, facts, { cause });
  }
  const accepted = headers['x-accepted-github-permissions'];
  const sentence = explainAnswer(operation, {
    status,
    said: message,
    accepted: accepted === undefined ? undefined : String(accepted),
  });
  return new GitHubError(sentence, facts, { cause });
}

/** What went wrong below HTTP: the innermost word is the one that says it. */
function describeFault(error: unknown): Pick<Lost, 'message' | 'isHopeless'> {
  const inner = findCause(error);
  const isHopeless = inner instanceof AnswerTooBigError;
  if (inner instanceof Error && inner.name === 'TimeoutError') return { message: 'no answer in time', isHopeless };
  return { message: describeCause(inner), isHopeless };
}
