/** Pull requests by octokit, which is loaded when the first one is opened. */
import { describeCause, findCause } from '../../base/cause.ts';
import { isObject } from '../../base/json.ts';
import { findRedirect, refuseRedirect } from '../../base/redirect.ts';
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
const noPullRequest = 'answered with no pull request';
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
    request: { fetch: fetchHere },
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
    const refused = describeRedirect(error, apiUrl) ?? describeRefusal(error, token);
    if (refused !== undefined) throw new Error(hide(refused, token), { cause: error });
    // Nobody knows whether it was opened.
    const found = await ask('GET /repos/{owner}/{repo}/pulls', { head: `${owner}:${head}`, base, state: 'all' }).catch(
      () => undefined,
    );
    signal.throwIfAborted();
    if (Array.isArray(found) && found.length > 0) return readAddress(found[0]);
    throw new Error(`${apiUrl} ${hide(describeFault(error, token), token)}`, { cause: error });
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
  const cut = shown.length < whole.length ? '\n\nThe result is longer. See the run for more.' : '';
  const fence = '`'.repeat(fenceLength);
  const text = shown === '' ? 'The agent did not describe its changes.' : `${fence}text\n${shown}\n${fence}`;
  return `${text}${cut}\n\nMade by the run [${runId}](${pageUrl}).\n`;
}

/** A redirect would take the request, token and all, elsewhere. */
async function fetchHere(url: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(url, { ...init, redirect: 'manual' });
  await refuseRedirect(answer, 'and the token is not sent to another address; set `api_url` to the final address');
  return answer;
}

function readAddress(data: unknown): string {
  const url = isObject(data) ? data.html_url : undefined;
  if (typeof url === 'string' && /^https?:\/\/[^\s]{1,2000}$/.test(url)) return url;
  throw new Error(noPullRequest);
}

function describeRedirect(error: unknown, apiUrl: string): string | undefined {
  return findRedirect(error)?.message.replace(/^it/, apiUrl);
}

/** What the host says that it does not want; undefined where it did not say anything. */
function describeRefusal(error: unknown, token: string): string | undefined {
  const answer = readAnswer(error, token);
  if (answer === undefined || answer.status >= 500) return undefined;
  const isForbidden = answer.status === 403 && /not accessible by/.test(answer.said);
  return `the host answered ${answer.status}${answer.said}${isForbidden ? '; the token needs `pull-requests: write`' : ''}`;
}

function readAnswer(error: unknown, token: string): { readonly status: number; readonly said: string } | undefined {
  if (!isObject(error) || !isObject(error.response) || typeof error.status !== 'number') return undefined;
  // Of a page of whatever stands in between the status says all.
  const { message, errors } = isObject(error.response.data) ? error.response.data : {};
  const more = Array.isArray(errors) ? errors.map(describeDetail) : [];
  // Before it is cut, which would leave a part of the token.
  const said = hide([message, ...more].filter(text => typeof text === 'string' && text !== '').join('; '), token);
  return { status: error.status, said: said === '' ? '' : `: ${ellipsis(said.replace(/\s+/g, ' '), 400)}` };
}

/** GitHub has words for some faults, and for others a field with a code: `{resource: "PullRequest", field: "base", code: "invalid"}`. */
function describeDetail(fault: unknown): string | undefined {
  if (typeof fault === 'string') return fault;
  if (!isObject(fault)) return undefined;
  if (typeof fault.message === 'string') return fault.message;
  return [fault.field, fault.code].filter(text => typeof text === 'string').join(': ');
}

function describeFault(error: unknown, token: string): string {
  const answer = readAnswer(error, token);
  if (answer !== undefined) return `answered ${answer.status}${answer.said}`;
  const inner = findCause(error);
  const why = describeCause(inner);
  if (why === noPullRequest) return why;
  return `did not answer: ${inner instanceof Error && inner.name === 'TimeoutError' ? 'no answer in time' : why}`;
}

function hide(text: string, token: string): string {
  return text.replaceAll(token, '***');
}
