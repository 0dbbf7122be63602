/**
 * Reads the events of a run as server-sent events, one connection at a time. event-reader.ts decides what to do when
 * one ends.
 */
import type { RunEvent } from '../../contract/events.ts';
import { isFinal } from '../../contract/tables/state.ts';
import { throwIfAborted, withDeadline } from '../http/deadline.ts';
import { isEvent } from '../http/shape.ts';
import { ServerSentEventParser } from './server-sent-events.ts';

export interface StreamTimes {
  /** The server sends a first byte at once. A proxy that buffers responses holds it back. */
  readonly firstByteMs: number;
  /** Three missed keep-alive comments: the connection is dead. */
  readonly silenceMs: number;
  /** The server closes the stream after the last event. */
  readonly closingMs: number;
}

export const streamTimes: StreamTimes = Object.freeze({ firstByteMs: 15_000, silenceMs: 45_000, closingMs: 2_000 });

interface StreamReading {
  readonly signal?: AbortSignal | undefined;
  /** @default streamTimes */
  readonly times?: StreamTimes | undefined;
  /** Called with every chunk, including comments. */
  readonly onChunk?: (() => void) | undefined;
}

export type StreamEnd =
  /** After the last event of an ended run. */
  | 'over'
  /** Closed, broken or silent. */
  | 'ended'
  /** No readable event stream arrived, so another attempt would not help. */
  | 'useless';

/** Yields every event, then returns how the connection ended. Throws AbortedError. Always closes the connection. */
export async function* readStream(
  stream: ReadableStream<Uint8Array>,
  { signal, times = streamTimes, onChunk }: StreamReading = {},
): AsyncGenerator<RunEvent, StreamEnd, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const parser = new ServerSentEventParser();
  let hasReceived = false;
  let closesAtMs: number | undefined;
  try {
    for (;;) {
      const restMs = closesAtMs === undefined ? times.silenceMs : Math.max(1, closesAtMs - performance.now());
      const piece = await readPiece(reader, hasReceived ? restMs : times.firstByteMs, signal);
      if (piece === 'silent' && !hasReceived) return 'useless';
      if (typeof piece === 'string') return closesAtMs === undefined ? 'ended' : 'over';
      hasReceived = true;
      onChunk?.();
      for (const message of parser.read(decoder.decode(piece, { stream: true }))) {
        const event = readEvent(message);
        closesAtMs = isLast(event) ? performance.now() + times.closingMs : undefined;
        yield event;
      }
      // Comments may never stop.
      if (closesAtMs !== undefined && performance.now() >= closesAtMs) return 'over';
    }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return 'useless';
    throw error;
  } finally {
    // Not awaited: a broken stream may never settle it.
    reader.cancel().catch(() => {});
  }
}

/** The next bytes, or why there are none. Throws AbortedError. */
async function readPiece(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | 'closed' | 'silent'> {
  const silent = new Error('silent');
  try {
    const { value } = await withDeadline({ ms, signal, onTimeout: () => silent }, () => reader.read());
    return value ?? 'closed';
  } catch (error) {
    throwIfAborted(signal);
    return error === silent ? 'silent' : 'closed';
  }
}

function isLast({ type, data }: RunEvent): boolean {
  return type === 'state' && isFinal(String(data.state));
}

/** Throws SyntaxError for anything but an event of a run. */
function readEvent(data: string): RunEvent {
  const event = JSON.parse(data) as unknown;
  if (!isEvent(event)) throw new SyntaxError('not an event of a run');
  return event as RunEvent;
}
