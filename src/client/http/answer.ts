/** From a response and its whole body to an answer of the service, or to the error that says what came instead. */
import { headerNames } from '../../contract/headers.ts';
import { createApiError, UnexpectedResponseError } from '../errors/errors.ts';

/** A whole answer of the service. */
export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Parsed JSON, or text; undefined where there is no body. */
  readonly data: unknown;
  readonly requestId: string | undefined;
}

/** No answer of this service comes near it; a small one that unpacks to more is an attack on the memory. */
const bodyBytesMax = 64 * 1024 * 1024;

/** A whole body. Throws UnexpectedResponseError for one that is too long, and reads no further. */
export async function readBody(
  { method, path }: Pick<Expectation, 'method' | 'path'>,
  response: Response,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > bodyBytesMax) {
      const { status, headers } = response;
      throw new UnexpectedResponseError({
        method,
        path,
        status,
        headers,
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
}

/** Throws ApiError for an error status and UnexpectedResponseError for what this service does not say. `secret` is cut out of both. */
export function readAnswer(
  call: Expectation,
  response: Response,
  body: Uint8Array<ArrayBuffer>,
  secret: string,
): Answer {
  const { status, statusText, headers } = response;
  const text = new TextDecoder('utf-8', { ignoreBOM: call.as === 'text' }).decode(body);
  const requestId = headers.get(headerNames.requestId) ?? undefined;
  const answer = { status, statusText, headers, body, data: undefined, requestId };
  const refuse = (why: string, cut = false): never => {
    const shown = text.replaceAll(secret, '***');
    throw new UnexpectedResponseError({ method: call.method, path: call.path, status, headers, text: shown, why, cut });
  };
  if (status === 304 && call.takesNotModified) return answer;
  if (status >= 400) {
    const shown = text.replaceAll(secret, '***');
    throw createApiError({ method: call.method, path: call.path, status, headers, body: parseLoosely(shown) });
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
