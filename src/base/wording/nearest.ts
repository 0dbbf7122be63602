/** The known word that was most likely meant; undefined if none is close. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  // At least one letter must match: "on" is not "off".
  const farthest = Math.min(Math.max(2, Math.floor(word.length / 3)), word.length - 1);
  let bestDistance = farthest + 1;
  for (const candidate of known) {
    const [asked, there] = [word.toLowerCase(), candidate.toLowerCase()];
    // Longer names of other libraries, such as dangerouslyAllowBrowser.
    const isLonger = there.length > 4 && asked.endsWith(there);
    // The distance is at least the difference in length. This skips the slow comparison with a very long word.
    if (!isLonger && Math.abs(asked.length - there.length) >= bestDistance) continue;
    const distance = isLonger ? 1 : editDistance(asked, there);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** `. Did you mean "x"?`, or '' if nothing is close: the end of an error about an unknown word. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const guess = nearest(word, known);
  return guess === undefined ? '' : `. Did you mean "${guess}"?`;
}

/** Optimal string alignment: insertions, deletions, substitutions and swaps of neighbors cost one each. */
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
