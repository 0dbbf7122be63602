import { isObject } from '../../../../base/json.ts';
import { type AgentFault, beginningOf, faultOfStatus, faultOfWords, type Wordings } from '../agent-fault.ts';
import { readText } from '../event-parts.ts';

/** Codex describes failures in words only. The first match counts. */
const wordings: Wordings = [
  [/ran out of room in the model's context window|context_length_exceeded/, 'context_length'],
  [/reason: content_filter/, 'refusal'],
  [/reason: max_output_tokens/, 'output_limit'],
  [/usage limit|quota exceeded|exceeded your current quota|insufficient_quota/i, 'rate_limit'],
  [/experiencing high demand/, 'provider'],
  [/\bmodel\b.{0,120}(does not exist|not found|is unknown|no access)/is, 'model_not_found'],
  [/Transport error|error sending request|connection (failed|refused|reset|closed)|dns error|timed? ?out/i, 'network'],
  [/stream disconnected before completion/, 'provider'],
];

const statuses = /\bstatus:? (\d{3})\b/;

/** In the message of a failed turn. */
export function explainCodexFailure(said: string): AgentFault {
  const [, digits] = statuses.exec(beginningOf(said)) ?? [];
  if (digits !== undefined) return { fault: faultOfStatus(Number(digits)), httpStatus: Number(digits), message: said };
  const kind = faultOfWords(wordings, said);
  const answer = readAnswer(said);
  // Codex passes on unchanged only the answer to a bad request.
  return { fault: kind ?? (answer === undefined ? 'harness' : 'bad_request'), message: answer ?? said };
}

/** The message in the body of an answer. Undefined if it is not such a body. */
function readAnswer(said: string): string | undefined {
  try {
    const body: unknown = JSON.parse(said);
    if (!isObject(body)) return undefined;
    return readText(isObject(body.error) ? body.error.message : (body.message ?? body.error)) || said;
  } catch {
    return undefined;
  }
}

/** From standard error if it did not start at all. Undefined if no known message is there. */
export function explainCodexStart(printed: string): AgentFault | undefined {
  const [, server, why = ''] = /required MCP servers failed to initialize: ([\w-]+)(?:: (.*))?/.exec(printed) ?? [];
  if (server === undefined) return undefined;
  return { fault: 'mcp_server', message: `${server}: ${why}` };
}
