/** What is said when GitHub's API does not do what was asked: the operation, GitHub's words, and the permission that the token lacks. */
import { describeCause, findCause } from '../../base/cause.ts';
import { isObject } from '../../base/json.ts';
import { ellipsis } from '../../base/text.ts';
import { readRetryAfterMs } from '../../border/answers.ts';
import { plainLine } from '../../border/terminal-text.ts';
import { limitWords } from './rate-limit.ts';

/** What octokit and its plugins throw. */
export interface Failure extends Error {
  /** 500 also where no whole answer came. */
  readonly status?: number;
  /** Undefined when no whole answer came. */
  readonly response?:
    | {
        readonly status: number;
        readonly headers: Record<string, string | number | undefined>;
        readonly data: unknown;
      }
    | undefined;
}

export class GitHubError extends Error {
  override readonly name = 'GitHubError';
  /** Undefined when no whole answer came. */
  readonly status: number | undefined;
  /** Whether it may have been carried out all the same. */
  readonly mayBeDone: boolean;
  /** Whether GitHub said that this is not allowed or not there, for good: no limit, no fault of the network. */
  readonly isRefusal: boolean;

  constructor(
    message: string,
    facts: { readonly status?: number | undefined; readonly mayBeDone?: boolean; readonly isRefusal?: boolean },
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.status = facts.status;
    this.mayBeDone = facts.mayBeDone ?? false;
    this.isRefusal = facts.isRefusal ?? false;
  }
}

/** `stopped` is why the request was ended from outside, where it was. */
export function explainFailure(error: Failure, operation: string, stopped: string | undefined): GitHubError {
  const { response, message } = error;
  const cause = { cause: error };
  if (response === undefined) {
    const why = stopped ?? describeFault(error);
    return new GitHubError(`GitHub did not answer ${operation}: ${why}`, { mayBeDone: true }, cause);
  }
  const { data, headers } = response;
  const status = error.status ?? response.status;
  if (message === limitWords) {
    const seconds = Math.ceil((readRetryAfterMs(name => headers[name]?.toString(), Date.now()) ?? 0) / 1000);
    const wait = seconds > 0 ? ` It asks to wait ${seconds} s, which is longer than the step waits.` : '';
    return new GitHubError(`GitHub limits the rate of ${operation} (${status}).${wait}`, { status }, cause);
  }
  // Octokit's own message of a refusal holds the address; GitHub's words are in the data.
  const words = isObject(data) && typeof data.message === 'string' ? data.message : '';
  const said = words || (typeof data === 'string' ? '' : message);
  const accepted = headers['x-accepted-github-permissions']?.toString();
  const sentence = explainAnswer(operation, { status, said, accepted });
  return new GitHubError(sentence, { status, mayBeDone: status >= 500, isRefusal: status < 500 }, cause);
}

/** What went wrong below HTTP: the innermost word is the one that says it. */
function describeFault(error: unknown): string {
  const inner = findCause(error);
  return inner instanceof Error && inner.name === 'TimeoutError' ? 'no answer in time' : describeCause(inner);
}

/** `POST /repos/{owner}/{repo}/issues/{issue_number}/comments` and what it needs, where GitHub does not say it itself. */
const permissions: readonly { readonly route: RegExp; readonly needs: string }[] = [
  // Also where they are only listed: who grants reading alone meets the next refusal.
  { route: /\/comments\b/, needs: '`issues: write`, or `pull-requests: write` on a pull request' },
];

// GitHub names `metadata: read` for it, which is nothing that a workflow could grant.
const whoMayAsk =
  "the job's token can with `contents: read` under `permissions:`, any other token with access to the repository (permission Metadata)";

/** A sentence for an answer that is no success. `said` is GitHub's own message. */
function explainAnswer(
  operation: string,
  { status, said, accepted }: { readonly status: number; readonly said: string; readonly accepted: string | undefined },
): string {
  const words = ellipsis(plainLine(said).trim(), 200);
  const opening = `GitHub answered ${status} to ${operation}${words === '' ? '' : `: ${words}`}`;
  if (status === 401) return `${opening}. \`github_token\` is not valid here or has expired`;
  if (status !== 403 && status !== 404) return opening;
  if (operation.includes('/collaborators/'))
    return `${opening}. ${status === 403 ? 'The token may not read this' : 'It does not exist, or the token cannot see it'}: ${whoMayAsk}`;
  const needs = readAccepted(accepted) ?? permissions.find(({ route }) => route.test(operation))?.needs;
  if (needs === undefined) return opening;
  const where = 'grant it under `permissions:` of the job';
  return status === 403
    ? `${opening}. The token lacks a permission. This requires ${needs}: ${where}. On a pull request from a fork the token is always read-only`
    : `${opening}. It does not exist, or the token cannot see it. This requires ${needs}: ${where}`;
}

/** `issues=write; pull_requests=write` (alternatives; a comma joins what is needed together) in the words of a workflow. */
function readAccepted(header: string | undefined): string | undefined {
  const alternatives = (header ?? '')
    .split(';')
    .map(part =>
      [...part.matchAll(/([a-z_]+)=(read|write|admin)/g)].map(
        ([, name = '', level]) => `\`${name.replaceAll('_', '-')}: ${level}\``,
      ),
    )
    .filter(names => names.length > 0);
  return alternatives.length === 0 ? undefined : alternatives.map(names => names.join(' and ')).join(', or ');
}
