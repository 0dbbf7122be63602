/** The events of a run as server-sent events, one connection at a time; what to do when it ends is decided in event-reader.ts. */
import type { RunEvent } from '../../contract/events.ts';
import { isFinal } from '../../contract/tables/state.ts';
import { throwIfAborted, withDeadline } from '../http/deadline.ts';
import { isEvent } from '../http/shape.ts';
import { ServerSentEventParser } from './server-sent-events.ts';

export interface StreamTimes {
  /** The server speaks at once; a proxy that collects answers keeps that to itself. */
  readonly firstWordMs: number;
  /** Three comments of the server missed: nobody is there any more. */
  readonly silenceMs: number;
  /** After the last event the server closes. */
  readonly closingMs: number;
}

export const streamTimes: StreamTimes = Object.freeze({ firstWordMs: 15_000, silenceMs: 45_000, closingMs: 2_000 });

interface StreamReading {
  readonly signal?: AbortSignal | undefined;
  /** @default streamTimes */
  readonly times?: StreamTimes | undefined;
  /** Told of every piece that comes, comments included. */
  readonly onWord?: (() => void) | undefined;
}

/** How a connection ended, and with it what is to be done next. */
export type StreamEnd =
  /** After the last event of a run that is over. */
  | 'over'
  /** Closed, broken or fallen silent. */
  | 'ended'
  /** No word of it, or none that can be understood: this way is no use here. */
  | 'useless';

/** Gives every event as it comes, then says how it ended. Throws AbortedError. The connection is closed whatever happens. */
export async function* readStream(
  stream: ReadableStream<Uint8Array>,
  { signal, times = streamTimes, onWord }: StreamReading = {},
): AsyncGenerator<RunEvent, StreamEnd, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const parser = new ServerSentEventParser();
  let hasSpoken = false;
  let closesAtMs: number | undefined;
  try {
    for (;;) {
      const restMs = closesAtMs === undefined ? times.silenceMs : Math.max(1, closesAtMs - performance.now());
      const piece = await readPiece(reader, hasSpoken ? restMs : times.firstWordMs, signal);
      if (piece === 'silent' && !hasSpoken) return 'useless';
      if (typeof piece === 'string') return closesAtMs === undefined ? 'ended' : 'over';
      hasSpoken = true;
      onWord?.();
      for (const message of parser.read(decoder.decode(piece, { stream: true }))) {
        const event = readEvent(message);
        closesAtMs = isLast(event) ? performance.now() + times.closingMs : undefined;
        yield event;
      }
      // Comments may go on for ever.
      if (closesAtMs !== undefined && performance.now() >= closesAtMs) return 'over';
    }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return 'useless';
    throw error;
  } finally {
    // It may be broken already, or go on for ever.
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

/** Throws SyntaxError for what is no event of a run. */
function readEvent(data: string): RunEvent {
  const event = JSON.parse(data) as unknown;
  if (!isEvent(event)) throw new SyntaxError('not an event of a run');
  return event as RunEvent;
}
