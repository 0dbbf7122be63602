import { isObject } from '../../base/json.ts';
import { headerNames } from '../../contract/tables/headers.ts';

export interface ApiIssue {
  readonly path: string;
  readonly message: string;
}

/** The fields of a problem document (RFC 9457), as far as the body is one. */
export interface ProblemFields {
  readonly code: string | undefined;
  readonly title: string | undefined;
  readonly detail: string | undefined;
  readonly requestId: string | undefined;
  readonly retryable: boolean | undefined;
  readonly issues: readonly ApiIssue[];
}

/** Longer addresses are not links to a page about an error. */
const addressMax = 2000;

/** Reads an error body of any shape. Missing fields are undefined. */
export function readProblem(body: unknown, headers: Headers): ProblemFields {
  const problem = isObject(body) ? body : {};
  return {
    code: readCode(problem.type),
    title: readText(problem.title),
    detail: readText(problem.detail) ?? readText(problem.error),
    requestId: headers.get(headerNames.requestId) ?? readText(problem.trace_id),
    retryable: typeof problem.retryable === 'boolean' ? problem.retryable : undefined,
    issues: readIssues(problem.issues),
  };
}

/** The last part of the address in `type`. Services write it in snake or kebab case, absolute or relative. */
function readCode(type: unknown): string | undefined {
  if (typeof type !== 'string' || type.length > addressMax || type.startsWith('about:')) return undefined;
  const last = type
    .split(/[?#]/, 1)
    .join()
    .split('/')
    .findLast(part => part !== '');
  return last !== undefined && /^[a-z][\w-]*$/i.test(last) ? last.replaceAll('-', '_') : undefined;
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function readIssues(value: unknown): ProblemFields['issues'] {
  if (!Array.isArray(value)) return [];
  return value
    .filter(isObject)
    .map(issue => ({ path: readText(issue.path) ?? '', message: readText(issue.message) ?? '' }));
}
