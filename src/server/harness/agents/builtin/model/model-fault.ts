/** Meaning of errors of the model's endpoint, and whether a retry may help. */
import { APICallError } from 'ai';
import { describeParts } from '../../../../../base/cause.ts';
import { RedirectError, readRetryAfterMs } from '../../../../../border/answers.ts';
import { type AgentFault, faultOfStatus, faultOfWords, type Wordings } from '../../agent-fault.ts';
import { SilenceError } from './watched-fetch.ts';

export interface ModelFault extends AgentFault {
  readonly isRetryable: boolean;
  /** The delay that the endpoint asks for. */
  readonly retryAfterMs?: number | undefined;
}

/** The quota is used up, so a retry in seconds does not help. */
const usedUp = /insufficient_quota|exceeded your current quota|billing|credit balance/i;
/** Messages of providers, for when the status is not enough. The first match counts. */
const words: Wordings = [
  [usedUp, 'rate_limit'],
  [
    /context[_ -]?(length|window|size)|maximum (context|prompt)|prompt is too long|(prompt|input|request)[^.]{0,40}\btoo (long|large|many tokens)|too many (input |prompt )?tokens|token count[^.]{0,60}exceed|exceed[^.]{0,60}\btokens?\b|reduce the length/i,
    'context_length',
  ],
  [/api[_ ]?key (is )?(not valid|invalid)|(invalid|incorrect)[_ ](x-)?api[_ -]?key|invalid authentication/i, 'auth'],
  [
    /model[_ ]not[_ ]found|model\b[^.]{0,80}\b(not found|does not exist|is not supported)|(unknown|invalid|no such) model\b/i,
    'model_not_found',
  ],
];

/** Reads any error that the SDK throws or streams. */
export function readModelFault(error: unknown, nowMs: number): ModelFault {
  if (error instanceof SilenceError)
    return { fault: 'network', message: `the endpoint fell silent: ${error.message}`, isRetryable: true };
  if (error instanceof RedirectError) return { fault: 'network', message: error.message, isRetryable: false };
  // The answer began well, so the status does not describe the error.
  if (APICallError.isInstance(error) && (error.statusCode ?? 500) < 300)
    return readModelFault(error.cause ?? error.message, nowMs);
  const { statusCode: status, message, detail, headers } = describe(error);
  if (status === undefined) {
    const fault = APICallError.isInstance(error) || isBroken(error) ? 'network' : 'provider';
    const told = faultOfWords(words, message, detail);
    return told === undefined ? { fault, message, isRetryable: true } : { fault: told, message, isRetryable: false };
  }
  const byStatus = faultOfStatus(status);
  const isOpen = byStatus === 'bad_request' || byStatus === 'provider';
  const fault = (isOpen ? faultOfWords(words, message, detail) : undefined) ?? byStatus;
  const isRetryable =
    fault === 'provider' ||
    (fault === 'rate_limit' && !usedUp.test(`${message} ${detail}`)) ||
    status === 409 ||
    status === 425;
  return {
    fault,
    httpStatus: status,
    message,
    isRetryable,
    retryAfterMs: readRetryAfterMs(name => headers[name], nowMs),
  };
}

interface Description {
  readonly statusCode: number | undefined;
  readonly message: string;
  /** Cause that the message does not contain. */
  readonly detail: string;
  readonly headers: Readonly<Record<string, string>>;
}

function describe(error: unknown): Description {
  if (APICallError.isInstance(error)) {
    const { statusCode, responseBody = '', responseHeaders = {} } = error;
    const message = `${error.message}${describeParts(error.cause) ?? ''}`;
    // For a body without a message in the SDK's shape, such as an HTML page of a proxy, only the status text is left.
    return { statusCode, message, detail: responseBody.slice(0, 4000), headers: responseHeaders };
  }
  if (!(error instanceof Error)) {
    const text = typeof error === 'string' ? error : (JSON.stringify(error) ?? 'an unknown error');
    return { statusCode: undefined, message: text.slice(0, 1000), detail: '', headers: {} };
  }
  // An error in the stream has a message if its shape is known.
  const { statusCode, type, code } = error as Error & Readonly<Record<'statusCode' | 'type' | 'code', unknown>>;
  return {
    statusCode: typeof statusCode === 'number' ? statusCode : undefined,
    message: error.message === 'terminated' ? 'the connection broke in the middle of an answer' : error.message,
    detail: [type, code].filter(part => typeof part === 'string').join(' '),
    headers: {},
  };
}

/** The connection ended within the body of an answer. */
function isBroken(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    (error instanceof Error && 'code' in error && /^(E[A-Z]+|UND_ERR_)/.test(String(error.code)))
  );
}
