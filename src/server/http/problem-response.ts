import type { Context } from 'hono';
import { ellipsis } from '../../base/text.ts';
import type { Problem } from '../../contract/problem.ts';
import { type ErrorCode, errorCodeEntry } from '../../contract/tables/error-codes.ts';
import { headerNames } from '../../contract/tables/headers.ts';
import type { HttpEnv } from './app.ts';

type Issues = NonNullable<Problem['issues']>;

/** Limits on request text repeated in an answer. */
const longest = { detail: 8000, path: 200, message: 500 };

/** Thrown anywhere in a request; becomes a problem document. `detail` is for people and never contains a key. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly code: ErrorCode;
  readonly issues: Issues | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    detail: string,
    more: { readonly issues?: Issues; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(ellipsis(detail, longest.detail));
    this.code = code;
    this.issues = more.issues;
    this.headers = more.headers ?? {};
  }
}

/** Lists the first faults of a request, also in the detail, because many clients show only that. */
export function invalidRequest(first: Issues, count = first.length): RequestError {
  const issues = first.map(({ path, message }) => ({
    path: ellipsis(path, longest.path),
    message: ellipsis(message, longest.message),
  }));
  const listed = issues.map(({ path, message }) => `${path}: ${message}`);
  if (count > issues.length) listed.push(`and ${count - issues.length} more`);
  return new RequestError('invalid_request', listed.join('; '), { issues });
}

/** Answers with `application/problem+json` (RFC 9457) and the members that the published clients expect. */
export function answerProblem(c: Context<HttpEnv>, error: RequestError): Response {
  const row = errorCodeEntry(error.code);
  const status = row.status ?? 500;
  const problem: Problem = {
    type: `${c.get('publicUrl')}/errors/${row.code}`,
    title: row.title,
    status,
    detail: error.message,
    instance: new URL(c.req.url).pathname,
    error: `${row.title} (${error.message})`,
    retryable: row.retryable,
    trace_id: c.get('requestId'),
    ...(error.issues === undefined ? {} : { issues: error.issues }),
  };
  const headers = new Headers(error.headers);
  headers.set('Content-Type', 'application/problem+json');
  // Published clients retry every 409 and 5xx by status. This header stops useless retries.
  if (!row.retryable && status >= 409) headers.set(headerNames.shouldRetry, 'false');
  for (const [name, value] of headers) c.header(name, value);
  return c.body(JSON.stringify(problem), status as 400);
}
