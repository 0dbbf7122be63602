/** Pull requests by octokit, which is loaded when the first one is opened. */
import { isObject } from '../../base/json.ts';
import { ellipsis, headOfUtf8 } from '../../base/text.ts';
import { createRedactor } from '../../border/secrets.ts';
import { terminalText } from '../../border/terminal-text.ts';
import { type GitHost, tokenOf } from '../environments/environment.ts';
import {
  describeFault,
  describeRedirect,
  describeRefusal,
  loadOctokit,
  NoAnswer,
} from '../environments/github-request.ts';

export interface PullRequest {
  /** `owner/repo`. */
  readonly repository: string;
  readonly title: string;
  readonly body: string;
  /** The branch with the changes, and its base branch. */
  readonly head: string;
  readonly base: string;
}

/** GitHub's limit is 65,536 characters. */
const bodyBytesMax = 60_000;
const titleMax = 200;
/** A fence longer than any row of backticks in the text. */
const fenceLength = 20;

/**
 * Opens a pull request, or finds the one whose response was lost. Returns its address. Throws Error with a sentence,
 * or the signal's reason.
 */
export async function openPullRequest(
  { repository, title, body, head, base }: PullRequest,
  { host, signal }: { readonly host: GitHost; readonly signal: AbortSignal },
): Promise<string> {
  const { apiUrl } = host;
  const token = await tokenOf(host, repository, signal);
  const { redact } = createRedactor([token]);
  const { Octokit } = await loadOctokit(apiUrl);
  const { pulls } = new Octokit({ auth: token }).rest;
  const [owner = '', repo = ''] = repository.split('/');
  try {
    // Not retried: if the response was lost, the pull request is looked up.
    const request = { signal, retries: 0 };
    const made = await pulls.create({ owner, repo, title: ellipsis(title, titleMax), body, head, base, request });
    return readAddress(made.data);
  } catch (error) {
    signal.throwIfAborted();
    const refused = describeRedirect(error, apiUrl) ?? describeRefusal(error, redact);
    if (refused !== undefined) throw new Error(refused, { cause: error });
    // It is unknown whether it was opened.
    const asked = { owner, repo, head: `${owner}:${head}`, base, state: 'all', request: { signal } } as const;
    const found: unknown = await pulls.list(asked).then(
      ({ data }) => data,
      () => undefined,
    );
    signal.throwIfAborted();
    if (Array.isArray(found) && found.length > 0) return readAddress(found[0]);
    throw new Error(describeFault(error, { apiUrl, redact }), { cause: error });
  }
}

/** An agent's text, quoted in other Markdown. As code it mentions nobody, closes no issue and loads no picture. */
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

function readAddress(data: unknown): string {
  const url = isObject(data) ? data.html_url : undefined;
  if (typeof url === 'string' && /^https?:\/\/[^\s]{1,2000}$/.test(url)) return url;
  throw new NoAnswer('pull request');
}
