/** The known word a person most likely meant, or undefined when none is near. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  // A word of which nothing is left is another one: "on" is not "off".
  const farthest = Math.min(Math.max(2, Math.floor(word.length / 3)), word.length - 1);
  let bestDistance = farthest + 1;
  for (const candidate of known) {
    const [asked, there] = [word.toLowerCase(), candidate.toLowerCase()];
    // Others say more in the same words: dangerouslyAllowBrowser.
    const isLonger = there.length > 4 && asked.endsWith(there);
    // The distance is at least the difference in length. A foreign word can be very long.
    if (!isLonger && Math.abs(asked.length - there.length) >= bestDistance) continue;
    const distance = isLonger ? 1 : editDistance(asked, there);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** `. Did you mean "x"?`, or '' when nothing is near: the end of an error about an unknown word. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const guess = nearest(word, known);
  return guess === undefined ? '' : `. Did you mean "${guess}"?`;
}

/** Inserted, missing and wrong characters, and swapped neighbors, count one each (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let above: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (above[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + change, swapped));
    }
    [above, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
