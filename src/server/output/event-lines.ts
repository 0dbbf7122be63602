import { TextDecoder } from 'node:util';
import type { EventDraft } from '../../contract/events.ts';
import type { OutputReader } from '../harness/harness.ts';

/** The parts of a line stream: events and other output. */
export type LinePart = { readonly events: readonly EventDraft[] } | { readonly text: string };

/** A longer line is not an event. Bounds the memory that a program can use. */
const lineCharactersMax = 8 * 1024 * 1024;

/**
 * Splits the standard output of an agent into lines and has them read. Only LF ends a line, because texts may contain
 * Unicode's other line separators. Non-events are passed on unchanged.
 */
export class EventLines {
  readonly #reader: OutputReader;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #pieces: string[] = [];
  #characters = 0;
  #isTooLong = false;

  constructor(reader: OutputReader) {
    this.#reader = reader;
  }

  read(chunk: Uint8Array): readonly LinePart[] {
    return this.#take(this.#decoder.decode(chunk, { stream: true }));
  }

  /** The last line, if it has no line end. */
  end(): readonly LinePart[] {
    const parts = this.#take(this.#decoder.decode());
    const rest = this.#endLine('');
    return rest === undefined ? parts : [...parts, rest];
  }

  #take(text: string): readonly LinePart[] {
    const parts: LinePart[] = [];
    let at = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
      this.#gather(text.slice(at, end));
      const part = this.#endLine('\n');
      if (part !== undefined) parts.push(part);
      at = end + 1;
    }
    this.#gather(text.slice(at));
    return parts;
  }

  #gather(text: string): void {
    this.#characters += text.length;
    if (this.#characters > lineCharactersMax) {
      this.#isTooLong = true;
      this.#pieces = [];
    } else if (text !== '') this.#pieces.push(text);
  }

  #endLine(lineEnd: '\n' | ''): LinePart | undefined {
    const line = this.#pieces.join('');
    const isTooLong = this.#isTooLong;
    const characters = this.#characters;
    this.#pieces = [];
    this.#characters = 0;
    this.#isTooLong = false;
    if (isTooLong) return { text: `[a line of ${characters} characters was omitted]\n` };
    if (line.trim() === '') return undefined;
    const events = this.#reader.readLine(line.endsWith('\r') ? line.slice(0, -1) : line);
    return events === undefined ? { text: `${line}${lineEnd}` } : { events };
  }
}
