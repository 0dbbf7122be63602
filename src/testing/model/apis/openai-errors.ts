import type { JsonObject } from '../../../base/json.ts';
import type { WireError } from './wire-api.ts';

/** Type and code of OpenAI's errors, by status. */
const kinds: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
  401: ['invalid_request_error', 'invalid_api_key'],
  403: ['invalid_request_error', 'permission_denied'],
  404: ['invalid_request_error', 'model_not_found'],
  429: ['requests', 'rate_limit_exceeded'],
};

export function writeOpenAiError({ status, message, code }: WireError): JsonObject {
  const [type, usualCode] = kinds[status] ?? (status < 500 ? ['invalid_request_error', null] : ['server_error', null]);
  return { error: { message, type, param: null, code: code ?? usualCode } };
}
