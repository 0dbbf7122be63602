/**
 * Every error code of the service: what a request may be answered with, and what a run may end with. One table; the server, the
 * client's types, the pages at /errors/{code} and docs/errors.md are made from it.
 */
interface ErrorCodeRow {
  readonly code: string;
  /** The HTTP status of an answer with this code; undefined where only a run ends with it. */
  readonly status: number | undefined;
  /** Whether the same request may succeed later without a change. */
  readonly retryable: boolean;
  /** The state a run gets that ends with this code; undefined where only a request is answered with it. */
  readonly endsRunAs: 'FAILED' | 'ERROR' | undefined;
  readonly title: string;
  readonly remedy: string;
}

export const errorCodes = [
  {
    code: 'invalid_request',
    status: 400,
    retryable: false,
    endsRunAs: 'FAILED',
    title: 'The request is not valid',
    remedy: 'Correct what `issues` names; each entry has the path of the member and what it takes.',
  },
  {
    code: 'authentication_required',
    status: 401,
    retryable: false,
    endsRunAs: 'ERROR',
    title: 'A valid API key is required',
    remedy:
      'Send `Authorization: Bearer KEY` with a key of this server. The answer never says whether the key is missing, unknown or expired.',
  },
  {
    code: 'not_authorized',
    status: 403,
    retryable: false,
    endsRunAs: 'FAILED',
    title: 'The caller may not do this',
    remedy: 'Open the page with the whole session_link of the run, or use a key that has the right.',
  },
  {
    code: 'resource_not_found',
    status: 404,
    retryable: false,
    endsRunAs: 'FAILED',
    title: 'There is no such thing here',
    remedy: 'Check the id, the skill or the environment that the detail names.',
  },
  {
    code: 'method_not_allowed',
    status: 405,
    retryable: false,
    endsRunAs: undefined,
    title: 'This address does not take that method',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  {
    code: 'conflict',
    status: 409,
    retryable: true,
    endsRunAs: 'FAILED',
    title: 'The request conflicts with the present state',
    remedy: 'Ask again in a moment.',
  },
  {
    code: 'payload_too_large',
    status: 413,
    retryable: false,
    endsRunAs: undefined,
    title: 'The request body is too large',
    remedy: 'Send less; the detail names the limit in bytes.',
  },
  {
    code: 'unsupported_media_type',
    status: 415,
    retryable: false,
    endsRunAs: undefined,
    title: 'The request body has another media type',
    remedy: 'Send JSON with `Content-Type: application/json`.',
  },
  {
    code: 'operation_not_supported',
    status: 422,
    retryable: false,
    endsRunAs: 'FAILED',
    title: 'This server cannot do that',
    remedy:
      'Leave out or change the member that the detail names, or use a server that can. For an idempotency key that came with another body, take a new key.',
  },
  {
    code: 'rate_limited',
    status: 429,
    retryable: true,
    endsRunAs: 'ERROR',
    title: 'Too many requests',
    remedy:
      'Wait as long as `Retry-After` says. This version of the server limits no rates and never answers with it; a proxy or another service may. A run ends with it whose model endpoint turned the agent away.',
  },
  {
    code: 'internal_error',
    status: 500,
    retryable: true,
    endsRunAs: 'ERROR',
    title: 'The server failed',
    remedy: "Look for the trace id in the server's log.",
  },
  {
    code: 'resource_unavailable',
    status: 503,
    retryable: true,
    endsRunAs: 'ERROR',
    title: 'The service cannot take it now, or lost the worker of a run',
    remedy: 'Try again. A run that ended with this may have done part of its work: look before you start it again.',
  },
  {
    code: 'environment_setup_failed',
    status: 500,
    retryable: false,
    endsRunAs: 'FAILED',
    title: 'The surroundings of the run could not be set up',
    remedy: 'Correct what the message names; the last lines of the output stand in it.',
  },
  {
    code: 'agent_failed',
    status: undefined,
    retryable: false,
    endsRunAs: 'FAILED',
    title: 'The agent ended with an error',
    remedy: 'Read the message and the log of the run: exit code and last lines stand in both.',
  },
  {
    code: 'no_result',
    status: 404,
    retryable: false,
    endsRunAs: 'FAILED',
    title: 'The run has no result',
    remedy:
      'While a run goes on, wait for its end. Where the agent ended without one, let it print something or write to the file that AGENT_RUN_RESULT names.',
  },
  {
    code: 'time_limit',
    status: undefined,
    retryable: false,
    endsRunAs: 'FAILED',
    title: 'The run reached its time limit',
    remedy: 'Give the agent less to do, or raise `limits.run_minutes` of the server.',
  },
  {
    code: 'step_limit',
    status: undefined,
    retryable: false,
    endsRunAs: 'FAILED',
    title: 'The agent reached its limit of steps',
    remedy: 'Give the agent less to do, or raise `steps` of the harness in the configuration of the server.',
  },
  {
    code: 'stalled',
    status: undefined,
    retryable: true,
    endsRunAs: 'FAILED',
    title: 'The agent stopped to work',
    remedy:
      'Nothing came from the agent for as long as the message says, and no tool of its was at work. Start the run again; where it is a slow model, raise `stall_minutes` of the harness.',
  },
  {
    code: 'result_invalid',
    status: undefined,
    retryable: false,
    endsRunAs: 'FAILED',
    title: 'The result does not satisfy its schema',
    remedy:
      'Compare the result with `config.output_schema`; the message names what is wrong with it. Ask for less, or loosen the schema.',
  },
  {
    code: 'publish_failed',
    status: undefined,
    retryable: false,
    endsRunAs: 'FAILED',
    title: 'The changes could not be published',
    remedy:
      'The agent had succeeded: its result stands on the run and its changes are the artifact `changes.patch`. Correct what the message names: the token of the host, `publish_base`, or what setup commands change.',
  },
] as const satisfies readonly ErrorCodeRow[];

/** The codes that every client of the interface knows; those of the table that are not among them are this project's own. */
export const publishedErrorCodes = [
  'insufficient_credits',
  'feature_not_available',
  'external_authentication_required',
  'not_authorized',
  'invalid_request',
  'resource_not_found',
  'budget_exceeded',
  'integration_disabled',
  'integration_not_configured',
  'operation_not_supported',
  'environment_setup_failed',
  'content_policy_violation',
  'conflict',
  'authentication_required',
  'resource_unavailable',
  'internal_error',
] as const;
export type PublishedErrorCode = (typeof publishedErrorCodes)[number];

export type ErrorCode = (typeof errorCodes)[number]['code'];
export type ErrorCodeEntry = ErrorCodeRow & { readonly code: ErrorCode };

/** The table's row of a code. */
export function errorCodeEntry(code: ErrorCode): ErrorCodeEntry {
  const row = errorCodes.find(entry => entry.code === code);
  if (row === undefined) throw new RangeError(`no row for the error code ${code}`);
  return row;
}

/** The row of a code that came from outside, or undefined. */
export function findErrorCode(code: string): ErrorCodeEntry | undefined {
  return errorCodes.find(entry => entry.code === code);
}
