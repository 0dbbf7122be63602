/** Requests and responses with changes. */
import { apiPrefix } from '../../contract/tables/routes.ts';
import { passOn } from './pieces.ts';

interface RequestChanges {
  readonly url?: URL | undefined;
  readonly headers?: Headers | undefined;
  /** Changes to a JSON body. */
  readonly changeJson?: ((name: string, value: unknown) => unknown) | undefined;
}

/** The same request with the changes. Its body is read. */
export async function changeRequest(request: Request, changes: RequestChanges): Promise<Request> {
  const { url = request.url, headers = request.headers, changeJson } = changes;
  const { method, signal } = request;
  const read = async () =>
    changeJson === undefined ? await request.arrayBuffer() : changeText(await request.text(), changeJson);
  const body = method === 'GET' || method === 'HEAD' ? undefined : await read();
  return new Request(url, { method, headers, signal, ...(body === undefined ? {} : { body }) });
}

/** The same response with other headers or another body. The sender sets its length again. */
export function changeResponse(
  response: Response,
  changes: {
    readonly headers?: Readonly<Record<string, string | undefined>>;
    readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  },
): Response {
  const headers = new Headers(response.headers);
  if (changes.body !== undefined) headers.delete('content-length');
  for (const [name, value] of Object.entries(changes.headers ?? {})) {
    if (value === undefined) headers.delete(name);
    else headers.set(name, value);
  }
  const body = changes.body === undefined ? response.body : changes.body;
  const { status, statusText } = response;
  return new Response([204, 205, 304].includes(status) ? null : body, { status, statusText, headers });
}

/**
 * The response with the members of its JSON changed, in one document or in the events of a stream. Other responses
 * stay as they are.
 */
export async function changeJson(
  response: Response,
  change: (name: string, value: unknown) => unknown,
): Promise<Response> {
  const type = response.headers.get('content-type') ?? '';
  if (response.body === null) return response;
  if (isEventStream(response)) {
    const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
    // The server writes whole events.
    const changeData = (text: string): string =>
      text.replace(/^data: (.*)$/gm, (_all, data: string) => `data: ${changeText(data, change)}`);
    const step = (piece: Uint8Array) => ({
      pieces: [encoder.encode(changeData(decoder.decode(piece, { stream: true })))],
    });
    return changeResponse(response, { body: passOn(response.body, { step }) });
  }
  if (!/\bjson\b/i.test(type)) return response;
  return changeResponse(response, { body: changeText(await response.text(), change) });
}

export function isEventStream(response: Response): boolean {
  return /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
}

/** The server's own 404 for a missing run or address, with the names of the request. */
export async function answerMissing(
  request: Request,
  ask: (request: Request) => Promise<Response>,
  missing: { readonly runId: string } | 'address',
): Promise<Response> {
  const url = new URL(request.url);
  const path = url.pathname;
  url.pathname = missing === 'address' ? `${apiPrefix}/no-such-address` : path.replace(missing.runId, unknownRunId);
  const standIn = missing === 'address' ? url.pathname : unknownRunId;
  const answer = await ask(await changeRequest(request, { url }));
  const text = (await answer.text()).replaceAll(standIn, missing === 'address' ? path : missing.runId);
  return changeResponse(answer, { body: text });
}

const unknownRunId = '00000000-0000-7000-8000-000000000000';

function changeText(text: string, change: (name: string, value: unknown) => unknown): string {
  try {
    return JSON.stringify(JSON.parse(text, change));
  } catch {
    return text;
  }
}
