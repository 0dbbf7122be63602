import type { JsonObject } from '../../../../base/json.ts';
import { readContent, readExitCode, readObject, readText } from '../event-parts.ts';

/** A tool call, as an item of a turn. */
export interface CodexCall {
  readonly name: string;
  readonly input: unknown;
  readonly output: string;
  readonly isError: boolean;
  readonly exit_code?: number;
  /** Whether a subagent works on it. Its silence is that of a model, not of a tool. */
  readonly isDelegate: boolean;
}

/** Undefined for an item that is not a tool call. `output` and `isError` are valid only once it is completed. */
export function readCall(item: JsonObject): CodexCall | undefined {
  const isError = readText(item.status) === 'failed' || readText(item.status) === 'declined';
  const call = { isError, isDelegate: false };
  switch (item.type) {
    case 'command_execution':
      return {
        ...call,
        name: 'shell',
        input: { command: item.command },
        output: readText(item.aggregated_output),
        ...readExitCode(item.exit_code),
      };
    case 'mcp_tool_call': {
      const name = `mcp__${readText(item.server)}__${readText(item.tool)}`;
      const failure = readText(readObject(item.error).message);
      const output = failure === '' ? readContent(readObject(item.result).content) : failure;
      return { ...call, name, input: item.arguments ?? {}, output };
    }
    case 'file_change':
      return { ...call, name: 'apply_patch', input: { changes: item.changes }, output: readText(item.status) };
    case 'web_search':
      return { ...call, name: 'web_search', input: { query: item.query }, output: '' };
    case 'collab_tool_call':
      return {
        ...call,
        name: readText(item.tool) || 'collab',
        input: { prompt: item.prompt },
        output: readText(item.status),
        isDelegate: true,
      };
    default:
      return undefined;
  }
}
