/** Explains failures of GitHub's API: the operation, GitHub's message, and the missing permission. */
import { describeCause, findCause } from '../../base/cause.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { ellipsis } from '../../base/text.ts';
import { readRetryAfterMs } from '../../border/answers.ts';
import { plainLine } from '../../border/terminal-text.ts';
import { limitWords } from './rate-limit.ts';

export interface Failure extends Error {
  /** Also 500 for an incomplete response. */
  readonly status?: number;
  /** Undefined without a complete response. */
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
  /** Undefined without a complete response. */
  readonly status: number | undefined;
  /** True if the request may have been carried out in spite of the error. */
  readonly mayBeDone: boolean;
  /**
   * True if GitHub permanently refuses the request or does not know the target. False for limits and network faults.
   */
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

/** `stopped` is the reason if the request was aborted from outside. */
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
  // Octokit's message contains the URL. GitHub's own message is in the data.
  const words =
    isObject(data) && typeof data.message === 'string' ? [data.message, ...listReasons(data)].join(': ') : '';
  const said = words || (typeof data === 'string' ? '' : message);
  const accepted = headers['x-accepted-github-permissions']?.toString();
  const sentence = explainAnswer(operation, { status, said, accepted });
  return new GitHubError(sentence, { status, mayBeDone: status >= 500, isRefusal: status < 500 }, cause);
}

/** What is wrong with an unprocessable request, as sentences or objects with one. */
function listReasons({ errors }: JsonObject): readonly string[] {
  const reasons: readonly unknown[] = Array.isArray(errors) ? errors : [];
  return reasons
    .map(reason => (isObject(reason) ? reason.message : reason))
    .filter(reason => typeof reason === 'string');
}

/** For faults below HTTP, the innermost message is the specific one. */
function describeFault(error: unknown): string {
  const inner = findCause(error);
  return inner instanceof Error && inner.name === 'TimeoutError' ? 'no answer in time' : describeCause(inner);
}

const permissions: readonly { readonly route: RegExp; readonly needs: string }[] = [
  // Also for reading: a token that can only read fails at the next request.
  { route: /\/pulls\//, needs: '`pull-requests: write`' },
  { route: /\/comments\b/, needs: '`issues: write`, or `pull-requests: write` on a pull request' },
];

// GitHub names `metadata: read`, which a workflow cannot grant.
const whoMayAsk =
  "the job's token can with `contents: read` under `permissions:`, any other token with access to the repository (permission Metadata)";

/** Explains an unsuccessful response. `said` is GitHub's own message. */
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

/**
 * Rewrites `issues=write; pull_requests=write` for a workflow. Semicolons separate alternatives. Commas join
 * permissions that are needed together.
 */
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
