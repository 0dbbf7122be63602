import { StringDecoder } from 'node:string_decoder';

/**
 * Splits a stream of bytes into lines like the real runner: at LF, at CRLF and at a lone CR. The last one matters:
 * text after a carriage return starts a line, so a log command there is obeyed.
 */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';
  #afterReturn = false;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    this.#take(this.#decoder.write(chunk));
  }

  /** Emits the text after the last line break, if there is any. */
  end(): void {
    this.#take(this.#decoder.end());
    if (this.#rest !== '') this.#onLine(this.#rest);
    this.#rest = '';
  }

  #take(decoded: string): void {
    if (decoded === '') return;
    const text = this.#afterReturn && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    this.#afterReturn = text.endsWith('\r');
    const [first = '', ...others] = text.split(/\r\n|\r|\n/);
    const lines = [this.#rest + first, ...others];
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#onLine(line);
  }
}
