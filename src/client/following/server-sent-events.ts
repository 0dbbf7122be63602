/** Reads server-sent events (WHATWG HTML, 9.2.6), as far as a reader needs them that knows its place itself: `retry` is not taken up. */

/** A message of the default kind; `id` is the last one that the stream has named. */
export interface ServerSentEvent {
  readonly id: string;
  readonly data: string;
}

/** No event of this service comes near it; a line without an end must not fill the memory. */
const pendingCharactersMax = 16 * 1024 * 1024;

/** Makes events of pieces of text, wherever they are cut. */
export class ServerSentEventParser {
  #rest = '';
  #isFirst = true;
  #data: string[] = [];
  #dataCharacters = 0;
  #kind = '';
  #id = '';

  /** The events that this piece completes. Throws RangeError for one that is longer than any of this service. */
  read(piece: string): readonly ServerSentEvent[] {
    const text = this.#rest + piece;
    const events: ServerSentEvent[] = [];
    let at = this.#isFirst && text.startsWith('\uFEFF') ? 1 : 0;
    if (text !== '') this.#isFirst = false;
    const ends = /\r\n|\n|\r/g;
    ends.lastIndex = at;
    for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
      // The line feed of a pair may be in the next piece.
      if (end[0] === '\r' && ends.lastIndex === text.length) break;
      const event = this.#readLine(text.slice(at, end.index));
      if (event !== undefined) events.push(event);
      at = ends.lastIndex;
    }
    this.#rest = text.slice(at);
    if (this.#rest.length + this.#dataCharacters > pendingCharactersMax)
      throw new RangeError(`an event is longer than ${pendingCharactersMax} characters`);
    return events;
  }

  #readLine(line: string): ServerSentEvent | undefined {
    if (line === '') return this.#finish();
    const colon = line.indexOf(':');
    if (colon === 0) return undefined;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') {
      this.#data.push(value);
      this.#dataCharacters += value.length + 1;
    } else if (field === 'event') this.#kind = value;
    else if (field === 'id' && !value.includes('\0')) this.#id = value;
    return undefined;
  }

  #finish(): ServerSentEvent | undefined {
    const isMessage = this.#data.length > 0 && (this.#kind === '' || this.#kind === 'message');
    const event = isMessage ? { id: this.#id, data: this.#data.join('\n') } : undefined;
    this.#data = [];
    this.#dataCharacters = 0;
    this.#kind = '';
    return event;
  }
}
