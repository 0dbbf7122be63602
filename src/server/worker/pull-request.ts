/** Pull requests by octokit, which is loaded when the first one is opened. */
import { isObject } from '../../base/json.ts';
import { terminalText } from '../../base/terminal-text.ts';
import { ellipsis, headOfUtf8 } from '../../base/text.ts';
import type { GitHost } from '../environments/environment.ts';

export interface PullRequest {
  /** `owner/repo`. */
  readonly repository: string;
  readonly title: string;
  readonly body: string;
  /** The branch with the changes, and the one that they are for. */
  readonly head: string;
  readonly base: string;
}

/** One question to the API, in ms. GitHub itself gives up after ten seconds. */
const answerMs = 15_000;

/** GitHub takes 65,536 characters. */
const bodyBytesMax = 60_000;
const titleMax = 200;
/** Longer than any row of backticks in what it holds. */
const fenceLength = 20;

/** Opens it, or finds that it was opened when the answer got lost; its address. Throws Error with a sentence, or the signal's reason. */
export async function openPullRequest(
  { repository, title, body, head, base }: PullRequest,
  { host: { token, apiUrl }, signal }: { readonly host: GitHost; readonly signal: AbortSignal },
): Promise<string> {
  const { Octokit } = await import('@octokit/core');
  const octokit = new Octokit({
    auth: token,
    baseUrl: apiUrl,
    userAgent: 'agent-run',
    // A redirect would take the request, token and all, elsewhere.
    request: { fetch: (url: string, init: RequestInit) => fetch(url, { ...init, redirect: 'error' }) },
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  });
  const [owner = '', repo = ''] = repository.split('/');
  const ask = async (route: string, more: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const request = { signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]) };
    const answer = await octokit.request(route, { owner, repo, ...more, request });
    return answer.data;
  };
  try {
    const made = { title: ellipsis(title, titleMax), body, head, base };
    return readAddress(await ask('POST /repos/{owner}/{repo}/pulls', made));
  } catch (error) {
    signal.throwIfAborted();
    const refused = describeRefusal(error, token);
    if (refused !== undefined) throw new Error(refused, { cause: error });
    // Nobody knows whether it was opened.
    const found = await ask('GET /repos/{owner}/{repo}/pulls', { head: `${owner}:${head}`, base, state: 'all' }).catch(
      () => undefined,
    );
    signal.throwIfAborted();
    if (Array.isArray(found) && found.length > 0) return readAddress(found[0]);
    throw new Error(`${apiUrl} did not answer: ${hide(describeFault(error), token)}`, { cause: error });
  }
}

/** A text of an agent in Markdown of others: as code it mentions nobody, closes no issue and loads no picture. */
export function printPullRequestBody(
  result: string,
  { runId, pageUrl }: { readonly runId: string; readonly pageUrl: string },
): string {
  const whole = terminalText(result)
    .trim()
    .replace(/`{20,}/g, '`'.repeat(fenceLength - 1));
  const shown = headOfUtf8(whole, bodyBytesMax);
  const cut = shown.length < whole.length ? '\n\nThe result is longer; the run has more of it.' : '';
  const fence = '`'.repeat(fenceLength);
  const text = shown === '' ? 'The agent said nothing of its changes.' : `${fence}text\n${shown}\n${fence}`;
  return `${text}${cut}\n\nMade by the run [${runId}](${pageUrl}).\n`;
}

function readAddress(data: unknown): string {
  const url = isObject(data) ? data.html_url : undefined;
  if (typeof url === 'string' && /^https?:\/\/[^\s]{1,2000}$/.test(url)) return url;
  throw new Error('the answer names no pull request');
}

/** What the host says that it does not want; undefined where it did not say anything. */
function describeRefusal(error: unknown, token: string): string | undefined {
  if (!isObject(error) || !isObject(error.response) || typeof error.status !== 'number' || error.status >= 500)
    return undefined;
  const { data } = error.response;
  const { message, errors } = isObject(data) ? data : {};
  const more = Array.isArray(errors)
    ? errors.flatMap(fault => (isObject(fault) && typeof fault.message === 'string' ? [fault.message] : []))
    : [];
  const said = hide([...(typeof message === 'string' ? [message] : []), ...more].join('; '), token);
  return `the host answered ${error.status}${said === '' ? '' : `: ${ellipsis(said.replace(/\s+/g, ' '), 400)}`}`;
}

function describeFault(error: unknown): string {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error && inner.cause !== undefined; depth += 1) inner = inner.cause;
  return inner instanceof Error ? (inner.name === 'TimeoutError' ? 'no answer in time' : inner.message) : String(inner);
}

function hide(text: string, token: string): string {
  return text.replaceAll(token, '***');
}
