/** Decides where each finding goes: on lines of the diff, or into the text of the review. */
import { createHash } from 'node:crypto';
import picomatch from 'picomatch';
import { type Finding, severities } from '../../contract/tables/review-schema.ts';
import type { ReviewInputs } from '../apply-inputs.ts';
import { type DiffFile, hasLine, type LineRange, type Side } from './diff-lines.ts';

export interface PlacedFinding {
  readonly finding: Finding;
  readonly lines: LineRange;
  readonly side: Side;
  /** Recognizes the finding in a later review, even if its line moved. */
  readonly hash: string;
  /** Undefined outside the diff. */
  readonly comment: CommentPlace | undefined;
}

export interface CommentPlace {
  readonly path: string;
  readonly side: Side;
  /** The last line. */
  readonly line: number;
  readonly startLine: number | undefined;
  /** False if the comment covers fewer lines than the finding, so that a suggestion would replace the wrong ones. */
  readonly isWhole: boolean;
}

export interface ChosenFindings {
  /** The worst first. */
  readonly findings: readonly Finding[];
  /** How many the workflow's limits left out. */
  readonly belowSeverity: number;
  readonly outsidePaths: number;
}

/** Applies the workflow's limits. */
export function chooseFindings(
  proposed: readonly Finding[],
  { minSeverity, paths }: Pick<ReviewInputs, 'minSeverity' | 'paths'>,
): ChosenFindings {
  const given = proposed.map(finding => ({ ...finding, path: finding.path.replace(/^(\.\/)+/, '') }));
  const severe = given.filter(finding => rankOf(finding) <= severities.indexOf(minSeverity));
  const isWanted = paths === undefined ? () => true : picomatch([...paths], { dot: true });
  const findings = severe.filter(({ path }) => isWanted(path)).sort((a, b) => rankOf(a) - rankOf(b));
  return {
    findings,
    belowSeverity: given.length - severe.length,
    outsidePaths: severe.length - findings.length,
  };
}

/** 0 for the worst. */
export function rankOf({ severity }: Finding): number {
  return severities.indexOf(severity);
}

/** A finding that the agent repeats is one. */
export function placeFindings(findings: readonly Finding[], files: readonly DiffFile[]): readonly PlacedFinding[] {
  const byPath = new Map(files.map(file => [file.path, file]));
  const byFormerPath = new Map(files.flatMap(file => (file.formerPath === undefined ? [] : [[file.formerPath, file]])));
  const placed = findings.map((finding): PlacedFinding => {
    const side = finding.side ?? 'RIGHT';
    const lines = { from: finding.line, to: Math.max(finding.line, finding.end_line ?? finding.line) };
    const file = byPath.get(finding.path) ?? (side === 'LEFT' ? byFormerPath.get(finding.path) : undefined);
    return { finding, lines, side, hash: hashFinding(finding), comment: file && findPlace(file, { lines, side }) };
  });
  const seen = new Set<string>();
  return placed.filter(({ hash, lines }) => {
    const key = `${hash} ${lines.from}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** A comment's lines must be in one hunk. Covers those of the first hunk that has any. */
function findPlace(
  { path, hunks }: DiffFile,
  { lines, side }: { readonly lines: LineRange; readonly side: Side },
): CommentPlace | undefined {
  for (const hunk of hunks) {
    const [first, last] = side === 'LEFT' ? spanOf(hunk.left) : [hunk.right.from, hunk.right.to];
    let [from, to] = [Math.max(lines.from, first), Math.min(lines.to, last)];
    while (from <= to && !hasLine(hunk, side, from)) from += 1;
    while (from <= to && !hasLine(hunk, side, to)) to -= 1;
    if (from > to) continue;
    const isWhole = from === lines.from && to === lines.to;
    return { path, side, line: to, startLine: from === to ? undefined : from, isWhole };
  }
  return undefined;
}

function spanOf(lines: ReadonlySet<number>): readonly [first: number, last: number] {
  return [Math.min(...lines), Math.max(...lines)];
}

function hashFinding({ path, side, text }: Finding): string {
  const words = text.toLowerCase().replace(/\s+/g, ' ').trim();
  return createHash('sha256')
    .update(JSON.stringify([path, side ?? 'RIGHT', words]))
    .digest('hex')
    .slice(0, 16);
}
