/** The lines of a pull request that GitHub takes comments on: those in the hunks of its diff. */

export type Side = 'RIGHT' | 'LEFT';

export interface Hunk {
  readonly right: LineRange;
  /** Removed lines. Unchanged ones are commented on the right. */
  readonly left: ReadonlySet<number>;
}

export interface LineRange {
  readonly from: number;
  readonly to: number;
}

export interface DiffFile {
  readonly path: string;
  /** Before a rename. */
  readonly formerPath: string | undefined;
  /** Empty for binary files, and for those whose diff is too long for GitHub. */
  readonly hunks: readonly Hunk[];
}

/** Reads the hunks of one file, as GitHub lists it: without a header of the file. */
export function readHunks(patch: string): readonly Hunk[] {
  const hunks: { right: LineRange; left: Set<number> }[] = [];
  let oldLine = 0;
  for (const line of patch.split('\n')) {
    const [, oldStart, newStart, newCount = '1'] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (newStart !== undefined) {
      oldLine = Number(oldStart);
      const from = Number(newStart);
      hunks.push({ right: { from, to: from + Number(newCount) - 1 }, left: new Set() });
    } else if (line.startsWith('-')) {
      hunks.at(-1)?.left.add(oldLine);
      oldLine += 1;
    } else if (line.startsWith(' ')) oldLine += 1;
  }
  return hunks;
}

export function hasLine(hunk: Hunk, side: Side, line: number): boolean {
  return side === 'LEFT' ? hunk.left.has(line) : line >= hunk.right.from && line <= hunk.right.to;
}
