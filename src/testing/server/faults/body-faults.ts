/**
 * Faults on the way of a body. Streams are passed on in pieces. Other bodies are read first, so that a fault can
 * count from their end.
 */

import { passOn, type Step } from '../pieces.ts';
import { changeResponse, isEventStream } from '../rewriting.ts';
import type { Connection } from './faulty-connection.ts';

/** Sends pieces of `bytes`, with a pause of `rest` before each. */
export function slowDown(response: Response, bytes: number, rest: () => Promise<void>): Response {
  if (response.body === null) return response;
  const step = (piece: Uint8Array): Step => ({
    pieces: Array.from({ length: Math.ceil(piece.length / bytes) }, (_all, index) =>
      piece.subarray(index * bytes, (index + 1) * bytes),
    ),
  });
  return changeResponse(response, { body: passOn(response.body, { step, rest }) });
}

/** A complete response with a truncated body. */
export async function truncateBody(response: Response, bytes: number): Promise<Response> {
  if (response.body === null) return response;
  if (isEventStream(response))
    return changeResponse(response, { body: passOn(response.body, { step: stepsUpTo(bytes) }) });
  return changeResponse(response, { body: (await readBytes(response)).subarray(0, bytes) });
}

const streamBytes = 100;

/** Breaks the connection within the body, or before the headers if there is no body. */
export async function breakBody(
  response: Response,
  bytes: number | undefined,
  connection: Connection,
): Promise<Response> {
  const finish = () => connection.breakBody();
  if (isEventStream(response) && response.body !== null) {
    const step = stepsUpTo(bytes ?? streamBytes);
    return changeResponse(response, { body: passOn(response.body, { step, finish }) });
  }
  const body = await readBytes(response);
  const sent = body.subarray(0, Math.min(bytes ?? body.length / 2, body.length - 1));
  const start = new Response(sent).body;
  if (body.length === 0 || start === null) return await connection.breakOff();
  const cut = passOn(start, { step: piece => ({ pieces: [piece] }), finish });
  return changeResponse(response, { body: cut, headers: { 'Content-Length': String(body.length) } });
}

/** Breaks the connection of an event stream after a number of whole events. A shorter stream ends normally. */
export function breakStream(response: Response, events: number, connection: Connection): Response {
  if (response.body === null) return response;
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let left = events;
  let unfinished = '';
  const step = (piece: Uint8Array): Step => {
    const parts = (unfinished + decoder.decode(piece, { stream: true })).split('\n\n');
    unfinished = parts.pop() ?? '';
    const passed: string[] = [];
    for (const part of parts) {
      const isEvent = /^data:/m.test(part);
      if (isEvent && left === 0) break;
      passed.push(`${part}\n\n`);
      if (isEvent) left -= 1;
      if (left === 0) break;
    }
    return { pieces: [encoder.encode(passed.join(''))], isLast: left === 0 };
  };
  const finish = async (isCut: boolean) => (isCut ? await connection.breakBody() : undefined);
  return changeResponse(response, { body: passOn(response.body, { step, finish }) });
}

/** The headers of the response, then nothing until `over`. */
export async function silence(response: Response, over: AbortSignal): Promise<Response> {
  await response.body?.cancel();
  const silent = new ReadableStream<Uint8Array>({
    start(to) {
      const end = (): void => {
        try {
          to.close();
        } catch {
          // Its reader may be gone already.
        }
      };
      if (over.aborted) end();
      else over.addEventListener('abort', end, { once: true });
    },
  });
  return changeResponse(response, { body: silent });
}

/** The whole response at once, when the server has ended it. */
export async function holdBack(response: Response): Promise<Response> {
  return response.body === null ? response : changeResponse(response, { body: await readBytes(response) });
}

async function readBytes(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await response.arrayBuffer());
}

/** Passes on a number of bytes, then nothing more. */
function stepsUpTo(bytes: number): (piece: Uint8Array) => Step {
  let left = bytes;
  return piece => {
    const start = piece.subarray(0, left);
    left -= start.length;
    return { pieces: [start], isLast: left === 0 };
  };
}
