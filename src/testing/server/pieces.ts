/**
 * Bodies that are passed on in pieces. Not a TransformStream: if one has ended with unread data, Node 24 rejects a
 * cancel, and no code can catch that.
 */

/** Result for one piece. */
export interface Step {
  readonly pieces: readonly Uint8Array[];
  /** Nothing follows these. */
  readonly isLast?: boolean | undefined;
}

interface Passing {
  readonly step: (piece: Uint8Array) => Step;
  /** Runs before each piece. */
  readonly rest?: (() => Promise<void>) | undefined;
  /**
   * Called at the end, after its last step (`isCut`) or by itself. Returns the error to end with, or undefined for a
   * regular end.
   */
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
