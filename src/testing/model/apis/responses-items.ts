import type { JsonObject } from '../../../base/json.ts';
import type { Reply, ReplyCall } from '../reply.ts';
import { cutIntoPieces } from '../script/text-pieces.ts';
import { createId } from './ids.ts';

/** An output item of a response, with the events between its beginning and its end. */
export interface OutputItem {
  readonly whole: JsonObject;
  readonly start: JsonObject;
  /** Without the item's id. */
  readonly events: readonly JsonObject[];
}

export function writeItems({ reasoning, text, refusal, calls, stop }: Reply): readonly OutputItem[] {
  const status = stop === 'length' || stop === 'refusal' ? 'incomplete' : 'completed';
  return [
    ...(reasoning === '' ? [] : [writeReasoning(reasoning)]),
    ...(text === '' ? [] : [writeMessage({ kind: 'output_text', text, status })]),
    ...(refusal === '' ? [] : [writeMessage({ kind: 'refusal', text: refusal, status })]),
    ...calls.map(writeCall),
  ];
}

function writeReasoning(text: string): OutputItem {
  const head = { id: createId('rs_'), type: 'reasoning', encrypted_content: null };
  const part = { type: 'summary_text', text };
  return {
    whole: { ...head, summary: [part] },
    start: { ...head, summary: [] },
    events: [
      { type: 'response.reasoning_summary_part.added', summary_index: 0, part: { ...part, text: '' } },
      ...cutIntoPieces(text).map(delta => ({ type: 'response.reasoning_summary_text.delta', summary_index: 0, delta })),
      { type: 'response.reasoning_summary_text.done', summary_index: 0, text },
      { type: 'response.reasoning_summary_part.done', summary_index: 0, part },
    ],
  };
}

interface Message {
  readonly kind: 'output_text' | 'refusal';
  readonly text: string;
  readonly status: 'completed' | 'incomplete';
}

function writeMessage({ kind, text, status }: Message): OutputItem {
  const head = { id: createId('msg_'), type: 'message', role: 'assistant' };
  const writePart = (words: string): JsonObject =>
    kind === 'refusal' ? { type: kind, refusal: words } : { type: kind, text: words, annotations: [], logprobs: [] };
  const place = { content_index: 0 };
  const done = kind === 'refusal' ? { refusal: text } : { text, logprobs: [] };
  return {
    whole: { ...head, status, content: [writePart(text)] },
    start: { ...head, status: 'in_progress', content: [] },
    events: [
      { type: 'response.content_part.added', ...place, part: writePart('') },
      ...cutIntoPieces(text).map(delta => ({ type: `response.${kind}.delta`, ...place, delta })),
      { type: `response.${kind}.done`, ...place, ...done },
      { type: 'response.content_part.done', ...place, part: writePart(text) },
    ],
  };
}

function writeCall({ name, namespace, kind, inputText }: ReplyCall): OutputItem {
  const call = { call_id: createId('call_'), name, ...(namespace === undefined ? {} : { namespace }) };
  const [type, prefix, field] =
    kind === 'custom' ? ['custom_tool_call', 'ctc_', 'input'] : ['function_call', 'fc_', 'arguments'];
  const event = kind === 'custom' ? 'response.custom_tool_call_input' : 'response.function_call_arguments';
  const head = { id: createId(prefix ?? ''), type, ...call };
  const member = field ?? '';
  return {
    whole: { ...head, status: 'completed', [member]: inputText },
    start: { ...head, status: 'in_progress', [member]: '' },
    events: [
      ...cutIntoPieces(inputText).map(delta => ({ type: `${event}.delta`, delta })),
      { type: `${event}.done`, ...(kind === 'custom' ? {} : { name }), [member]: inputText },
    ],
  };
}
