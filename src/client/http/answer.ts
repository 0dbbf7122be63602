/** From a response and its whole body to an answer of the service, or to the error that says what came instead. */
import { BodyTooLongError, findStream, findTarget, parseJson, readBytes } from '../../border/answers.ts';
import { headerNames } from '../../contract/tables/headers.ts';
import { createApiError, UnexpectedResponseError } from '../errors/answer-errors.ts';
import type { KnownKeys } from '../options/known-keys.ts';

/** A whole answer of the service. */
export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Parsed JSON, or text; undefined where there is no body. */
  readonly data: unknown;
  readonly requestId: string | undefined;
  /** The unread body of a stream of events, where the call takes one. Whoever reads it cancels it. */
  readonly stream?: ReadableStream<Uint8Array> | undefined;
  /** Why `data` is not what the call asked for, where the response may be had all the same. */
  readonly unread?: UnexpectedResponseError | undefined;
}

/** No answer of this service comes near it; a small one that unpacks to more is an attack on the memory. */
const bodyBytesMax = 64 * 1024 * 1024;
/** What an error keeps of its body, more than any problem document has. */
const errorCharactersMax = 128 * 1024;
/** An error whose body is as deep as the stack could not be written as JSON again; a deeper one is kept as text. */
const levelsMax = 500;

const decoder = new TextDecoder();
/** For plain text, of which every character counts. */
const exactDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A whole body; that of a stream that the call takes is left unread. Throws UnexpectedResponseError for one that is too long, and reads no further. */
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

/** What a call takes for an answer. */
export interface Expectation {
  readonly method: string;
  readonly path: string;
  /** `json` needs a document and `text` plain text of a server that announces features; the others take an empty body as well, and leave what is of another type unread. */
  readonly as: 'json' | 'any-json' | 'text' | 'any-text' | 'bytes';
  /** Whether the document is what the call asked for. */
  readonly isExpected?: ((data: unknown) => boolean) | undefined;
  /** 304 is an answer: nothing has changed. */
  readonly takesNotModified?: boolean | undefined;
  /** A stream of server-sent events is an answer; its body is left to the caller. */
  readonly takesStream?: boolean | undefined;
}

/** Throws ApiError for an error status and UnexpectedResponseError for what this service does not say; neither holds a secret. */
export function readAnswer(
  call: Expectation,
  response: Response,
  body: Uint8Array<ArrayBuffer>,
  keys: KnownKeys,
): Answer {
  // Answers of a proxy may come without one.
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
      body: parseLoosely(shown()),
    });
  }
  if (status < 200 || status >= 300) return refuse(describeRedirect(response));
  // A text shows by nothing else that it was cut in a whole answer.
  const resultBytes = headers.get(headerNames.resultBytes);
  if (resultBytes !== null && Number(resultBytes) !== body.length && call.method !== 'HEAD')
    return refuse('has a truncated result', true);
  if (call.as === 'bytes') return { ...answer, data: body };
  const contentType = headers.get('content-type') ?? '';
  if (body.length === 0) {
    if (call.as.startsWith('any-')) return answer;
    // A document of no length is one that was cut, unless the status says that there is none.
    return refuse('has no body', status !== 204 && isJson(contentType));
  }
  if (call.as === 'text') {
    if (!/^text\/plain\b/i.test(contentType)) return refuse('is not plain text');
    // Anything can be a result, so only the header tells a page for maintenance from one.
    return headers.has(headerNames.features) ? { ...answer, data: text } : refuse('is text from another service');
  }
  // Whoever asks for the response alone may have it, whatever it is.
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

/** The answer as a Response of its own, with its body unread. */
export function toResponse({ status, statusText, headers, body }: Answer): Response {
  // A reason with letters that a Response does not take was no more than a phrase.
  const reason = statusText.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');
  return new Response(body.length === 0 ? null : body, { status, statusText: reason, headers });
}

/** The same answer with other data, for what was found out in a roundabout way. */
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

/** A redirect is not followed: the key would go along. */
function describeRedirect(response: Response): string {
  const { type, status } = response;
  if (type !== 'opaqueredirect' && (status < 300 || status === 304)) return 'is not an answer to this request';
  const target = findTarget(response);
  return `redirects${target === undefined ? '' : ` to ${target}`}, which is not followed`;
}
