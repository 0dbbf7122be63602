import type { JsonObject } from '../../../base/json.ts';
import type { ModelMessage, ModelQuestion } from '../model-request.ts';
import type { Reply } from '../reply.ts';
import { cutIntoPieces } from '../script/text-pieces.ts';
import type { ModelUsage } from '../script/turn.ts';
import { createId } from './ids.ts';
import { findToolResults, joinTexts, readNumber, readObjects, readPath, readString, readText } from './parts.ts';
import { frameEvent } from './sse.ts';
import type { Asked, Stream, WireApi, WireError } from './wire-api.ts';

const stopReasons = { stop: 'end_turn', tools: 'tool_use', length: 'max_tokens', refusal: 'refusal' } as const;

const errorTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** Anthropic's Messages API. */
export const anthropicApi: WireApi = {
  readQuestion,
  writeWhole,
  writeStream,
  writeStreamError: message => frameEvent('error', writeError({ status: 500, message, code: undefined })),
  writeError,
  countTokens: tokens => ({ input_tokens: tokens }),
};

function readQuestion(body: JsonObject): ModelQuestion {
  const all = readObjects(body.messages);
  const messages = all.filter(({ role }) => role !== 'system').flatMap(readMessages);
  const system = all.filter(({ role }) => role === 'system').map(({ content }) => readText(content));
  return {
    model: readString(body.model),
    system: joinTexts([readText(body.system), ...system]),
    messages,
    tools: readObjects(body.tools).map(tool => ({
      name: readString(tool.name),
      kind: 'function',
      schema: tool.input_schema,
    })),
    toolResults: findToolResults(messages),
    isStreamed: body.stream === true,
    maxTokens: readNumber(body.max_tokens),
    outputSchema: readPath(body, 'output_config', 'format', 'schema') ?? readPath(body, 'output_format', 'schema'),
  };
}

/** A message may contain tool results and text. The results come first. */
function readMessages({ role, content }: JsonObject): readonly ModelMessage[] {
  const blocks = readObjects(content);
  const results = blocks
    .filter(({ type }) => type === 'tool_result')
    .map(block => ({
      role: 'tool' as const,
      text: readText(block.content),
      calls: [],
      callId: readString(block.tool_use_id),
    }));
  const calls = blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }) => ({ id: readString(id), name: readString(name), input }));
  const text = typeof content === 'string' ? content : readText(blocks.filter(({ type }) => type === 'text'));
  if (results.length > 0 && text === '') return results;
  return [...results, { role: role === 'assistant' ? role : 'user', text, calls }];
}

/** Content blocks with their deltas. */
function writeBlocks(
  reply: Reply,
): readonly { readonly whole: JsonObject; readonly start: JsonObject; readonly deltas: readonly JsonObject[] }[] {
  const signature = createId('sig_');
  const text = `${reply.text}${reply.refusal}`;
  const calls = reply.calls.map(({ name, input, inputText }) => {
    const head = { type: 'tool_use', id: createId('toolu_'), name };
    const deltas = cutIntoPieces(inputText).map(piece => ({ type: 'input_json_delta', partial_json: piece }));
    return {
      whole: { ...head, input },
      start: { ...head, input: {} },
      deltas: [{ type: 'input_json_delta', partial_json: '' }, ...deltas],
    };
  });
  const thinking = {
    whole: { type: 'thinking', thinking: reply.reasoning, signature },
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...cutIntoPieces(reply.reasoning).map(piece => ({ type: 'thinking_delta', thinking: piece })),
      { type: 'signature_delta', signature },
    ],
  };
  const words = {
    whole: { type: 'text', text },
    start: { type: 'text', text: '' },
    deltas: cutIntoPieces(text).map(piece => ({ type: 'text_delta', text: piece })),
  };
  return [...(reply.reasoning === '' ? [] : [thinking]), ...(text === '' ? [] : [words]), ...calls];
}

function writeWhole(reply: Reply, { model }: Asked): JsonObject {
  return {
    ...writeHead(model),
    content: writeBlocks(reply).map(({ whole }) => whole),
    stop_reason: stopReasons[reply.stop],
    usage: writeUsage(reply.usage),
  };
}

function writeStream(reply: Reply, { model }: Asked): Stream {
  const frame = (type: string, rest: JsonObject): string => frameEvent(type, { type, ...rest });
  // The count at the start includes the first token, as in the real API.
  const message = { ...writeHead(model), usage: { ...writeUsage(reply.usage), output_tokens: 1 } };
  const blocks = writeBlocks(reply).flatMap(({ start, deltas }, index) => [
    frame('content_block_start', { index, content_block: start }),
    ...(index === 0 ? [frame('ping', {})] : []),
    ...deltas.map(delta => frame('content_block_delta', { index, delta })),
    frame('content_block_stop', { index }),
  ]);
  const delta = { stop_reason: stopReasons[reply.stop], stop_sequence: null };
  const words = [frame('message_start', { message }), ...blocks];
  const end = [frame('message_delta', { delta, usage: writeUsage(reply.usage) }), frame('message_stop', {})];
  return { words, whole: [...words, ...end] };
}

function writeHead(model: string): JsonObject {
  return {
    id: createId('msg_'),
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
}

function writeUsage({ input, output, cached }: ModelUsage): JsonObject {
  return {
    input_tokens: Math.max(0, input - cached),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: output,
  };
}

function writeError({ status, message }: WireError): JsonObject {
  const type = errorTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  return { type: 'error', error: { type, message }, request_id: createId('req_') };
}
