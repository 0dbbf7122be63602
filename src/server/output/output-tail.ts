import { TextTail } from './text-tail.ts';

type Stream = 'stdout' | 'stderr';

/** The end of both streams in the order of arrival, for the newest part that either stream has reached. */
export class OutputTail {
  readonly #maxBytes: number;
  readonly #parts = { stdout: 0, stderr: 0 };
  #tail: TextTail;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#tail = new TextTail(maxBytes);
  }

  push(stream: Stream, text: string): void {
    // Later chunks of an earlier part were printed before the part that the other stream is in.
    if (this.#parts[stream] === this.#latest) this.#tail.push(text);
  }

  beginPart(stream: Stream): void {
    const latest = this.#latest;
    this.#parts[stream] += 1;
    if (this.#latest > latest) this.#tail = new TextTail(this.#maxBytes);
  }

  get text(): string {
    return this.#tail.text;
  }

  get #latest(): number {
    return Math.max(this.#parts.stdout, this.#parts.stderr);
  }
}
