import { isObject, type JsonObject } from '../../../../base/json.ts';
import type { EventDraft } from '../../../../contract/events.ts';
import type { AgentReader, AgentSpec } from '../adapter.ts';
import {
  createMessage,
  nameTool,
  type RunUsage,
  readCount,
  readObject,
  readText,
  remember,
  tellLine,
} from '../event-parts.ts';
import { explainGeminiEnd } from './gemini-faults.ts';

/**
 * Reads the lines of `--output-format stream-json`: `init`, then pieces of the model's text, tool calls and their
 * results, and a `result` at the end. A model's answer is its text and calls up to the first tool result.
 */
export function createGeminiReader({ mcpServers }: Pick<AgentSpec, 'mcpServers'>): AgentReader {
  const openCalls = new Set<string>();
  let sessionId: string | undefined;
  let steps = 0;
  let isAnswering = false;
  /** Text of the current answer that is not in an event yet. */
  let untold = '';
  /** Text of the current answer. */
  let answer = '';
  /** The program's last complaint, if nothing good followed. */
  let complaint: string | undefined;
  let result: JsonObject | undefined;

  const beginAnswer = (): void => {
    if (isAnswering) return;
    isAnswering = true;
    answer = '';
    steps += 1;
  };
  const flushText = (): readonly EventDraft[] => {
    const text = untold;
    untold = '';
    return text.trim() === '' ? [] : [createMessage(text)];
  };
  const readCall = (event: JsonObject): EventDraft => {
    beginAnswer();
    const id = readText(event.tool_id);
    remember(openCalls, id);
    const name = nameTool(readText(event.tool_name), 'mcp_', mcpServers);
    return { type: 'tool_call', data: { id, name, input: event.parameters ?? {} } };
  };
  const readToolResult = ({ tool_id, status, output, error }: JsonObject): EventDraft => {
    const id = readText(tool_id);
    isAnswering = false;
    openCalls.delete(id);
    const data = { id, output: output ?? readText(readObject(error).message), is_error: status !== 'success' };
    return { type: 'tool_result', data };
  };
  return {
    read(event) {
      switch (event.type) {
        case 'init':
          sessionId = readText(event.session_id) || undefined;
          return [];
        case 'message': {
          // Events after the end are not an answer, and clear no complaint.
          if (event.role !== 'assistant' || result !== undefined) return [];
          beginAnswer();
          const piece = readText(event.content);
          // A call clears no complaint, because its outcome is unknown.
          if (piece.trim() !== '') complaint = undefined;
          answer += piece;
          untold += piece;
          return [];
        }
        case 'tool_use':
          return [...flushText(), readCall(event)];
        case 'tool_result':
          return [...flushText(), readToolResult(event)];
        case 'error':
          complaint = readText(event.message);
          return [...flushText(), tellLine(`Gemini CLI: ${complaint}`)];
        case 'result':
          result = event;
          return [...flushText(), ...readUsage(event.stats, steps)];
        default:
          return [];
      }
    },
    claim(exit) {
      // After a call without a result, the answer is not complete.
      const text = isAnswering && openCalls.size === 0 ? answer : '';
      if (result === undefined) return { kind: 'none', text };
      if (result.status === 'success' && complaint === undefined) return { kind: 'succeeded', text };
      return { kind: 'failed', text, ...explainGeminiEnd(result.error, complaint, exit) };
    },
    get steps() {
      return steps;
    },
    get isToolRunning() {
      return openCalls.size > 0;
    },
    get sessionId() {
      // Without an answer it stores no session, so it cannot continue one.
      return steps > 0 ? sessionId : undefined;
    },
  };
}

/** Usage of this run alone. Tokens of reasoning are only in the total. */
function readUsage(stats: unknown, requests: number): readonly EventDraft[] {
  if (!isObject(stats)) return [];
  const input = readCount(stats.input_tokens);
  const said = readCount(stats.output_tokens);
  const reasoning = readCount(readCount(stats.total_tokens) - input - said);
  const data: RunUsage = {
    input_tokens: input,
    output_tokens: said + reasoning,
    cached_tokens: readCount(stats.cached),
    reasoning_tokens: reasoning,
    requests,
  };
  return [{ type: 'usage', data: { ...data } }];
}
