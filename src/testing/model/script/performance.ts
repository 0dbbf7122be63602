import type { JsonObject } from '../../../base/json.ts';
import type { Asked, WireApi, WireError } from '../apis/wire-api.ts';
import type { ModelRequest } from '../model-request.ts';
import type { Reply } from '../reply.ts';
import { chooseCall } from './call-choice.ts';
import type { ModelTurn, ModelUsage } from './turn.ts';

/** How to send an answer. */
export interface Performance {
  readonly delayMs: number;
  /** Undefined: not even headers. */
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly string[];
  readonly chunkDelayMs: number;
  /** After the chunks. `hang`: until the client disconnects or the server closes. */
  readonly ending: 'whole' | 'cut' | 'hang';
}

interface Playing {
  readonly turn: ModelTurn;
  readonly request: ModelRequest;
  readonly api: WireApi;
  readonly asked: Asked;
  /** For turns that do not set it. */
  readonly usage: Partial<ModelUsage>;
}

/** Throws CallChoiceError and RefusedRequest for a turn that does not fit the request. */
export function planPerformance({ turn, request, api, asked, usage }: Playing): Performance {
  if ('silent' in turn)
    return { delayMs: 0, status: undefined, headers: {}, chunks: [], chunkDelayMs: 0, ending: 'hang' };
  if ('status' in turn) {
    const { status, code, error = `The script answers with status ${status}.`, headers = {}, delayMs = 0 } = turn;
    const performance = planError(api, { status, message: error, code });
    return { ...performance, headers: { ...performance.headers, ...headers }, delayMs };
  }
  const { delayMs = 0 } = turn;
  const chunkDelayMs = ('chunkDelayMs' in turn ? turn.chunkDelayMs : undefined) ?? 0;
  const reply = createReply(turn, request, usage);
  if (!request.isStreamed) {
    if ('streamError' in turn)
      return { ...planError(api, { status: 500, message: turn.streamError, code: undefined }), delayMs };
    return { ...planJson(200, api.writeWhole(reply, asked), turn), delayMs };
  }
  const { words, whole } = api.writeStream(reply, asked);
  const stream = {
    delayMs,
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
    chunkDelayMs,
  };
  if ('cutAfterChunks' in turn) return { ...stream, chunks: words.slice(0, turn.cutAfterChunks), ending: 'cut' };
  if ('stall' in turn) return { ...stream, chunks: words.slice(0, 1), ending: 'hang' };
  if ('streamError' in turn)
    return { ...stream, chunks: [...words, api.writeStreamError(turn.streamError, asked)], ending: 'whole' };
  return { ...stream, chunks: whole, ending: 'whole' };
}

export function planError(api: WireApi, error: WireError): Performance {
  return planJson(error.status, api.writeError(error));
}

export function planJson(status: number, body: JsonObject, turn: ModelTurn | undefined = undefined): Performance {
  const text = JSON.stringify(body);
  const ending = turn === undefined ? 'whole' : 'cutAfterChunks' in turn ? 'cut' : 'stall' in turn ? 'hang' : 'whole';
  return {
    delayMs: 0,
    status,
    headers: { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) },
    chunks: [ending === 'whole' ? text : text.slice(0, text.length / 2)],
    chunkDelayMs: 0,
    ending,
  };
}

type Speaking = Exclude<ModelTurn, { readonly status: number } | { readonly silent: true }>;

function createReply(turn: Speaking, request: ModelRequest, usual: Partial<ModelUsage>): Reply {
  const { reasoning = '', text = '', tools = [] } = 'refusal' in turn ? {} : turn;
  const refusal = 'refusal' in turn ? turn.refusal : '';
  const calls = tools.map(call => chooseCall(call, request));
  const stop =
    'refusal' in turn ? 'refusal' : (('stop' in turn ? turn.stop : undefined) ?? (calls.length > 0 ? 'tools' : 'stop'));
  const said = [reasoning, text, refusal, ...calls.map(({ inputText }) => inputText)].join('');
  const estimated = {
    input: estimateTokens(JSON.stringify(request.body)),
    output: estimateTokens(said),
    cached: 0,
    reasoning: estimateTokens(reasoning),
  };
  return { reasoning, text, refusal, calls, stop, usage: { ...estimated, ...usual, ...turn.usage } };
}

export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
