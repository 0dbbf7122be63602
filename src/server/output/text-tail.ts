import { tailOfUtf8 } from '../../base/text.ts';
import { utf8Bytes } from '../../contract/tables/sizes.ts';

/** Keeps the end of a text that comes in pieces. */
export class TextTail {
  readonly #maxBytes: number;
  #text = '';
  #totalBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(piece: string): void {
    this.#text += piece;
    this.#totalBytes += utf8Bytes(piece);
    // A character takes at least one byte, so this many are always enough.
    if (this.#text.length > 2 * this.#maxBytes) this.#text = this.#text.slice(-this.#maxBytes);
  }

  /** Size of everything that came, kept or not. */
  get totalBytes(): number {
    return this.#totalBytes;
  }

  /** At most `maxBytes` of UTF-8. */
  get text(): string {
    return tailOfUtf8(this.#text, this.#maxBytes);
  }
}
