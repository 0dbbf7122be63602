type Stream = 'stdout' | 'stderr';

/**
 * Takes the divider out of the output of a program that prints it between its parts. Within one stream the order is the pipe's own, so that
 * what came before a divider was printed before it, however late it is read.
 */
export class OutputDivider {
  readonly #divider: Buffer;
  /** What may be the beginning of a divider whose rest is not read yet. */
  readonly #held = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };

  /** Without a divider everything is one part. */
  constructor(divider = '') {
    this.#divider = Buffer.from(divider);
  }

  /** The pieces of a chunk; between any two of them was a divider. */
  split(stream: Stream, chunk: Uint8Array): readonly Uint8Array[] {
    const divider = this.#divider;
    if (divider.length === 0) return [chunk];
    const pieces: Uint8Array[] = [];
    let rest = Buffer.concat([this.#held[stream], chunk]);
    for (let at = rest.indexOf(divider); at !== -1; at = rest.indexOf(divider)) {
      pieces.push(rest.subarray(0, at));
      rest = rest.subarray(at + divider.length);
    }
    const end = rest.length - countBegun(rest, divider);
    this.#held[stream] = rest.subarray(end);
    return [...pieces, rest.subarray(0, end)];
  }

  /** What was held back, at the end of a stream. */
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
