/**
 * Reads server-sent events (WHATWG HTML, 9.2.6). Ignores `id` and `retry`: the caller resumes by event numbers. Takes
 * linear time, however the stream is split.
 */

/** Far above any event of this service. The limit stops an endless line from filling the memory. */
const pendingCharactersMax = 16 * 1024 * 1024;

/** Parses events from chunks of text that may be split anywhere. */
export class ServerSentEventParser {
  /** The chunks of the unfinished line. */
  #line: string[] = [];
  #data: string[] = [];
  #pendingCharacters = 0;
  #kind = '';
  #endedWithReturn = false;

  /**
   * The data of the messages (events of the default type) that this chunk completes. Throws RangeError for one that
   * is too long.
   */
  read(piece: string): readonly string[] {
    const messages: string[] = [];
    // The "
    // " of a line break whose "\r" ended the previous chunk.
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
