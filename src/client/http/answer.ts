/** From a response and its whole body to an answer of the service, or to the error that says what came instead. */
import { headerNames } from '../../contract/headers.ts';
import { createApiError, UnexpectedResponseError } from '../errors/errors.ts';
import type { Secrets } from '../options/secrets.ts';

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
}

/** No answer of this service comes near it; a small one that unpacks to more is an attack on the memory. */
const bodyBytesMax = 64 * 1024 * 1024;
const smallBodyBytes = 1024 * 1024;
/** What an error keeps of its body, more than any problem document has; all of it is searched for secrets. */
const errorCharactersMax = 256 * 1024;

const decoder = new TextDecoder();
/** For plain text, of which every character counts. */
const exactDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A whole body; that of a stream that the call takes is left unread. Throws UnexpectedResponseError for one that is too long, and reads no further. */
export async function readBody(
  call: Expectation,
  response: Response,
  secrets: Secrets,
): Promise<Uint8Array<ArrayBuffer>> {
  if (isTakenStream(call, response)) return new Uint8Array();
  const { headers } = response;
  // Several times faster, and safe where the length is known and is that of what comes out.
  const length = headers.has('content-encoding') ? Number.NaN : Number(headers.get('content-length') ?? Number.NaN);
  if (length <= smallBodyBytes) return new Uint8Array(await response.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > bodyBytesMax) {
      throw new UnexpectedResponseError({
        method: call.method,
        path: call.path,
        status: response.status,
        headers: secrets.cleanHeaders(headers),
        text: '',
        why: `is longer than ${bodyBytesMax} bytes`,
      });
    }
  }
  const body = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}

/** What a call takes for an answer. */
export interface Expectation {
  readonly method: string;
  readonly path: string;
  /** `json` needs a document, `any-json` takes an empty body as well. */
  readonly as: 'json' | 'any-json' | 'text';
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
  secrets: Secrets,
): Answer {
  const { status, statusText, headers } = response;
  const text = (call.as === 'text' ? exactDecoder : decoder).decode(body);
  const requestId = headers.get(headerNames.requestId) ?? undefined;
  const answer = { status, statusText, headers, body, data: undefined, requestId };
  const shown = (): string => secrets.clean(text.slice(0, errorCharactersMax));
  const refuse = (why: string, cut = false): never => {
    throw new UnexpectedResponseError({
      method: call.method,
      path: call.path,
      status,
      headers: secrets.cleanHeaders(headers),
      text: shown(),
      why: secrets.clean(why),
      cut,
    });
  };
  if (status === 304 && call.takesNotModified) return answer;
  if (isTakenStream(call, response)) return { ...answer, stream: response.body };
  if (status >= 400) {
    throw createApiError({
      method: call.method,
      path: call.path,
      status,
      headers: secrets.cleanHeaders(headers),
      body: parseLoosely(shown()),
    });
  }
  if (status < 200 || status >= 300) return refuse(describeRedirect(response));
  if (body.length === 0) return call.as === 'any-json' ? answer : refuse('came without a body');
  const contentType = headers.get('content-type') ?? '';
  if (call.as === 'text') {
    return /^text\/plain\b/i.test(contentType) ? { ...answer, data: text } : refuse('is no plain text');
  }
  if (!isJson(contentType)) return refuse('is no JSON');
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return refuse('has JSON that was cut or is broken', true);
  }
  if (call.isExpected?.(data) === false) return refuse('is JSON of another kind than this service sends');
  return { ...answer, data };
}

/** The answer as a Response of its own, with its body unread. */
export function toResponse({ status, statusText, headers, body }: Answer): Response {
  return new Response(body.length === 0 ? null : body, { status, statusText, headers });
}

/** The same answer with other data, for what was found out in a roundabout way. */
export function replaceData(answer: Answer, data: unknown): Answer {
  return { ...answer, data, body: new TextEncoder().encode(JSON.stringify(data)) };
}

/** Some runtimes cannot read a body bit by bit and have none. */
function isTakenStream(
  call: Expectation,
  response: Response,
): response is Response & { readonly body: ReadableStream<Uint8Array> } {
  if (call.takesStream !== true || response.status !== 200 || response.body === null) return false;
  return /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
}

function isJson(contentType: string): boolean {
  return /^application\/([\w.+-]+\+)?json\b/i.test(contentType);
}

function parseLoosely(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** A redirect is not followed: the key would go along. Only the origin is named, for the rest may hold a token. */
function describeRedirect({ status, type, headers, url }: Response): string {
  if (type !== 'opaqueredirect' && (status < 300 || status === 304)) return 'is no answer to this request';
  const location = headers.get('location');
  const target = location === null ? null : URL.parse(location, url === '' ? undefined : url);
  return `redirects${target === null ? '' : ` to ${target.origin}`}, which is not followed`;
}
