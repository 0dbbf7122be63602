import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Performance } from './performance.ts';

/** When a connection breaks, fetch drops unread data, so a client gets a moment to read before the cut. */
const pauseBeforeCutMs = 50;

/** Sends an answer. Returns early, without an error, when the client disconnects or the server closes. */
export async function perform(response: ServerResponse, performance: Performance): Promise<void> {
  if (response.destroyed) return;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const { signal } = gone;
  try {
    await send(response, performance, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function send(response: ServerResponse, performance: Performance, signal: AbortSignal): Promise<void> {
  const { delayMs, status, headers, chunks, chunkDelayMs, ending } = performance;
  if (delayMs > 0) await sleep(delayMs, undefined, { signal });
  if (status !== undefined) {
    response.writeHead(status, { ...headers });
    response.flushHeaders();
  }
  for (const [index, chunk] of chunks.entries()) {
    if (index > 0 && chunkDelayMs > 0) await sleep(chunkDelayMs, undefined, { signal });
    await write(response, chunk, signal);
  }
  if (ending === 'whole') response.end();
  else if (ending === 'hang') await untilAborted(signal);
  else {
    await sleep(pauseBeforeCutMs, undefined, { signal });
    response.destroy();
  }
}

/** Until the chunk is sent, so that each is a packet of its own. */
async function write(response: ServerResponse, chunk: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const written = Promise.withResolvers<void>();
  response.write(chunk, error => (error ? written.reject(error) : written.resolve()));
  const onAbort = (): void => written.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await written.promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
