/**
 * The errors for an error status and for responses that this service does not send. No message and no field contains
 * an API key.
 */
import { messageOf } from '../../base/cause.ts';
import { isObject } from '../../base/json.ts';
import { ellipsis } from '../../base/text.ts';
import { readRetryAfterMs } from '../../border/answers.ts';
import { plainLine } from '../../border/terminal-text.ts';
import type { OpenWord } from '../../contract/open-world.ts';
import type { ErrorCode } from '../../contract/tables/error-codes.ts';
import { readFeatures } from '../../contract/tables/headers.ts';
import { AgentRunsError, ApiKeyError, ConnectionError } from './errors.ts';
import { type ProblemFields, readProblem } from './problem-fields.ts';

/** What an error says without text from a body, which may contain a prompt. For log lines. */
export function headlineOf(error: unknown): string {
  if (error instanceof ApiError) {
    return `${error.method} ${error.path}: ${error.status}${spaced(error.code)}${closingId(error.requestId)}`;
  }
  if (error instanceof UnexpectedResponseError || error instanceof ConnectionError) return error.headline;
  if (error instanceof ApiKeyError) return 'the apiKey function failed';
  return messageOf(error);
}

interface ApiErrorFacts {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** The problem document, or the text of a body that is not JSON. */
  readonly body: unknown;
}

/** The server answered with an error status. */
export class ApiError extends AgentRunsError implements ProblemFields {
  override readonly name: string = 'ApiError';
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  /** A code of the error table, or of a newer server; undefined if the response has none. */
  readonly code: OpenWord<ErrorCode> | undefined;
  readonly title: string | undefined;
  readonly detail: string | undefined;
  readonly requestId: string | undefined;
  /** Whether the server says that a retry may succeed; undefined if it does not say. */
  readonly retryable: boolean | undefined;
  /** Which members of the request are wrong, and why; empty unless the request was invalid. */
  readonly issues: ProblemFields['issues'];

  constructor(facts: ApiErrorFacts) {
    const problem = readProblem(facts.body, facts.headers);
    super(describeAnswer(facts, problem));
    this.method = facts.method;
    this.path = facts.path;
    this.status = facts.status;
    this.headers = facts.headers;
    this.body = facts.body;
    this.code = problem.code;
    this.title = problem.title;
    this.detail = problem.detail;
    this.requestId = problem.requestId;
    this.retryable = problem.retryable;
    this.issues = problem.issues;
  }

  /**
   * Whether the response was not JSON. Such a response comes from something in front of the service, such as a proxy
   * or a firewall, or from a wrong address, not from the service.
   */
  get isProxyResponse(): boolean {
    // The response to a HEAD has no body, whoever sent it.
    return !isObject(this.body) && this.method !== 'HEAD' && readFeatures(this.headers).size === 0;
  }
}

/** 400: the request is invalid; `issues` says why. */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError';
}
/** 401: the key is missing, unknown or expired. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}
/** 403: the key is not allowed to do this. */
export class PermissionDeniedError extends ApiError {
  override readonly name = 'PermissionDeniedError';
}
/** 404: not found. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}
/** 409: conflicts with the current state. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}
/** 422: not supported by this server. */
export class UnprocessableEntityError extends ApiError {
  override readonly name = 'UnprocessableEntityError';
}
/** 429: too many requests. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}
/** 5xx: the service failed. */
export class InternalServerError extends ApiError {
  override readonly name = 'InternalServerError';
}

const classOfStatus: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  422: UnprocessableEntityError,
  429: RateLimitError,
};

export function createApiError(facts: ApiErrorFacts): ApiError {
  const Class = classOfStatus[facts.status] ?? (facts.status >= 500 ? InternalServerError : ApiError);
  return new Class(facts);
}

interface UnexpectedResponseFacts {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** The start of the body, as text. */
  readonly text: string;
  /** What is wrong with the response, as the end of a sentence. */
  readonly why: string;
  /** The JSON ends too early, for example because the connection broke. */
  readonly cut?: boolean;
}

/** The response is not from this service: a proxy's page, a redirect, an empty body, truncated JSON. */
export class UnexpectedResponseError extends AgentRunsError {
  override readonly name = 'UnexpectedResponseError';
  readonly status: number;
  readonly headers: Headers;
  readonly contentType: string | undefined;
  readonly requestId: string | undefined;
  /** At most 200 characters of the body. */
  readonly excerpt: string;
  /** The message without the excerpt. */
  readonly headline: string;
  readonly cut: boolean;

  constructor(facts: UnexpectedResponseFacts) {
    const contentType = facts.headers.get('content-type') ?? undefined;
    const excerpt = excerptOf(facts.text);
    const requestId = facts.headers.get('x-request-id') ?? undefined;
    const shown = excerpt === '' ? '' : `: ${JSON.stringify(excerpt)}`;
    const headline = `${facts.method} ${facts.path}: ${facts.status} ${facts.why} (${contentType ?? 'no content type'})`;
    super(`${headline}${shown}${closingId(requestId)}`);
    this.headline = headline;
    this.status = facts.status;
    this.headers = facts.headers;
    this.contentType = contentType;
    this.requestId = requestId;
    this.excerpt = excerpt;
    this.cut = facts.cut ?? false;
  }
}

/** A message has no room for more. */
const issuesMax = 100;

function describeAnswer(facts: ApiErrorFacts, problem: ProblemFields): string {
  const words = ellipsis(problem.detail ?? problem.title ?? describeBody(facts), 2000);
  // Some services repeat the issues in the detail.
  const issues = problem.issues
    .slice(0, issuesMax)
    .map(issue => `${issue.path}: ${issue.message}`)
    .filter(issue => !words.includes(issue))
    .join('; ');
  const said = words === '' ? '' : `: ${words}`;
  const faults = issues === '' ? '' : ` [${ellipsis(issues, 1000)}]`;
  const opening = `${facts.method} ${facts.path}: ${facts.status}${spaced(problem.code)}`;
  return `${opening}${said}${faults}${describeWait(facts)}${closingId(problem.requestId)}`;
}

/** Names a requested wait of more than 10 s. */
function describeWait({ headers }: ApiErrorFacts): string {
  const seconds = Math.ceil((readRetryAfterMs(name => headers.get(name), Date.now()) ?? 0) / 1000);
  return seconds > 10 && Number.isSafeInteger(seconds) ? `; the server asks to wait ${seconds} s` : '';
}

/** What a body that is not a problem document says, as far as one line can show it. */
function describeBody(facts: ApiErrorFacts): string {
  if (typeof facts.body !== 'string') return facts.body === undefined ? '' : excerptOf(JSON.stringify(facts.body));
  const excerpt = excerptOf(facts.body);
  if (excerpt === '') return '';
  return `${facts.headers.get('content-type') ?? 'no content type'} ${JSON.stringify(excerpt)}`;
}

function excerptOf(text: string): string {
  return ellipsis(plainLine(text.slice(0, 2000)).replace(/\s+/g, ' ').trim(), 200);
}

function spaced(word: string | undefined): string {
  return word === undefined ? '' : ` ${word}`;
}

function closingId(requestId: string | undefined): string {
  return requestId === undefined ? '' : ` (request id ${requestId})`;
}
