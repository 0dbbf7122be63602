/**
 * Reads server-sent events (WHATWG HTML, 9.2.6), as far as a reader needs them that knows its place by the events themselves: `id` and `retry`
 * are not taken up. The time is linear in what came, wherever it was cut.
 */

/** No event of this service comes near it; a line without an end must not fill the memory. */
const pendingCharactersMax = 16 * 1024 * 1024;

/** Makes events of pieces of text, wherever they are cut. */
export class ServerSentEventParser {
  /** The pieces of the line that has not ended yet. */
  #line: string[] = [];
  #data: string[] = [];
  #pendingCharacters = 0;
  #kind = '';
  #endedWithReturn = false;

  /** The data of the messages, events of the default kind, that this piece completes. Throws RangeError for one that is longer than any of this service. */
  read(piece: string): readonly string[] {
    const messages: string[] = [];
    // The second half of a line end whose first half ended the piece before.
    let at = this.#endedWithReturn && piece.startsWith('\n') ? 1 : 0;
    if (piece !== '') this.#endedWithReturn = piece.endsWith('\r');
    for (const { index, 0: end } of piece.matchAll(/\r\n?|\n/g)) {
      if (index < at) continue;
      this.#line.push(piece.slice(at, index));
      const message = this.#readLine(this.#line.join(''));
      if (message !== undefined) messages.push(message);
      this.#line = [];
      at = index + end.length;
    }
    this.#line.push(piece.slice(at));
    this.#pendingCharacters += piece.length;
    if (this.#pendingCharacters > pendingCharactersMax)
      throw new RangeError(`an event is longer than ${pendingCharactersMax} characters`);
    return messages;
  }

  #readLine(line: string): string | undefined {
    if (line === '') return this.#finish();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#kind = value;
    return undefined;
  }

  #finish(): string | undefined {
    const isMessage = this.#data.length > 0 && (this.#kind === '' || this.#kind === 'message');
    const message = isMessage ? this.#data.join('\n') : undefined;
    this.#data = [];
    this.#kind = '';
    this.#pendingCharacters = 0;
    return message;
  }
}
