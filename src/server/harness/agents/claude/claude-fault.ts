import type { JsonObject } from '../../../../base/json.ts';
import { type AgentFault, type FaultKind, faultOfStatus } from '../agent-fault.ts';
import { readText } from '../event-parts.ts';

/** By `subtype`, `terminal_reason`, `stop_reason`, and `api_error` of a result, in this order. */
const words: Readonly<Record<string, FaultKind>> = {
  error_max_turns: 'step_limit',
  max_turns: 'step_limit',
  prompt_too_long: 'context_length',
  refusal: 'refusal',
  max_output_tokens: 'output_limit',
  connection_failed: 'network',
};

/** By `error` of Claude Code's message about a failed request, if the status is unknown. */
const errors: Readonly<Record<string, FaultKind>> = {
  authentication_failed: 'auth',
  billing_error: 'rate_limit',
  rate_limit: 'rate_limit',
  model_not_found: 'model_not_found',
  invalid_request: 'bad_request',
  max_output_tokens: 'output_limit',
  server_error: 'provider',
};

/** Why a result is not a success. `apiError` is `error` of its last message about a failed request. */
export function explainClaudeResult(result: JsonObject, apiError: string | undefined): AgentFault {
  const { subtype, terminal_reason, stop_reason, api_error, api_error_status: status } = result;
  const word = [subtype, terminal_reason, stop_reason, api_error]
    .map(readText)
    .find(name => Object.hasOwn(words, name));
  const httpStatus = typeof status === 'number' ? status : undefined;
  return { fault: findFault(word, httpStatus, apiError), httpStatus, message: describe(result) };
}

function findFault(word: string | undefined, status: number | undefined, apiError: string | undefined): FaultKind {
  const named = word === undefined ? undefined : words[word];
  if (named !== undefined) return named;
  // An unpaid bill comes with the status of a bad request.
  if (apiError === 'billing_error') return 'rate_limit';
  if (status !== undefined) return faultOfStatus(status);
  return (apiError !== undefined && errors[apiError]) || 'harness';
}

function describe({ result, errors: list, terminal_reason: reason }: JsonObject): string {
  const said = readText(result).replace(/^API Error: /, '');
  if (said !== '') return said;
  const texts = Array.isArray(list) ? list.map(readText).filter(text => text !== '') : [];
  return texts.length > 0 ? texts.join('; ') : readText(reason);
}
