/**
 * Text limits of GitHub's surfaces, and our share of each. GitHub does not cut longer text but refuses or drops all
 * of it. Long text is therefore cut here, at code points, with a note.
 */
import { headOfUtf8, tailOfUtf8 } from '../../base/text.ts';

/** `utf8` counts bytes. `utf16` counts units of a JavaScript string, where an emoji has two. */
export type Unit = 'utf8' | 'utf16';

export interface Budget {
  readonly unit: Unit;
  /** The surface's limit, in its unit. */
  readonly limit: number;
  /** The most that we use. */
  readonly max: number;
}

/**
 * Sources: https://docs.github.com/en/actions/reference/workflows-and-actions/metadata-syntax (outputs),
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands (summary),
 * https://github.com/peter-evans/create-or-update-comment/pull/182 (comment).
 */
export const budgets = {
  /** The next step often gets it as a variable, limited to 128 KiB by Linux. Bytes bound UTF-16 units. */
  result: { unit: 'utf8', limit: 128 * 1024, max: 64 * 1024 },
  /** `result_json`, which has the same use. */
  resultJson: { unit: 'utf8', limit: 128 * 1024, max: 64 * 1024 },
  /** Each of `artifacts` and `usage`. */
  list: { unit: 'utf8', limit: 128 * 1024, max: 32 * 1024 },
  /** Each output with the server's words. */
  words: { unit: 'utf8', limit: 128 * 1024, max: 8 * 1024 },
  /**
   * All outputs together. A job has 1 MB, counted as UTF-16 with two bytes a unit, and needs some for other steps.
   */
  outputs: { unit: 'utf16', limit: 500_000, max: 300_000 },
  /** 1 MiB per step, including what its file already has. GitHub shows nothing above that. */
  summary: { unit: 'utf8', limit: 1024 * 1024, max: 900 * 1024 },
  /** The result in the summary. A longer one is of no use to a reader. */
  summaryResult: { unit: 'utf8', limit: 1024 * 1024, max: 64 * 1024 },
  comment: { unit: 'utf16', limit: 65_536, max: 60_000 },
  annotation: { unit: 'utf16', limit: 4096, max: 3000 },
  /** One line of the log. The limit is the longest line that we keep in memory. */
  logLine: { unit: 'utf16', limit: 64 * 1024, max: 8 * 1024 },
  /** An agent's output at `log: normal`. Above the limit, GitHub's page stops being usable. */
  log: { unit: 'utf8', limit: 4 * 1024 * 1024, max: 1024 * 1024 },
  /** The last lines next to the reason. */
  lastLines: { unit: 'utf8', limit: 64 * 1024, max: 8 * 1024 },
} as const satisfies Readonly<Record<string, Budget>>;

export type Surface = keyof typeof budgets;

/** Lines of an agent: shown at `log: normal`, shown at the end if more came, and next to the reason. */
export const lineBudgets = { log: 4000, logEnd: 50, lastLines: 40 } as const;

export interface Room {
  readonly surface: Surface;
  /** Set if part of the surface's budget is already used. */
  readonly room?: number | undefined;
}

export function measureText(text: string, surface: Surface): number {
  return sizeOf(text, budgets[surface].unit);
}

export function readRoom({ surface, room = Number.POSITIVE_INFINITY }: Room): number {
  return Math.max(0, Math.min(room, budgets[surface].max));
}

/** Fits a text by cutting its end and adding an ellipsis. For single lines. */
export function keepHead(text: string, room: Room): string {
  const [unit, max] = [budgets[room.surface].unit, readRoom(room)];
  if (sizeOf(text, unit) <= max) return text;
  const mark = sizeOf('…', unit);
  return max < mark ? '' : `${cutHead(text, max - mark, unit)}…`;
}

export interface CutWords {
  /** A clause that tells where there is more, such as "the whole is in …". */
  readonly where?: string | undefined;
  /** Bytes already missing before the text. If set, the note counts bytes. @default 0 */
  readonly missingBytes?: number | undefined;
}

/** For logs and results, whose end matters. A first line tells how much is left out. */
export function keepTail(text: string, { where, missingBytes = 0, ...room }: Room & CutWords): string {
  const [unit, max] = [budgets[room.surface].unit, readRoom(room)];
  if (missingBytes === 0 && sizeOf(text, unit) <= max) return text;
  const counted = missingBytes === 0 ? unit : 'utf8';
  const whole = missingBytes + sizeOf(text, counted);
  // No number is longer than that of the whole text, so the final note fits too.
  const reserve = sizeOf(describeCut(whole, counted, where), unit);
  if (reserve >= max) return cutTail(text, max, unit);
  const end = cutTail(text, max - reserve, unit);
  const tail = end === text ? text : fromLineStart(end);
  return `${describeCut(whole - sizeOf(tail, counted), counted, where)}${tail}`;
}

/** Returns the end of a text, from the start of a line if that loses little. */
export function keepEnd(text: string, room: Room): string {
  const [unit, max] = [budgets[room.surface].unit, readRoom(room)];
  return sizeOf(text, unit) <= max ? text : fromLineStart(cutTail(text, max, unit));
}

function sizeOf(text: string, unit: Unit): number {
  return unit === 'utf16' ? text.length : Buffer.byteLength(text);
}

function describeCut(count: number, unit: Unit, where: string | undefined): string {
  const rest = where === undefined ? '' : `; ${where}`;
  return `(the first ${count} ${unit === 'utf8' ? 'bytes' : 'characters'} are left out${rest})\n`;
}

/** Drops a partial first line if that loses little. */
function fromLineStart(tail: string): string {
  const end = tail.indexOf('\n');
  return end >= 0 && end < tail.length / 10 ? tail.slice(end + 1) : tail;
}

function cutHead(text: string, max: number, unit: Unit): string {
  if (unit === 'utf8') return headOfUtf8(text, max);
  const splitsPair = isHighSurrogate(text.charCodeAt(max - 1)) && isLowSurrogate(text.charCodeAt(max));
  return text.slice(0, splitsPair ? max - 1 : max);
}

function cutTail(text: string, max: number, unit: Unit): string {
  if (sizeOf(text, unit) <= max) return text;
  if (unit === 'utf8') return tailOfUtf8(text, max);
  const start = text.length - max;
  const splitsPair = isHighSurrogate(text.charCodeAt(start - 1)) && isLowSurrogate(text.charCodeAt(start));
  return text.slice(splitsPair ? start + 1 : start);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
