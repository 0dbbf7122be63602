/**
 * GitHub's API by octokit, which is loaded with this file and with nothing else. What failed is repeated here, within a minute for all
 * that is asked of one opening: a report is not worth more of a step's time.
 */
import { Octokit } from '@octokit/core';
import { type Clock, systemClock } from '../../base/clock.ts';
import { isObject } from '../../base/json.ts';
import { explainAnswer, GitHubError } from './github-error.ts';
import { backoffMs, type Failure, isRepeatable, judgeFailure } from './retry.ts';

/** One attempt; GitHub itself gives up after ten seconds. */
const attemptMs = 12_000;
/** Without a word of GitHub about how long: what its documentation asks for. */
const usualLimitMs = 60_000;
const maxAttempts = 6;

export interface GitHub {
  /** Throws GitHubError. */
  readonly request: Octokit['request'];
  readonly graphql: Octokit['graphql'];
  /** A pause before something is done again that only the caller can judge; false when no time is left for it. */
  pause(attempt: number): Promise<boolean>;
}

export interface GitHubOptions {
  readonly token: string;
  /** `https://api.github.com`, or `https://ghe.example.com/api/v3`. */
  readonly apiUrl: string;
  readonly fetch: typeof globalThis.fetch;
  /** Lines about waits, for the step's log. */
  readonly log: (line: string) => void;
  readonly clock?: Clock;
  /** Time for failed attempts and waits, all together, in milliseconds. A minute; a step that is being cancelled has less. */
  readonly budgetMs?: number;
}

export function openGitHub({
  token,
  apiUrl,
  fetch,
  log,
  clock = systemClock,
  budgetMs = 60_000,
}: GitHubOptions): GitHub {
  const patience = createPatience({ clock, budgetMs, log });
  const octokit = new Octokit({
    auth: token,
    baseUrl: apiUrl.replace(/\/+$/, ''),
    userAgent: 'agent-run',
    request: { fetch },
    // Octokit warns of deprecated routes on the console, which is the runner's channel.
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  });
  octokit.hook.wrap('request', async (send, options) => {
    // On a server of one's own octokit makes a whole address of GraphQL's.
    const isQuery = options.url.endsWith('/graphql');
    const operation = `${options.method} ${isQuery ? '/graphql' : options.url}`;
    for (let attempt = 0; ; attempt += 1) {
      const startedMs = clock.monotonicMs();
      const signal = AbortSignal.timeout(Math.min(attemptMs, budgetMs));
      // Octokit's own hook has these same options in its hands, and takes no others.
      options.request = { ...options.request, signal };
      const outcome = await carryOut(async () => send(options));
      if ('answer' in outcome) return outcome.answer;
      patience.spend(clock.monotonicMs() - startedMs);
      // GraphQL is only asked here, and what is only asked may be asked again.
      const failure = { ...outcome.failure, method: isQuery ? 'GET' : options.method };
      if (!(await patience.waitAfter(failure, { attempt, operation }))) throw errorOf(failure, operation, clock.now());
    }
  });
  return {
    request: octokit.request,
    graphql: octokit.graphql,
    pause: attempt => patience.pause(backoffMs(attempt + 1)),
  };
}

type Lost = Omit<Failure, 'method'> & { readonly cause?: unknown };

/** One attempt. An answer that broke off reads as an empty text in octokit, and an empty list would make a second comment of one. */
async function carryOut<Answer extends { readonly status: number; readonly data: unknown }>(
  send: () => Promise<Answer>,
): Promise<{ readonly answer: Answer } | { readonly failure: Lost }> {
  try {
    const answer = await send();
    const isWhole = answer.status === 204 || isObject(answer.data) || Array.isArray(answer.data);
    if (isWhole) return { answer };
    return { failure: { status: undefined, headers: {}, message: 'the answer is no JSON, or broke off' } };
  } catch (cause) {
    const { response, message } = cause as {
      response?: { status: number; headers: Failure['headers']; data?: unknown };
      message?: string;
    };
    if (response === undefined)
      return { failure: { status: undefined, headers: {}, message: describeFault(cause), cause } };
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

interface PatienceParts {
  readonly clock: Clock;
  readonly budgetMs: number;
  readonly log: (line: string) => void;
}

function createPatience({ clock, budgetMs, log }: PatienceParts) {
  let leftMs = budgetMs;
  const pause = async (waitMs: number): Promise<boolean> => {
    if (waitMs > leftMs) return false;
    leftMs -= waitMs;
    await clock.sleep(waitMs);
    return true;
  };
  return {
    pause,
    spend(ms: number): void {
      leftMs -= ms;
    },
    /** Waits until the request can be sent again; false when it shall not be, or there is no time. */
    async waitAfter(
      failure: Failure,
      { attempt, operation }: { readonly attempt: number; readonly operation: string },
    ) {
      const judgement = judgeFailure(failure, clock.now());
      if (judgement.kind === 'final' || attempt + 1 >= maxAttempts) return false;
      if (judgement.kind === 'unknown') return isRepeatable(failure.method) && (await pause(backoffMs(attempt)));
      const waitMs = judgement.waitMs ?? Math.min(usualLimitMs, leftMs);
      if (waitMs <= 0 && judgement.waitMs === undefined) return false;
      if (waitMs <= leftMs) log(`GitHub limits the rate of ${operation}; once more in ${Math.ceil(waitMs / 1000)} s`);
      return await pause(Math.max(waitMs, 100));
    },
  };
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
        : ` It asks to wait ${Math.ceil(judgement.waitMs / 1000)} s, and the step does not wait that long.`;
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
function describeFault(error: unknown): string {
  let inner: unknown = error;
  for (let depth = 0; depth < 5 && inner instanceof Error && inner.cause !== undefined; depth += 1) inner = inner.cause;
  if (inner instanceof Error && inner.name === 'TimeoutError') return 'no answer in time';
  return inner instanceof Error ? inner.message : String(inner);
}
