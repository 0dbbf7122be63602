const piecesAtMost = 40;
const pointsAtLeast = 8;

/** Splits a text into the pieces of a stream: at least two if it has two characters, never within a character. */
export function cutIntoPieces(text: string): readonly string[] {
  const points = Array.from(text);
  const size = Math.max(
    1,
    Math.min(Math.ceil(points.length / 2), Math.max(pointsAtLeast, Math.ceil(points.length / piecesAtMost))),
  );
  return Array.from({ length: Math.ceil(points.length / size) }, (_, index) =>
    points.slice(index * size, (index + 1) * size).join(''),
  );
}
