import type { JsonObject } from '../../../base/json.ts';
import type { ModelCall, ModelMessage, ModelQuestion, OfferedTool } from '../model-request.ts';
import {
  findToolResults,
  joinTexts,
  readArguments,
  readNumber,
  readObjects,
  readPath,
  readString,
  readText,
} from './parts.ts';
import { RefusedRequest } from './wire-api.ts';

export interface ResponsesReader {
  readonly readQuestion: (body: JsonObject) => ModelQuestion;
  /** Stores an answer for requests that name it or its items. */
  readonly remember: (id: string, body: JsonObject, output: readonly JsonObject[]) => void;
}

/**
 * The real service stores answers unless `store` is false, and clients name their items instead of sending them
 * again.
 */
export function createResponsesReader(): ResponsesReader {
  const items = new Map<string, JsonObject>();
  const threads = new Map<string, readonly JsonObject[]>();

  const readItems = ({ input, previous_response_id: previous }: JsonObject): readonly JsonObject[] => {
    const own = typeof input === 'string' ? [{ role: 'user', content: input }] : readObjects(input);
    const earlier = typeof previous === 'string' ? threads.get(previous) : [];
    if (earlier === undefined) throw new RefusedRequest(400, `Previous response with id '${previous}' not found.`);
    return [...earlier, ...own.map(findItem)];
  };
  const findItem = (item: JsonObject): JsonObject => {
    if (item.type !== 'item_reference') return item;
    const found = items.get(readString(item.id));
    if (found === undefined) throw new RefusedRequest(404, `Item with id '${readString(item.id)}' not found.`);
    return found;
  };
  return {
    readQuestion: body => writeQuestion(body, readItems(body)),
    remember: (id, body, output) => {
      if (body.store === false) return;
      threads.set(id, [...readItems(body), ...output]);
      for (const item of output) items.set(readString(item.id), item);
    },
  };
}

function writeQuestion(body: JsonObject, items: readonly JsonObject[]): ModelQuestion {
  const isSystem = ({ role }: JsonObject): boolean => role === 'system' || role === 'developer';
  const messages = items.filter(item => !isSystem(item)).flatMap(readMessage);
  return {
    model: readString(body.model),
    system: joinTexts([readText(body.instructions), ...items.filter(isSystem).map(({ content }) => readText(content))]),
    messages,
    tools: readObjects(body.tools).flatMap(readTools),
    toolResults: findToolResults(messages),
    isStreamed: body.stream === true,
    maxTokens: readNumber(body.max_output_tokens),
    outputSchema: readPath(body, 'text', 'format', 'schema'),
  };
}

/** Skips reasoning and other items that are not messages. */
function readMessage(item: JsonObject): readonly ModelMessage[] {
  const call = (input: unknown): readonly ModelMessage[] => {
    const calls: readonly ModelCall[] = [{ id: readString(item.call_id), name: readString(item.name), input }];
    return [{ role: 'assistant', text: '', calls }];
  };
  switch (item.type) {
    case 'message':
    case undefined:
      return [{ role: item.role === 'assistant' ? item.role : 'user', text: readText(item.content), calls: [] }];
    case 'function_call':
      return call(readArguments(item.arguments));
    case 'custom_tool_call':
      return call(item.input);
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ role: 'tool', text: readText(item.output), calls: [], callId: readString(item.call_id) }];
    default:
      return [];
  }
}

/** Tools that the service itself would run, such as web search, are not offered to the script. */
function readTools(tool: JsonObject): readonly OfferedTool[] {
  if (tool.type === 'namespace')
    return readObjects(tool.tools)
      .flatMap(readTools)
      .map(inner => ({ ...inner, namespace: readString(tool.name) }));
  if (tool.type !== 'function' && tool.type !== 'custom') return [];
  return [{ name: readString(tool.name), kind: tool.type, schema: tool.parameters }];
}
