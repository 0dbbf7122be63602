import { headOfUtf8 } from '../../base/text.ts';
import type { EventDraft } from '../../contract/events.ts';
import { sizes } from '../../contract/tables/sizes.ts';

type Stream = 'stdout' | 'stderr';

interface Piece {
  readonly stream: Stream;
  text: string;
}

type Part = Piece | { readonly event: EventDraft };

/** Cost of an event in addition to its text, so that a program printing single characters cannot fill the store. */
export const eventCostBytes = 64;
/** A commit of this size blocks the server for a few milliseconds. */
const fullBytes = 256 * 1024;
/** Events in one commit. Each takes five of the variables of a statement. */
const fullEvents = 200;

/** Output and events, in order, until they are written. */
export class EventBuffer {
  #parts: Part[] = [];
  #bytes = 0;

  /** Whether it holds enough for one commit. */
  get isFull(): boolean {
    return this.#bytes >= fullBytes || this.#parts.length >= fullEvents;
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  /** Returns whether the text begins an event, instead of continuing the last one. */
  pushText(stream: Stream, text: string): boolean {
    this.#bytes += Buffer.byteLength(text);
    const last = this.#parts.at(-1);
    if (last !== undefined && 'stream' in last && last.stream === stream) {
      last.text += text;
      return false;
    }
    this.#parts.push({ stream, text });
    this.#bytes += eventCostBytes;
    return true;
  }

  pushEvent(event: EventDraft, bytes: number): void {
    this.#parts.push({ event });
    this.#bytes += bytes;
  }

  /** Removes events, in groups of one commit each. An incomplete last one stays, unless everything is wanted. */
  take(what: 'full events' | 'everything'): readonly (readonly EventDraft[])[] {
    const last = what === 'everything' ? undefined : this.#parts.at(-1);
    const events = this.#parts.flatMap(part => ('event' in part ? [part.event] : cutEvents(part, part === last)));
    const hasRest = last !== undefined && 'text' in last && last.text !== '';
    this.#parts = hasRest ? [last] : [];
    this.#bytes = hasRest ? Buffer.byteLength(last.text) + eventCostBytes : 0;
    return Array.from({ length: Math.ceil(events.length / fullEvents) }, (_, index) =>
      events.slice(index * fullEvents, (index + 1) * fullEvents),
    );
  }
}

/** Cuts output into events, at line ends if possible. With `keepRest`, an incomplete last one stays in the piece. */
function cutEvents(piece: Piece, keepRest: boolean): readonly EventDraft[] {
  const { stream, text } = piece;
  const events: EventDraft[] = [];
  let at = 0;
  for (;;) {
    const head = headOfEvent(text, at);
    if (at + head.length === text.length) break;
    const cut = head.slice(0, head.lastIndexOf('\n') + 1) || head;
    events.push({ type: 'log', data: { stream, text: cut } });
    at += cut.length;
  }
  piece.text = text.slice(at);
  if (!keepRest && piece.text !== '') events.push({ type: 'log', data: { stream, text: piece.text } });
  return events;
}

function headOfEvent(text: string, at: number): string {
  const head = text.slice(at, at + sizes.logEventBytes);
  return Buffer.byteLength(head) <= sizes.logEventBytes ? head : headOfUtf8(head, sizes.logEventBytes);
}
