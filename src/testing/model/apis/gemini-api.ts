import { isObject, type JsonObject } from '../../../base/json.ts';
import type { ModelMessage, ModelQuestion } from '../model-request.ts';
import type { Reply } from '../reply.ts';
import { cutIntoPieces } from '../script/text-pieces.ts';
import type { ModelUsage } from '../script/turn.ts';
import { createId } from './ids.ts';
import { joinTexts, readNumber, readObjects, readPath, readString, readText } from './parts.ts';
import { type Asked, RefusedRequest, type Stream, type Target, type WireApi, type WireError } from './wire-api.ts';

const finishReasons = { stop: 'STOP', tools: 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY' } as const;

const statusNames: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** Gemini's generateContent and streamGenerateContent. Calls have no ids there. */
export const geminiApi: WireApi = {
  readQuestion,
  writeWhole,
  writeStream,
  writeStreamError: message => frame(writeError({ status: 500, message, code: undefined })),
  writeError,
  countTokens: tokens => ({ totalTokens: tokens }),
};

function readQuestion(body: JsonObject, { model, isStreamed }: Target): ModelQuestion {
  const contents = readObjects(body.contents);
  const responses = contents.flatMap(({ parts }) =>
    readObjects(parts).flatMap(({ functionResponse }) => (isObject(functionResponse) ? [functionResponse] : [])),
  );
  const config = body.generationConfig;
  return {
    model: readString(model),
    system: joinTexts([readText(readPath(body.systemInstruction, 'parts') ?? body.systemInstruction)]),
    messages: contents.flatMap(readMessages),
    tools: readObjects(body.tools)
      .flatMap(({ functionDeclarations }) => readObjects(functionDeclarations))
      .map(tool => ({
        name: readString(tool.name),
        kind: 'function',
        schema: tool.parametersJsonSchema ?? tool.parameters,
      })),
    toolResults: responses.map(response => ({
      callId: readCallId(response),
      name: readString(response.name),
      text: readResponse(response.response),
    })),
    isStreamed: isStreamed === true,
    maxTokens: readNumber(readPath(config, 'maxOutputTokens')),
    outputSchema: readPath(config, 'responseJsonSchema') ?? readPath(config, 'responseSchema'),
  };
}

function readMessages({ role, parts }: JsonObject): readonly ModelMessage[] {
  const all = readObjects(parts);
  const results = all.flatMap(({ functionResponse: it }) =>
    isObject(it) ? [{ role: 'tool' as const, text: readResponse(it.response), calls: [], callId: readCallId(it) }] : [],
  );
  const calls = all.flatMap(({ functionCall: it }) =>
    isObject(it) ? [{ id: readCallId(it), name: readString(it.name), input: it.args }] : [],
  );
  const text = readText(all.filter(({ thought }) => thought !== true));
  if (results.length > 0 && text === '') return results;
  return [...results, { role: role === 'model' ? 'assistant' : 'user', text, calls }];
}

function readCallId({ id, name }: JsonObject): string {
  return readString(id) || readString(name);
}

/** Programs put text under `output`, `error` or `content`. Anything else becomes JSON text. */
function readResponse(response: unknown): string {
  const texts = ['output', 'error', 'content'].map(name => readPath(response, name));
  return texts.find(text => typeof text === 'string') ?? JSON.stringify(response ?? '');
}

function writeWhole(reply: Reply, { model }: Asked): JsonObject {
  return writeCandidate({ reply, model, parts: writeParts(reply).map(join), isLast: true });
}

/** The finish reason comes with the last part. Clients take a trailing empty part for an empty answer. */
function writeStream(reply: Reply, { model }: Asked): Stream {
  const id = createId('');
  const parts = writeParts(reply).flatMap(split);
  const words = parts.map(part => frame(writeCandidate({ reply, model, id, parts: [part], isLast: false })));
  const last = frame(writeCandidate({ reply, model, id, parts: parts.slice(-1), isLast: true }));
  return { words, whole: [...words.slice(0, -1), last] };
}

type Part = { readonly functionCall: JsonObject } | { readonly pieces: readonly string[]; readonly rest: JsonObject };

function writeParts({ reasoning, text, calls }: Reply): readonly Part[] {
  return [
    ...(reasoning === '' ? [] : [{ pieces: cutIntoPieces(reasoning), rest: { thought: true } }]),
    ...(text === '' ? [] : [{ pieces: cutIntoPieces(text), rest: {} }]),
    ...calls.map(({ name, input }) => {
      if (!isObject(input))
        throw new RefusedRequest(400, `${name}: the input of a call must be an object in Gemini's API`);
      return { functionCall: { name, args: input } };
    }),
  ];
}

function split(part: Part): readonly JsonObject[] {
  return 'pieces' in part ? part.pieces.map(text => ({ ...part.rest, text })) : [part];
}

function join(part: Part): JsonObject {
  return 'pieces' in part ? { ...part.rest, text: part.pieces.join('') } : part;
}

interface Candidate {
  readonly reply: Reply;
  readonly model: string;
  readonly id?: string | undefined;
  readonly parts: readonly JsonObject[];
  readonly isLast: boolean;
}

function writeCandidate({ reply, model, id = createId(''), parts, isLast }: Candidate): JsonObject {
  const finish = {
    finishReason: finishReasons[reply.stop],
    ...(reply.refusal === '' ? {} : { finishMessage: reply.refusal }),
  };
  const content = parts.length === 0 ? {} : { content: { parts, role: 'model' } };
  return {
    candidates: [{ ...content, ...(isLast ? finish : {}), index: 0 }],
    usageMetadata: writeUsage(reply.usage),
    modelVersion: model,
    responseId: id,
  };
}

/** In this API, output tokens do not include those of reasoning. */
function writeUsage({ input, output, cached, reasoning }: ModelUsage): JsonObject {
  return {
    promptTokenCount: input,
    candidatesTokenCount: Math.max(0, output - reasoning),
    totalTokenCount: input + output,
    ...(cached === 0 ? {} : { cachedContentTokenCount: cached }),
    ...(reasoning === 0 ? {} : { thoughtsTokenCount: reasoning }),
  };
}

/** Google ends lines with CR LF. */
function frame(data: JsonObject): string {
  return `data: ${JSON.stringify(data)}\r\n\r\n`;
}

function writeError({ status, message, code }: WireError): JsonObject {
  const name = statusNames[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');
  const details = code === undefined ? [] : [writeReason(code)];
  return { error: { code: status, message, status: name, ...(details.length === 0 ? {} : { details }) } };
}

function writeReason(reason: string): JsonObject {
  return { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' };
}
