import { isObject } from '../base/json.ts';
import {
  ApiError,
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  UnexpectedResponseError,
} from '../client/index.ts';
import { UsageError } from './arguments.ts';
import type { ExitCode } from './command-table.ts';
import { messageOf } from './shell.ts';

/** What a command that failed says and exits with. */
export interface Failure {
  readonly code: ExitCode;
  readonly sentence: string;
}

/** Statuses by which the server says that the request itself is wrong. */
const refusals: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/** The class decides, never the text. */
export function explainFailure(error: unknown): Failure {
  const message = messageOf(error);
  if (error instanceof UsageError) return { code: 2, sentence: message };
  if (error instanceof ConfigurationError) return { code: 2, sentence: nameFlags(message) };
  if (error instanceof AuthenticationError)
    return { code: 3, sentence: `the server does not accept the API key: ${message}` };
  if (error instanceof PermissionDeniedError)
    return { code: 3, sentence: `the API key does not allow this: ${message}` };
  if (error instanceof ConnectionError) return { code: 3, sentence: `the server cannot be reached: ${message}` };
  if (error instanceof UnexpectedResponseError || isOfAnotherService(error))
    return { code: 3, sentence: `there is no agent-run server at this address: ${message}` };
  if (error instanceof InternalServerError || error instanceof RateLimitError)
    return { code: 3, sentence: `the server does not carry it out now: ${message}` };
  if (error instanceof ApiError && refusals.has(error.status))
    return { code: 2, sentence: `the server refuses the request: ${message}` };
  return { code: 1, sentence: message };
}

/** A 404 without a document is that of a proxy or of another program. */
function isOfAnotherService(error: unknown): boolean {
  return error instanceof NotFoundError && !isObject(error.body);
}

/** The client names its options; here they are flags. */
function nameFlags(message: string): string {
  return message
    .replaceAll('the option baseUrl', '--base-url')
    .replaceAll('the option apiKey', '--api-key')
    .replaceAll('set allowHttp', 'give --allow-http');
}
