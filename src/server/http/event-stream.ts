import type { StoredRun } from '../store/store.ts';
import type { Handlers } from './app.ts';
import { readEventPage } from './event-page.ts';

/** Sent first. Some proxies and readers hold back the head until the body begins. */
const opening = ': the events of a run\n\n';

/** Limits the memory of a slow reader: one piece waits for each. */
const piece = { limit: 100, maxBytes: 256 * 1024 } as const;

interface EventStream {
  readonly run: StoredRun;
  /** The last event that the reader has. */
  readonly after: number;
  readonly callerUid: string;
  readonly signal: AbortSignal;
  /** @default 15 */
  readonly commentSeconds?: number;
}

/**
 * Streams a run's events as server-sent events (WHATWG HTML, 9.2). `id` is the number, `data` the event as in a JSON
 * page. The stream ends after the last event of an ended run. A comment in quiet periods keeps proxies from closing
 * the connection. Each piece is made after the reader has taken the one before.
 */
export function streamEvents(
  { store, waiters, stopping }: Pick<Handlers, 'store' | 'waiters' | 'stopping'>,
  { run: found, after, callerUid, signal, commentSeconds = 15 }: EventStream,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const cancelled = new AbortController();
  const gone = AbortSignal.any([signal, cancelled.signal]);
  let isOpen = false;
  let lastSent = after;
  // The latest state. The lease is renewed by its remaining time, and not at all after its release.
  let run = found;
  return new ReadableStream(
    {
      async pull(controller) {
        if (!isOpen) {
          isOpen = true;
          controller.enqueue(encoder.encode(opening));
          return;
        }
        run = await waiters.wait({
          run,
          callerUid,
          waitMs: commentSeconds * 1000,
          signal: gone,
          isReady: seen => seen.lastSeq > lastSent || seen.finishedAt !== undefined,
        });
        const page = await readEventPage(store, { run, after: lastSent, ...piece });
        lastSent = page.next_after;
        const text = page.events.map(event => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`).join('');
        if (cancelled.signal.aborted) return;
        if (text !== '' || !page.done) controller.enqueue(encoder.encode(text === '' ? ': nothing new\n\n' : text));
        if (page.done || gone.aborted || stopping.aborted) controller.close();
      },
      cancel() {
        cancelled.abort();
      },
    },
    { highWaterMark: 0 },
  );
}
