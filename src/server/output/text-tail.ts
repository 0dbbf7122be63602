/**
 * Keeps the end of a text that arrives in pieces. It is stored as bytes, because joined strings take many times their
 * size until they are garbage-collected.
 */
export class TextTail {
  readonly #maxBytes: number;
  /** Holds more than the end, so that it is rarely moved. */
  #bytes = Buffer.alloc(0);
  #length = 0;
  #totalBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(piece: string): void {
    const added = Buffer.byteLength(piece);
    this.#totalBytes += added;
    this.#makeRoom(added);
    this.#length += this.#bytes.write(piece, this.#length);
  }

  /** Becomes a copy of a tail of the same size. */
  assign(other: TextTail): void {
    this.#length = 0;
    this.#makeRoom(other.#length - other.#start);
    this.#length = other.#bytes.copy(this.#bytes, 0, other.#start, other.#length);
    this.#totalBytes = other.#totalBytes;
  }

  /** Size of everything pushed, kept or not. */
  get totalBytes(): number {
    return this.#totalBytes;
  }

  /** At most `maxBytes` of UTF-8. */
  get text(): string {
    return this.head(this.#maxBytes);
  }

  /** The first part of `text`. It may end inside a character. */
  head(bytes: number): string {
    const start = this.#start;
    return this.#bytes.toString('utf8', start, Math.min(start + bytes, this.#length));
  }

  /** Where the end begins, after the rest of a cut character. */
  get #start(): number {
    let start = Math.max(0, this.#length - this.#maxBytes);
    while (start < this.#length && ((this.#bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
    return start;
  }

  #makeRoom(added: number): void {
    if (this.#length + added <= this.#bytes.length) return;
    const kept = this.#bytes.subarray(Math.max(0, this.#length - this.#maxBytes), this.#length);
    const sizeMax = Math.ceil(1.5 * this.#maxBytes);
    const size = Math.max(kept.length + added, Math.min(sizeMax, 2 * (kept.length + added)));
    if (this.#bytes.length < size) this.#bytes = Buffer.concat([kept], size);
    else kept.copy(this.#bytes);
    this.#length = kept.length;
  }
}
