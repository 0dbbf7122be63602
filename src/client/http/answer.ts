/** Turns a response and its whole body into the service's answer, or into an error that says what came instead. */
import { BodyTooLongError, findStream, findTarget, parseJson, readBytes } from '../../border/answers.ts';
import { redactValue } from '../../border/secrets.ts';
import { headerNames } from '../../contract/tables/headers.ts';
import { createApiError, UnexpectedResponseError } from '../errors/answer-errors.ts';
import type { KnownKeys } from '../options/known-keys.ts';

export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Parsed JSON, or text; undefined if there is no body. */
  readonly data: unknown;
  readonly requestId: string | undefined;
  /** The unread body of an event stream, if the call accepts one. Its reader must cancel it. */
  readonly stream?: ReadableStream<Uint8Array> | undefined;
  /** Why `data` is not what the call asked for, if the caller may still use the response. */
  readonly unread?: UnexpectedResponseError | undefined;
}

/** Far above any answer of this service. The limit stops a small compressed body from filling the memory. */
const bodyBytesMax = 64 * 1024 * 1024;
/** The part of a body that an error keeps. Every problem document is shorter. */
const errorCharactersMax = 128 * 1024;
/** Deeper bodies are kept as text, because serializing the error again could overflow the stack. */
const levelsMax = 500;

const decoder = new TextDecoder();
/** Keeps a byte order mark: in plain text every character counts. */
const exactDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The whole body; an accepted stream stays unread. Throws UnexpectedResponseError for a body that is too long,
 * without reading it to the end.
 */
export async function readBody(
  call: Expectation,
  response: Response,
  keys: KnownKeys,
): Promise<Uint8Array<ArrayBuffer>> {
  if (takeStream(call, response) !== undefined) return new Uint8Array();
  try {
    return await readBytes(response, bodyBytesMax);
  } catch (error) {
    if (!(error instanceof BodyTooLongError)) throw error;
    throw new UnexpectedResponseError({
      method: call.method,
      path: call.path,
      status: response.status,
      headers: keys.redactHeaders(response.headers),
      text: '',
      why: `is longer than ${bodyBytesMax} bytes`,
    });
  }
}

/** What a call accepts as an answer. */
export interface Expectation {
  readonly method: string;
  readonly path: string;
  /**
   * `json` needs a document. `text` needs plain text from a server that sends the features header. The others accept
   * an empty body and leave other types unread.
   */
  readonly as: 'json' | 'any-json' | 'text' | 'any-text' | 'bytes';
  /** Whether the document is what the call asked for. */
  readonly isExpected?: ((data: unknown) => boolean) | undefined;
  /** Accepts 304 (not modified). */
  readonly takesNotModified?: boolean | undefined;
  /** Accepts a stream of server-sent events. The caller reads its body. */
  readonly takesStream?: boolean | undefined;
}

/**
 * Throws ApiError for an error status and UnexpectedResponseError for a response that this service does not send.
 * Neither contains a secret.
 */
export function readAnswer(
  call: Expectation,
  response: Response,
  body: Uint8Array<ArrayBuffer>,
  keys: KnownKeys,
): Answer {
  // A proxy's response may lack a status text.
  const { status, statusText = '', headers } = response;
  const text = (call.as.endsWith('text') ? exactDecoder : decoder).decode(body);
  const requestId = headers.get(headerNames.requestId) ?? undefined;
  const answer = { status, statusText, headers, body, data: undefined, requestId };
  const shown = (): string => keys.redact(text).slice(0, errorCharactersMax);
  const describe = (why: string, cut = false): UnexpectedResponseError =>
    new UnexpectedResponseError({
      method: call.method,
      path: call.path,
      status,
      headers: keys.redactHeaders(headers),
      text: shown(),
      why: keys.redact(why),
      cut,
    });
  const refuse = (why: string, cut = false): never => {
    throw describe(why, cut);
  };
  if (status === 304 && call.takesNotModified) return answer;
  const stream = takeStream(call, response);
  if (stream !== undefined) return { ...answer, stream };
  if (status >= 400) {
    throw createApiError({
      method: call.method,
      path: call.path,
      status,
      headers: keys.redactHeaders(headers),
      // Redacted again after it is parsed: JSON can spell a key in another way.
      body: redactValue(parseLoosely(shown()), part => keys.redact(part)),
    });
  }
  if (status < 200 || status >= 300) return refuse(describeRedirect(response));
  // Only this header shows that plain text was cut.
  const resultBytes = headers.get(headerNames.resultBytes);
  if (resultBytes !== null && Number(resultBytes) !== body.length && call.method !== 'HEAD')
    return refuse('has a truncated result', true);
  if (call.as === 'bytes') return { ...answer, data: body };
  const contentType = headers.get('content-type') ?? '';
  if (body.length === 0) {
    if (call.as.startsWith('any-')) return answer;
    // An empty JSON body was cut, unless the status says that there is no body.
    return refuse('has no body', status !== 204 && isJson(contentType));
  }
  if (call.as === 'text') {
    if (!/^text\/plain\b/i.test(contentType)) return refuse('is not plain text');
    // A result can be any text, so only the header tells it from a maintenance page.
    return headers.has(headerNames.features) ? { ...answer, data: text } : refuse('is text from another service');
  }
  // A caller that only wants the response gets it unchecked.
  if (call.as === 'any-text') {
    return !/\bx?html\b/i.test(contentType)
      ? { ...answer, data: text }
      : { ...answer, unread: describe('is an HTML page') };
  }
  if (!isJson(contentType))
    return call.as === 'any-json' ? { ...answer, unread: describe('is not JSON') } : refuse('is not JSON');
  const data = parseJson(text);
  if (data === undefined) return refuse('has truncated or invalid JSON', true);
  if (call.isExpected?.(data) === false) return refuse('is JSON, but not what this service sends');
  return { ...answer, data };
}

/** The answer as a new Response with its body unread. */
export function toResponse({ status, statusText, headers, body }: Answer): Response {
  // `Response` rejects some characters that a status text may contain.
  const reason = statusText.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');
  return new Response(body.length === 0 ? null : body, { status, statusText: reason, headers });
}

/** The same answer with other data. */
export function replaceData(answer: Answer, data: unknown): Answer {
  return { ...answer, data, body: new TextEncoder().encode(JSON.stringify(data)) };
}

function takeStream(call: Expectation, response: Response): ReadableStream<Uint8Array> | undefined {
  if (call.takesStream !== true || response.status !== 200) return undefined;
  return /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '') ? findStream(response) : undefined;
}

function isJson(contentType: string): boolean {
  return /^application\/([\w.+-]+\+)?json\b/i.test(contentType);
}

function parseLoosely(text: string): unknown {
  const data = parseJson(text);
  return data === undefined || isDeep(data) ? text || undefined : data;
}

function isDeep(data: unknown, levels = levelsMax): boolean {
  if (typeof data !== 'object' || data === null) return false;
  return levels === 0 || Object.values(data).some(value => isDeep(value, levels - 1));
}

/** Redirects are not followed, because the key would be sent along. */
function describeRedirect(response: Response): string {
  const { type, status } = response;
  if (type !== 'opaqueredirect' && (status < 300 || status === 304)) return 'is not an answer to this request';
  const target = findTarget(response);
  return `redirects${target === undefined ? '' : ` to ${target}`}, which is not followed`;
}
