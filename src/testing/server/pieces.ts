/**
 * Bodies that are passed on piece by piece. Not by TransformStream: of one that has ended with something unread, Node 24 rejects a cancel, and
 * nobody can catch that.
 */

/** What becomes of one piece. */
export interface Step {
  readonly pieces: readonly Uint8Array[];
  /** Nothing more comes after these. */
  readonly isLast?: boolean | undefined;
}

interface Passing {
  readonly step: (piece: Uint8Array) => Step;
  /** Before each piece. */
  readonly rest?: (() => Promise<void>) | undefined;
  /** When it ends, after its last step (`isCut`) or by itself. The error that it ends with; undefined for a regular end. */
  readonly finish?: ((isCut: boolean) => Promise<Error | undefined>) | undefined;
}

export function passOn(body: ReadableStream<Uint8Array>, { step, rest, finish }: Passing): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  let isCut = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(to) {
        while (pieces.length === 0 && !isCut) {
          const { value } = await reader.read();
          if (value === undefined) break;
          const next = step(value);
          pieces.push(...next.pieces.filter(piece => piece.length > 0));
          isCut = next.isLast ?? false;
        }
        const piece = pieces.shift();
        if (piece !== undefined) {
          await rest?.();
          to.enqueue(piece);
          return;
        }
        const error = await finish?.(isCut);
        if (isCut) reader.cancel().catch(() => {});
        if (error === undefined) to.close();
        else to.error(error);
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
