import { isObject, type JsonObject } from '../../../../base/json.ts';
import type { AgentExit } from '../adapter.ts';
import { type AgentFault, faultOfStatus, faultOfWords, type Wordings } from '../agent-fault.ts';

/** Messages that say more than a status. */
const wordings: Wordings = [
  [/max session turns|maximum session turns/i, 'step_limit'],
  [/API_KEY_INVALID|API key not valid/, 'auth'],
  [/input token count .*exceeds|context_length_exceeded|prompt is too long/i, 'context_length'],
  [/response was blocked/, 'refusal'],
  [/exceeded the token limit/, 'output_limit'],
  [/empty response|no final response text/, 'no_result'],
  [/^(terminated|.*fetch failed.*)$|ECONN|ENOTFOUND|EAI_AGAIN|socket hang up|incomplete json/i, 'network'],
  [/ended without a finish reason/, 'provider'],
];

/**
 * Why the program failed: from the `error` of its result or an earlier complaint, otherwise from the status of the
 * answer.
 */
export function explainGeminiEnd(
  error: unknown,
  complaint: string | undefined,
  { exitCode, outputTail }: AgentExit,
): AgentFault {
  const told = isObject(error) && typeof error.message === 'string' ? error.message : (complaint ?? '');
  const answer = readAnswer(told);
  const kind = faultOfWords(wordings, told, answer.message);
  const httpStatus = answer.status ?? findStatus(exitCode, outputTail);
  const fault = kind ?? (httpStatus === undefined ? 'harness' : faultOfStatus(httpStatus));
  return { fault, httpStatus, message: answer.message };
}

/** The endpoint's message: `[API Error: …]` around a text, or around the JSON that came. */
function readAnswer(told: string): { readonly status: number | undefined; readonly message: string } {
  const inner = /^\[API Error: (.*)\]/s.exec(told)?.[1] ?? told;
  const { code, message } = parseError(inner) ?? {};
  return {
    status: typeof code === 'number' ? code : undefined,
    message: typeof message === 'string' ? message : inner,
  };
}

function parseError(text: string): JsonObject | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) && isObject(body.error) ? body.error : undefined;
  } catch {
    return undefined;
  }
}

/** The exit code is the last byte of a status. The error on standard error has all of it. */
function findStatus(exitCode: number | undefined, outputTail: string): number | undefined {
  if (exitCode !== undefined && exitCode >= 144 && exitCode < 256) return exitCode + 256;
  const printed = /^ {2}(?:code|status): (\d{3})\n\}\s*$/m.exec(outputTail)?.[1];
  return exitCode === 1 && printed !== undefined ? Number(printed) : undefined;
}
