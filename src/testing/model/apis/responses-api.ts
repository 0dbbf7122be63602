import type { JsonObject } from '../../../base/json.ts';
import type { Reply } from '../reply.ts';
import type { ModelUsage } from '../script/turn.ts';
import { createId, nowSeconds } from './ids.ts';
import { writeOpenAiError } from './openai-errors.ts';
import { type OutputItem, writeItems } from './responses-items.ts';
import { createResponsesReader } from './responses-reader.ts';
import { frameEvent } from './sse.ts';
import type { Asked, Stream, WireApi } from './wire-api.ts';

/** OpenAI's Responses API. It has a memory: a request may name earlier answers by id. */
export function createResponsesApi(): WireApi {
  const { readQuestion, remember } = createResponsesReader();
  const begin = (reply: Reply, asked: Asked): { readonly head: JsonObject; readonly items: readonly OutputItem[] } => {
    const items = writeItems(reply);
    const id = createId('resp_');
    remember(
      id,
      asked.body,
      items.map(({ whole }) => whole),
    );
    return { head: writeHead(id, asked), items };
  };
  return {
    readQuestion,
    writeWhole: (reply, asked) => {
      const { head, items } = begin(reply, asked);
      return { ...head, ...writeEnd(reply, items) };
    },
    writeStream: (reply, asked) => {
      const { head, items } = begin(reply, asked);
      return writeStream({ reply, head, items });
    },
    writeStreamError: (message, asked) => {
      const response = {
        ...writeHead(createId('resp_'), asked),
        status: 'failed',
        error: { code: 'server_error', message },
      };
      return frameEvent('response.failed', { type: 'response.failed', sequence_number: 1_000, response });
    },
    writeError: writeOpenAiError,
    countTokens: tokens => ({ object: 'response.input_tokens', input_tokens: tokens }),
  };
}

function writeStream({
  reply,
  head,
  items,
}: {
  readonly reply: Reply;
  readonly head: JsonObject;
  readonly items: readonly OutputItem[];
}): Stream {
  let sequence = 0;
  const frame = (type: string, rest: JsonObject): string => {
    const data = { type, sequence_number: sequence, ...rest };
    sequence += 1;
    return frameEvent(type, data);
  };
  const words = [
    frame('response.created', { response: head }),
    frame('response.in_progress', { response: head }),
    ...items.flatMap(({ start, events, whole }, index) => [
      frame('response.output_item.added', { output_index: index, item: start }),
      ...events.map(({ type, ...rest }) => frame(String(type), { item_id: whole.id, output_index: index, ...rest })),
      frame('response.output_item.done', { output_index: index, item: whole }),
    ]),
  ];
  const end = writeEnd(reply, items);
  return { words, whole: [...words, frame(`response.${String(end.status)}`, { response: { ...head, ...end } })] };
}

function writeHead(id: string, { model, body }: Asked): JsonObject {
  return {
    id,
    object: 'response',
    created_at: nowSeconds(),
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: {},
    model,
    output: [],
    parallel_tool_calls: true,
    previous_response_id: body.previous_response_id ?? null,
    store: body.store ?? true,
    tool_choice: body.tool_choice ?? 'auto',
    tools: [],
    usage: null,
  };
}

function writeEnd({ stop, usage }: Reply, items: readonly OutputItem[]): JsonObject {
  const reason = stop === 'length' ? 'max_output_tokens' : stop === 'refusal' ? 'content_filter' : undefined;
  return {
    status: reason === undefined ? 'completed' : 'incomplete',
    incomplete_details: reason === undefined ? null : { reason },
    output: items.map(({ whole }) => whole),
    usage: writeUsage(usage),
  };
}

function writeUsage({ input, output, cached, reasoning }: ModelUsage): JsonObject {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}
