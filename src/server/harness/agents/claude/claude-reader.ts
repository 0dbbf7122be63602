import type { JsonObject } from '../../../../base/json.ts';
import { ellipsis } from '../../../../base/text.ts';
import type { EventDraft } from '../../../../contract/events.ts';
import type { AgentReader, AgentSpec } from '../adapter.ts';
import {
  createMessage,
  createWarning,
  readContent,
  readExitCode,
  readObject,
  readObjects,
  readText,
  remember,
  tellLine,
} from '../event-parts.ts';
import { explainClaudeResult } from './claude-fault.ts';
import { countClaudeUsage } from './claude-usage.ts';

/** Its own messages about a failed request have this model name. */
const ownModel = '<synthetic>';
/** Tools that start subagents. Their silence is that of a model, not of a tool. */
const delegates: readonly string[] = ['Task', 'Agent'];
const deadStates: readonly string[] = ['failed', 'needs-auth', 'disabled'];
const thoughtMax = 400;

/**
 * Reads `--output-format stream-json` with partial messages: `system`/`init` first, a message for each block of an
 * answer, tool results as messages of the user, and a `result` at the end. A failed result may also say `subtype:
 * "success"`, so only `is_error` counts. When background work ends after the answer, another `result` follows, and
 * the last one counts.
 */
export function createClaudeReader({
  mcpServers,
  deadServers,
}: Pick<AgentSpec, 'mcpServers' | 'deadServers'>): AgentReader {
  const answers = new Set<string>();
  const openCalls = new Set<string>();
  /** By name, with the reason as far as it is known. */
  const dead = new Map(deadServers?.map(name => [name, 'it did not start']));
  const usage = countClaudeUsage();
  let sessionId: string | undefined;
  let text = '';
  /** Why the model did not answer. Cleared by a later answer. */
  let apiError: { readonly kind: string; readonly text: string } | undefined;
  let result: JsonObject | undefined;

  const readSystem = (event: JsonObject): readonly EventDraft[] => {
    if (event.subtype === 'api_retry') return [reportRetry(event)];
    if (event.subtype !== 'init') return [];
    sessionId = readText(event.session_id) || sessionId;
    const found = readObjects(event.mcp_servers);
    return mcpServers.flatMap(({ name }) => {
      const status = readText(found.find(server => server.name === name)?.status);
      if (!deadStates.includes(status) || dead.has(name)) return [];
      dead.set(name, status);
      return [createWarning(`the MCP server ${name} cannot be used: ${status}`)];
    });
  };

  const readBlock = (block: JsonObject, isBelow: boolean): readonly EventDraft[] => {
    switch (block.type) {
      case 'text': {
        const said = readText(block.text);
        if (isBelow || said.trim() === '') return [];
        text = said;
        return [createMessage(said)];
      }
      case 'thinking': {
        const thought = readText(block.thinking).trim();
        return isBelow || thought === '' ? [] : [tellLine(`thinking: ${ellipsis(thought, thoughtMax)}`)];
      }
      case 'tool_use': {
        const call = { id: readText(block.id), name: readText(block.name), input: block.input ?? {} };
        if (!delegates.includes(call.name)) remember(openCalls, call.id);
        return [{ type: 'tool_call', data: call }];
      }
      default:
        return [];
    }
  };

  const beginAnswer = (id: string, isBelow: boolean): void => {
    remember(answers, id);
    if (isBelow) return;
    apiError = undefined;
    // It has continued after its result, so another one will come.
    result = undefined;
  };

  const readAssistant = (event: JsonObject): readonly EventDraft[] => {
    const { id, model, content } = readObject(event.message);
    const isBelow = typeof event.parent_tool_use_id === 'string';
    if (model === ownModel) {
      if (isBelow) return [];
      const kind = readText(event.error);
      apiError = kind === '' ? undefined : { kind, text: readContent(content) };
      result = undefined;
      return [];
    }
    beginAnswer(readText(id), isBelow);
    return readObjects(content).flatMap(block => readBlock(block, isBelow));
  };

  const readToolResult = ({ tool_use_id, content, is_error }: JsonObject): EventDraft => {
    const id = readText(tool_use_id);
    openCalls.delete(id);
    const said = readContent(content);
    // The start of its text for a failed command.
    const [begin = '', digits] = (is_error === true && /^Exit code (\d{1,3})(?:\n|$)/.exec(said)) || [];
    const exit = digits === undefined ? {} : readExitCode(Number(digits));
    const data = { id, output: said.slice(begin.length), is_error: is_error === true, ...exit };
    return { type: 'tool_result', data };
  };

  const readStream = ({ event, api_message_id, parent_tool_use_id }: JsonObject): readonly EventDraft[] => {
    const { type, message, usage: used } = readObject(event);
    if (type === 'message_start') {
      const { id, usage: first } = readObject(message);
      beginAnswer(readText(id), typeof parent_tool_use_id === 'string');
      return usage.begin(readText(id), first);
    }
    return type === 'message_delta' ? usage.end(readText(api_message_id), used) : [];
  };

  return {
    read(event) {
      switch (event.type) {
        case 'system':
          return readSystem(event);
        case 'assistant':
          return readAssistant(event);
        case 'user':
          return readObjects(readObject(event.message).content)
            .filter(({ type }) => type === 'tool_result')
            .map(readToolResult);
        case 'stream_event':
          return readStream(event);
        case 'result':
          result = event;
          return usage.settle(event);
        default:
          return [];
      }
    },
    claim() {
      if (result === undefined && apiError === undefined) return { kind: 'none', text };
      if (result === undefined)
        return { kind: 'failed', text, ...explainClaudeResult({ result: apiError?.text }, apiError?.kind) };
      if (result.is_error !== false || result.subtype !== 'success')
        return { kind: 'failed', text, ...explainClaudeResult(result, apiError?.kind) };
      // Its own commands succeed without a model.
      if (answers.size === 0)
        return { kind: 'failed', fault: 'harness', message: 'it did not ask the model', text: readText(result.result) };
      const missing = mcpServers.find(({ name, required }) => required && dead.has(name));
      if (missing !== undefined)
        return { kind: 'failed', text, fault: 'mcp_server', message: `${missing.name}: ${dead.get(missing.name)}` };
      return { kind: 'succeeded', text: readText(result.result) };
    },
    get steps() {
      return answers.size;
    },
    get isToolRunning() {
      return openCalls.size > 0;
    },
    get sessionId() {
      return sessionId;
    },
  };
}

function reportRetry({ attempt, max_retries, retry_delay_ms, error_status, error }: JsonObject): EventDraft {
  // It retries a refused key once, and repeats the last number each time.
  const which = error_status === 401 ? 'retrying' : `retry ${attempt} of ${max_retries}`;
  const status = typeof error_status === 'number' ? ` (status ${error_status})` : '';
  const wait = typeof retry_delay_ms === 'number' ? ` in ${Math.round(retry_delay_ms / 100) / 10} seconds` : '';
  return tellLine(`the model did not answer: ${readText(error)}${status}; ${which}${wait}`);
}
