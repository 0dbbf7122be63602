import { TextDecoder } from 'node:util';
import type { EventDraft } from '../../contract/events.ts';
import type { OutputReader } from '../harness/harness.ts';

/** What a stream of lines is made of: events, and output that is none. */
export type LinePart = { readonly events: readonly EventDraft[] } | { readonly text: string };

/** A line that is longer is no event any more: whoever prints it is not made to fill the memory. */
const lineCharactersMax = 8 * 1024 * 1024;

/**
 * Cuts the standard output of an agent into lines and has them read. Lines end at LF alone: other line separators of Unicode stand within texts. What is no
 * event is passed on as it came.
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

  /** The last line, which nothing ends. */
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
