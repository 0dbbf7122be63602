type Stream = 'stdout' | 'stderr';

/**
 * Removes the divider that a program prints between its parts. A pipe keeps the order of one stream, so everything
 * before a divider was printed before it, no matter when it is read.
 */
export class OutputDivider {
  readonly #divider: Buffer;
  /** A possible beginning of a divider whose rest is not read yet. */
  readonly #held: Record<Stream, Buffer> = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };

  /** Without a divider everything is one part. */
  constructor(divider = '') {
    this.#divider = Buffer.from(divider);
  }

  /** The pieces of a chunk, with a divider between each two. */
  split(stream: Stream, chunk: Uint8Array): readonly Uint8Array[] {
    const divider = this.#divider;
    if (divider.length === 0) return [chunk];
    const pieces: Uint8Array[] = [];
    const held = this.#held[stream];
    const view: Buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    let rest = held.length === 0 ? view : Buffer.concat([held, view]);
    for (let at = rest.indexOf(divider); at !== -1; at = rest.indexOf(divider)) {
      pieces.push(rest.subarray(0, at));
      rest = rest.subarray(at + divider.length);
    }
    const end = rest.length - countBegun(rest, divider);
    this.#held[stream] = rest.subarray(end);
    return [...pieces, rest.subarray(0, end)];
  }

  /** The held-back text, at the end of a stream. */
  end(stream: Stream): Uint8Array {
    return this.#held[stream];
  }
}

/** How many of the last bytes may be the beginning of a divider. */
function countBegun(bytes: Buffer, divider: Buffer): number {
  for (let count = Math.min(divider.length - 1, bytes.length); count > 0; count -= 1)
    if (bytes.subarray(bytes.length - count).equals(divider.subarray(0, count))) return count;
  return 0;
}
