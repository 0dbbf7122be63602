/**
 * How much text each surface of GitHub takes, and how much of it a step of ours uses. What is above a limit is not cut by GitHub but refused or
 * dropped whole, so whatever may be long is cut here, on code points, and says so.
 */
import { headOfUtf8, tailOfUtf8 } from '../../base/text.ts';

/** `utf8` counts bytes; `utf16` counts the units of a JavaScript string, of which an emoji has two. */
export type Unit = 'utf8' | 'utf16';

export interface Budget {
  readonly unit: Unit;
  /** Of the surface, in its unit. */
  readonly limit: number;
  /** What we use at most. */
  readonly max: number;
}

/**
 * Sources: https://docs.github.com/en/actions/reference/workflows-and-actions/metadata-syntax (outputs),
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands (summary),
 * https://github.com/peter-evans/create-or-update-comment/pull/182 (comment).
 */
export const budgets = {
  /** One output: the next step mostly gets it as a variable, of which Linux takes 128 KiB. Its UTF-16 units are never more than its bytes. */
  result: { unit: 'utf8', limit: 128 * 1024, max: 64 * 1024 },
  /** `result_json`, which has the same use. */
  resultJson: { unit: 'utf8', limit: 128 * 1024, max: 64 * 1024 },
  /** Each of `artifacts` and `usage`. */
  list: { unit: 'utf8', limit: 128 * 1024, max: 32 * 1024 },
  /** Each of the outputs that are words of the server. */
  words: { unit: 'utf8', limit: 128 * 1024, max: 8 * 1024 },
  /** All outputs together: 1 MB a job, counted as UTF-16, which is two bytes a unit; and the job has other steps. */
  outputs: { unit: 'utf16', limit: 500_000, max: 300_000 },
  /** 1 MiB a step, counting what its file holds already; above it nothing is shown. */
  summary: { unit: 'utf8', limit: 1024 * 1024, max: 900 * 1024 },
  /** The result on it: beyond that the summary is of no use to whoever reads it. */
  summaryResult: { unit: 'utf8', limit: 1024 * 1024, max: 64 * 1024 },
  comment: { unit: 'utf16', limit: 65_536, max: 60_000 },
  annotation: { unit: 'utf16', limit: 4096, max: 3000 },
  /** One line of the log. The limit is the longest line that we keep in memory. */
  logLine: { unit: 'utf16', limit: 64 * 1024, max: 8 * 1024 },
  /** What `log: normal` shows of an agent. The limit is where GitHub's page stops being of use. */
  log: { unit: 'utf8', limit: 4 * 1024 * 1024, max: 1024 * 1024 },
  /** The last lines beside the reason. */
  lastLines: { unit: 'utf8', limit: 64 * 1024, max: 8 * 1024 },
} as const satisfies Readonly<Record<string, Budget>>;

export type Surface = keyof typeof budgets;

/** Lines of an agent: that `log: normal` shows, that it shows at the end when there were more, and that stand beside the reason. */
export const lineBudgets = { log: 4000, logEnd: 50, lastLines: 40 } as const;

export interface Room {
  readonly surface: Surface;
  /** Less than the budget of the surface, where something else is on it already. */
  readonly room?: number | undefined;
}

/** The size of a text as its surface counts. */
export function measureText(text: string, surface: Surface): number {
  return sizeOf(text, budgets[surface].unit);
}

/** What there is room for, in the unit of the surface. */
export function readRoom({ surface, room = Number.POSITIVE_INFINITY }: Room): number {
  return Math.max(0, Math.min(room, budgets[surface].max));
}

/** A text that fits: whole, or by its start with an ellipsis. For sentences of one line. */
export function keepHead(text: string, room: Room): string {
  const [unit, max] = [budgets[room.surface].unit, readRoom(room)];
  if (sizeOf(text, unit) <= max) return text;
  const mark = sizeOf('…', unit);
  return max < mark ? '' : `${cutHead(text, max - mark, unit)}…`;
}

/** What is said of a text that is not all of what it was. */
export interface CutWords {
  /** A clause that says where there is more, as "the whole is in …". */
  readonly where?: string | undefined;
  /** What is missing before the text already, in bytes; all that is left out is then counted in bytes. @default 0 */
  readonly missingBytes?: number | undefined;
}

/**
 * A text that fits: whole, or by its end below a line that says how much is left out and where there is more. For logs and results, whose end is
 * what matters.
 */
export function keepTail(text: string, { where, missingBytes = 0, ...room }: Room & CutWords): string {
  const [unit, max] = [budgets[room.surface].unit, readRoom(room)];
  if (missingBytes === 0 && sizeOf(text, unit) <= max) return text;
  const counted = missingBytes === 0 ? unit : 'utf8';
  const whole = missingBytes + sizeOf(text, counted);
  // No number is longer than that of the whole, so the line that is written in the end fits too.
  const reserve = sizeOf(describeCut(whole, counted, where), unit);
  if (reserve >= max) return cutTail(text, max, unit);
  const end = cutTail(text, max - reserve, unit);
  const tail = end === text ? text : fromLineStart(end);
  return `${describeCut(whole - sizeOf(tail, counted), counted, where)}${tail}`;
}

/** The end of a text, from the start of a line where that costs little. */
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

/** Without the rest of a line, where that costs little. */
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
