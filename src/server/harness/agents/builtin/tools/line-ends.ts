/** Line endings of files. A model sees and writes LF. Lines that it does not change keep their bytes. */

const anyEnd = /\r?\n/g;
/** Limit on pairs of lines to compare. Beyond it, lines are paired by position. */
const comparedMax = 4_000_000;

export function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** The ending of all lines. Undefined if they differ or there are none. */
export function findLineEnd(text: string): string | undefined {
  const [end, ...others] = new Set(text.match(anyEnd));
  return others.length === 0 ? end : undefined;
}

/**
 * Replaces each `from` with `to`, both with LF. A line of `to` that is also in `from` keeps its ending. A changed
 * line takes the ending of the line it replaces, and a new line that of the line before it.
 */
export function replaceText(text: string, from: string, to: string): { readonly text: string; readonly count: number } {
  const parts = withLf(text).split(from);
  const count = parts.length - 1;
  const ends = text.match(anyEnd) ?? [];
  const [end = '\n', ...others] = new Set(ends);
  if (others.length === 0) return { text: parts.join(to).replaceAll('\n', end), count };
  const newEnds: string[] = [];
  let line = 0;
  for (const [index, part] of parts.entries()) {
    for (const stop = line + part.split('\n').length - 1; line < stop; line += 1) newEnds.push(ends[line] ?? end);
    const next = parts[index + 1];
    if (next === undefined) break;
    const [before, behind] = [part.slice(part.lastIndexOf('\n') + 1), next.split('\n', 1)[0]];
    const oldLines = `${before}${from}${behind}`.split('\n');
    const pairs = pairLines(oldLines, `${before}${to}${behind}`.split('\n'));
    // The last line's ending comes after the replaced text.
    for (const pair of pairs.slice(0, -1)) {
      const own = pair === undefined ? undefined : ends[line + pair];
      newEnds.push(own ?? newEnds.at(-1) ?? ends[line] ?? end);
    }
    line += oldLines.length - 1;
  }
  const lines = parts.join(to).split('\n');
  return { text: lines.map((each, index) => `${each}${newEnds[index] ?? ''}`).join(''), count };
}

/**
 * For each new line, the index of the old line whose ending it takes: an equal one, otherwise the one at the same
 * position between equal ones.
 */
function pairLines(old: readonly string[], now: readonly string[]): readonly (number | undefined)[] {
  const equal = old.length * now.length > comparedMax ? [] : findEqual(old, now);
  let next = 0;
  return now.map((_, at) => {
    const end = equal.find((pair, index) => index >= at && pair !== undefined) ?? old.length;
    const pair = equal[at] ?? (next < end ? next : undefined);
    next = pair === undefined ? next : pair + 1;
    return pair;
  });
}

/** The longest common subsequence of lines, as the index of the old line for each new one. */
function findEqual(old: readonly string[], now: readonly string[]): readonly (number | undefined)[] {
  /** Its length from each pair of lines on. */
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  const lengthAt = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const length = old[i] === now[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
      lengths[i]?.fill(length, j, j + 1);
    }
  const equal: (number | undefined)[] = now.map(() => undefined);
  for (let i = 0, j = 0; i < old.length && j < now.length; ) {
    if (old[i] === now[j]) {
      equal[j] = i;
      i += 1;
      j += 1;
    } else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i += 1;
    else j += 1;
  }
  return equal;
}
