/**
 * Every error code of the service, for responses and for runs. The server, the client's types, the pages at
 * /errors/{code} and docs/errors.md use this table.
 */
interface ErrorCodeRow {
  readonly code: string;
  /** The HTTP status of a response with this code; undefined for codes that only end runs. */
  readonly status: number | undefined;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The final state of a run with this code; undefined for codes that only answer requests. */
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
    title: 'Invalid request',
    remedy: 'Fix the members listed in `issues`. For a run, fix what its message names.',
  },
  {
    code: 'authentication_required',
    status: 401,
    retryable: false,
    endsRunAs: 'ERROR',
    title: 'Authentication required',
    remedy:
      "Send `Authorization: Bearer KEY` with a key of this server. If a run ended with this code, its model endpoint refused the server's key: see the message of the run.",
  },
  {
    code: 'not_authorized',
    status: 403,
    retryable: false,
    endsRunAs: 'FAILED',
    title: 'Not allowed',
    remedy: 'Open the page with the complete `session_link` of the run, or use a key that allows this.',
  },
  {
    code: 'resource_not_found',
    status: 404,
    retryable: false,
    endsRunAs: 'FAILED',
    title: 'Not found',
    remedy: "Check the id, skill, model or environment named in `detail` or in the run's message.",
  },
  {
    code: 'method_not_allowed',
    status: 405,
    retryable: false,
    endsRunAs: undefined,
    title: 'Method not allowed',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  {
    code: 'conflict',
    status: 409,
    retryable: true,
    endsRunAs: 'FAILED',
    title: 'Conflict with the current state',
    remedy: 'Try again in a moment.',
  },
  {
    code: 'payload_too_large',
    status: 413,
    retryable: false,
    endsRunAs: undefined,
    title: 'Request body too large',
    remedy: 'Send a smaller body. `detail` gives the limit in bytes.',
  },
  {
    code: 'unsupported_media_type',
    status: 415,
    retryable: false,
    endsRunAs: undefined,
    title: 'Unsupported media type',
    remedy: 'Send JSON with `Content-Type: application/json`.',
  },
  {
    code: 'operation_not_supported',
    status: 422,
    retryable: false,
    endsRunAs: 'FAILED',
    title: 'Not supported by this server',
    remedy:
      "Remove or change what `detail` or the run's message names. If you used the idempotency key before with a different body, use a new key.",
  },
  {
    code: 'rate_limited',
    status: 429,
    retryable: true,
    endsRunAs: 'ERROR',
    title: 'Too many requests',
    remedy:
      'Wait as long as `Retry-After` says. A run ends with this code when its model endpoint refuses further requests.',
  },
  {
    code: 'internal_error',
    status: 500,
    retryable: true,
    endsRunAs: 'ERROR',
    title: 'Internal server error',
    remedy: "Look up the trace id in the server's log.",
  },
  {
    code: 'resource_unavailable',
    status: 503,
    retryable: true,
    endsRunAs: 'ERROR',
    title: 'Temporarily unavailable',
    remedy: 'Try again. A run that ended with this code may have done part of its work: check first.',
  },
  {
    code: 'environment_setup_failed',
    status: 500,
    retryable: false,
    endsRunAs: 'FAILED',
    title: 'Environment setup failed',
    remedy: 'Fix the problem named in the message.',
  },
  {
    code: 'agent_failed',
    status: undefined,
    retryable: false,
    endsRunAs: 'FAILED',
    title: 'The agent failed',
    remedy: 'Read the message and the log of the run.',
  },
  {
    code: 'no_result',
    status: 404,
    retryable: false,
    endsRunAs: 'FAILED',
    title: 'No result',
    remedy:
      'If the run has not ended, wait for it. Otherwise make the agent print an answer or write one to the file that AGENT_RUN_RESULT names.',
  },
  {
    code: 'time_limit',
    status: undefined,
    retryable: false,
    endsRunAs: 'FAILED',
    title: 'Time limit reached',
    remedy: 'Give the agent a smaller task, or raise `limits.run_minutes` on the server.',
  },
  {
    code: 'step_limit',
    status: undefined,
    retryable: false,
    endsRunAs: 'FAILED',
    title: 'Step limit reached',
    remedy: 'Give the agent a smaller task, or raise `steps` for the harness.',
  },
  {
    code: 'stalled',
    status: undefined,
    retryable: true,
    endsRunAs: 'FAILED',
    title: 'The agent stalled',
    remedy:
      'The agent produced no output and ran no tool. Start the run again. If the model is slow, raise `stall_minutes` for the harness.',
  },
  {
    code: 'result_invalid',
    status: undefined,
    retryable: false,
    endsRunAs: 'FAILED',
    title: 'The result does not match its schema',
    remedy: 'The message says what does not match. Ask for less, or relax the schema.',
  },
  {
    code: 'publish_failed',
    status: undefined,
    retryable: false,
    endsRunAs: 'FAILED',
    title: 'Publishing the changes failed',
    remedy:
      'The agent succeeded: the run has its result and the artifact `changes.patch`. Fix the problem named in the message.',
  },
] as const satisfies readonly ErrorCodeRow[];

/** The codes that every client of the interface knows. All others are this project's own. */
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

export function errorCodeEntry(code: ErrorCode): ErrorCodeEntry {
  const row = errorCodes.find(entry => entry.code === code);
  if (row === undefined) throw new RangeError(`unknown error code ${code}`);
  return row;
}

/** The row of a code from outside; undefined if it is unknown. */
export function findErrorCode(code: string): ErrorCodeEntry | undefined {
  return errorCodes.find(entry => entry.code === code);
}
