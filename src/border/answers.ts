/**
 * The only place that reads network messages: bodies up to a limit, JSON, retry delays, and redirects, which are not
 * followed. It runs in every runtime of the client.
 */
import { unlessAborted } from '../base/network/answer-race.ts';
import { parseUrl } from '../base/network/url.ts';

/** A response from fetch, or an incoming request. */
type Message = Pick<Response, 'body' | 'headers' | 'arrayBuffer'>;

export class BodyTooLongError extends Error {
  override readonly name = 'BodyTooLongError';

  constructor(bytesMax: number) {
    super(`the body is longer than ${bytesMax} bytes`);
  }
}

/** Up to this length, a body is read at once. */
export const smallBytes = 1024 * 1024;

/**
 * The body as a stream. Some runtimes (React Native) have no body streams, and some packages (node-fetch) have
 * streams of another kind.
 */
export function findStream({ body }: Message): ReadableStream<Uint8Array<ArrayBuffer>> | undefined {
  return typeof body?.getReader === 'function' ? body : undefined;
}

/** The whole body. Throws BodyTooLongError, and connection errors. */
export async function readBytes(message: Message, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const { headers } = message;
  // Reading all at once is several times faster. It is safe if the final length is known.
  const length = headers.has('content-encoding') ? Number.NaN : Number(headers.get('content-length') ?? Number.NaN);
  if (length <= smallBytes || findStream(message) === undefined) {
    if (length > bytesMax) throw new BodyTooLongError(bytesMax);
    const whole = new Uint8Array(await message.arrayBuffer());
    if (whole.length > bytesMax) throw new BodyTooLongError(bytesMax);
    return whole;
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of readChunks(message, bytesMax)) {
    chunks.push(chunk);
    bytes += chunk.length;
  }
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** The body in chunks. Throws like `readBytes`. Cancels a body that is not read to its end. */
export async function* readChunks(message: Message, bytesMax: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const stream = findStream(message);
  if (stream === undefined) return void (yield await readBytes(message, bytesMax));
  // Some streams (Safari before 2026) are not iterable.
  const reader = stream.getReader();
  let bytes = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      bytes += read.value.length;
      if (bytes > bytesMax) throw new BodyTooLongError(bytesMax);
      yield read.value;
    }
  } finally {
    // Has no effect at the end of a body, and rejects for a broken one.
    reader.cancel().catch(() => {});
  }
}

/** The same response with its whole body in memory. Throws like `readBytes`. */
export async function bufferAnswer(answer: Response, bytesMax: number): Promise<Response> {
  if (answer.body === null) return answer;
  const { status, statusText, headers } = answer;
  return new Response(await readBytes(answer, bytesMax), { status, statusText, headers: [...headers] });
}

interface Watch {
  readonly onChunk?: () => void;
  /** Called once, however the body ends. */
  readonly onEnd?: () => void;
  /** Its abort fails the body with its reason. */
  readonly signal?: AbortSignal;
}

/** The same response, still a stream. */
export function watchAnswer(answer: Response, { onChunk, onEnd, ...options }: Watch): Response {
  if (answer.body === null) {
    onEnd?.();
    return answer;
  }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, to) {
      onChunk?.();
      to.enqueue(chunk);
    },
  });
  // The reader of the stream gets the error.
  answer.body
    .pipeTo(writable, options)
    .catch(() => {})
    .finally(onEnd);
  return new Response(readable, answer);
}

/** Cancels a body that is not needed. */
export async function cancelBody(message: Message): Promise<void> {
  await findStream(message)?.cancel();
}

/**
 * The response of a server that is called without a socket. Rejects with the signal's reason, and cancels a later
 * response.
 */
export async function answerUnlessAborted(answer: Promise<Response>, signal: AbortSignal): Promise<Response> {
  try {
    return await unlessAborted(answer, signal);
  } catch (error) {
    answer.then(cancelBody).catch(() => {});
    throw error;
  }
}

/** Undefined for text that is not JSON, such as a proxy's page. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The wait that a response asks for, in ms, from `retry-after-ms` or `Retry-After` (seconds or a date); undefined if
 * it has none that can be read. `nowMs` is for a response without a `Date`.
 */
export function readRetryAfterMs(
  get: (header: string) => string | null | undefined,
  nowMs: number,
): number | undefined {
  const ms = readNumber(get('retry-after-ms'));
  if (ms !== undefined) return ms;
  const text = get('retry-after') ?? '';
  const seconds = readNumber(text);
  if (seconds !== undefined) return seconds * 1000;
  // Date.parse accepts almost anything. An HTTP date begins with the day of the week.
  const at = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) return undefined;
  // Both dates are by the server's clock.
  const sent = Date.parse(get('date') ?? '');
  return at - (Number.isNaN(sent) ? nowMs : sent);
}

function readNumber(text: string | null | undefined): number | undefined {
  return /^\d+(\.\d+)?$/.test(text?.trim() ?? '') ? Number(text) : undefined;
}

/** The origin of a redirect's target. The rest may contain a token. Undefined without a valid address. */
export function findTarget({ headers, url }: Pick<Response, 'headers' | 'url'>): string | undefined {
  const location = headers.get('location');
  const target = location === null ? null : parseUrl(location, url === '' ? undefined : url);
  return target?.origin === 'null' ? target.protocol : target?.origin;
}

/** A server redirects. Following it could send a token to another host. */
export class RedirectError extends Error {
  override readonly name = 'RedirectError';
}

/** Throws RedirectError for a redirect: `it redirects to https://example.com (status 302), REST`. */
export async function refuseRedirect(answer: Response, rest: string): Promise<void> {
  const { status, headers } = answer;
  if (status < 300 || status >= 400 || !headers.has('location')) return;
  await cancelBody(answer);
  const target = findTarget(answer);
  throw new RedirectError(`it redirects${target === undefined ? '' : ` to ${target}`} (status ${status}), ${rest}`);
}

/** The RedirectError among an error and its causes. */
export function findRedirect(error: unknown): RedirectError | undefined {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error; depth += 1) {
    if (inner instanceof RedirectError) return inner;
    inner = inner.cause;
  }
  return undefined;
}
