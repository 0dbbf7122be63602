import { isObject, type JsonObject } from '../../../base/json.ts';
import type { ModelMessage, ModelQuestion } from '../model-request.ts';
import type { Reply } from '../reply.ts';
import { cutIntoPieces } from '../script/text-pieces.ts';
import type { ModelUsage } from '../script/turn.ts';
import { createId, nowSeconds } from './ids.ts';
import { writeOpenAiError } from './openai-errors.ts';
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
import { frameData } from './sse.ts';
import type { Asked, Stream, WireApi } from './wire-api.ts';

const finishReasons = { stop: 'stop', tools: 'tool_calls', length: 'length', refusal: 'content_filter' } as const;

/** OpenAI's Chat Completions API, with the `reasoning_content` of compatible servers. */
export const chatApi: WireApi = {
  readQuestion,
  writeWhole,
  writeStream,
  writeStreamError: message =>
    frameData({ error: { message, type: 'server_error', param: null, code: 'server_error' } }),
  writeError: writeOpenAiError,
  countTokens: tokens => ({ tokens }),
};

function readQuestion(body: JsonObject): ModelQuestion {
  const all = readObjects(body.messages);
  const isSystem = ({ role }: JsonObject): boolean => role === 'system' || role === 'developer';
  const messages = all.filter(message => !isSystem(message)).map(readMessage);
  return {
    model: readString(body.model),
    system: joinTexts(all.filter(isSystem).map(({ content }) => readText(content))),
    messages,
    tools: readObjects(body.tools).flatMap(({ function: tool }) =>
      isObject(tool) ? [{ name: readString(tool.name), kind: 'function' as const, schema: tool.parameters }] : [],
    ),
    toolResults: findToolResults(messages),
    isStreamed: body.stream === true,
    maxTokens: readNumber(body.max_completion_tokens) ?? readNumber(body.max_tokens),
    outputSchema: readPath(body, 'response_format', 'json_schema', 'schema'),
  };
}

function readMessage({ role, content, tool_calls, tool_call_id }: JsonObject): ModelMessage {
  const text = readText(content);
  if (role === 'tool') return { role, text, calls: [], callId: readString(tool_call_id) };
  const calls = readObjects(tool_calls).map(call => ({
    id: readString(call.id),
    name: readString(readPath(call, 'function', 'name')),
    input: readArguments(readPath(call, 'function', 'arguments')),
  }));
  return { role: role === 'assistant' ? role : 'user', text, calls };
}

function writeWhole(reply: Reply, { model }: Asked): JsonObject {
  const message = {
    role: 'assistant',
    content: reply.text === '' && reply.calls.length + reply.refusal.length > 0 ? null : reply.text,
    refusal: reply.refusal === '' ? null : reply.refusal,
    ...(reply.reasoning === '' ? {} : { reasoning_content: reply.reasoning }),
    ...(reply.calls.length === 0 ? {} : { tool_calls: writeCalls(reply) }),
  };
  return {
    id: createId('chatcmpl-'),
    object: 'chat.completion',
    created: nowSeconds(),
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReasons[reply.stop] }],
    usage: writeUsage(reply.usage),
  };
}

function writeStream(reply: Reply, { model, body }: Asked): Stream {
  const head = { id: createId('chatcmpl-'), object: 'chat.completion.chunk', created: nowSeconds(), model };
  const isUsageAsked = readPath(body, 'stream_options', 'include_usage') === true;
  const frame = (choices: readonly object[], usage: object | null = null): string =>
    frameData({ ...head, choices, ...(isUsageAsked ? { usage } : {}) });
  const delta = (content: object): string => frame([{ index: 0, delta: content, logprobs: null, finish_reason: null }]);
  const calls = writeCalls(reply).flatMap(({ id, type, function: { name, arguments: input } }, index) => [
    delta({ tool_calls: [{ index, id, type, function: { name, arguments: '' } }] }),
    ...cutIntoPieces(input).map(piece => delta({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]);
  const words = [
    delta({ role: 'assistant', content: '', refusal: null }),
    ...cutIntoPieces(reply.reasoning).map(piece => delta({ reasoning_content: piece })),
    ...cutIntoPieces(reply.text).map(piece => delta({ content: piece })),
    ...cutIntoPieces(reply.refusal).map(piece => delta({ refusal: piece })),
    ...calls,
  ];
  const end = [
    frame([{ index: 0, delta: {}, logprobs: null, finish_reason: finishReasons[reply.stop] }]),
    ...(isUsageAsked ? [frame([], writeUsage(reply.usage))] : []),
    frameData('[DONE]'),
  ];
  return { words, whole: [...words, ...end] };
}

function writeCalls({ calls }: Reply) {
  return calls.map(({ name, inputText }) => ({
    id: createId('call_'),
    type: 'function',
    function: { name, arguments: inputText },
  }));
}

function writeUsage({ input, output, cached, reasoning }: ModelUsage): JsonObject {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}
