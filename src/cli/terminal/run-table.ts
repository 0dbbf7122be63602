import { ellipsis } from '../../base/text.ts';
import { terminalLine } from '../../border/terminal-text.ts';
import type { Run } from '../../client/index.ts';
import { shortenId } from '../run-id.ts';
import { alignColumns } from './columns.ts';
import type { Shell, Tone } from './command-shell.ts';

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** The longest name in a cut line, to leave room for titles. */
const nameCharacters = 16;

/** The width that titles keep; other columns are dropped first. */
const titleCharacters = 20;

/** From wide to narrow. */
const layouts = [
  ['RUN', 'STATE', 'AGE', 'NAME', 'TITLE'],
  ['RUN', 'STATE', 'AGE', 'TITLE'],
] as const;
const narrowest = ['RUN', 'STATE', 'TITLE'] as const;

/**
 * Runs as table lines, cut to `columns`. The id and state stay whole. On a terminal, ids are short, NAME appears if a
 * run has one, and NAME and then AGE make room for titles. `now` is the server's time in ms.
 */
export function printRunTable(
  runs: readonly Run[],
  { now, columns }: { readonly now: number; readonly columns: number },
): readonly string[] {
  // A program gets whole ids and always the same columns.
  const isForPerson = Number.isFinite(columns);
  const rows = runs.map(({ run_id: id, state, created_at: createdAt, title, agent_config: config }) => ({
    RUN: isForPerson ? shortenId(id) : id,
    STATE: state,
    AGE: printAge(now - Date.parse(createdAt)),
    NAME: ellipsis(terminalLine(config?.name ?? ''), isForPerson ? nameCharacters : Number.POSITIVE_INFINITY),
    TITLE: terminalLine(title),
  }));
  const layOut = (heads: readonly (keyof (typeof rows)[number])[]) => {
    const lines = alignColumns([heads, ...rows.map(row => heads.map(head => row[head]))]);
    return { lines, titleAt: lines[0]?.indexOf('TITLE') ?? 0 };
  };
  const hasNames = !isForPerson || rows.some(({ NAME }) => NAME !== '');
  const tables = layouts.slice(hasNames ? 0 : 1).map(layOut);
  const { lines, titleAt } = tables.find(table => table.titleAt + titleCharacters <= columns) ?? layOut(narrowest);
  return lines.map(line => ellipsis(line, Math.max(columns, titleAt)));
}

const tones: Record<string, Tone> = {
  INPROGRESS: 'busy',
  BLOCKED: 'busy',
  SUCCEEDED: 'good',
  FAILED: 'bad',
  ERROR: 'bad',
};

/** Colors the states, by default the second word of each line. */
export function paintState(text: string, shell: Pick<Shell, 'paint'>, place = /^(\S+ +)([A-Z]+)\b/gm): string {
  return text.replace(place, (_, head: string, state: string) => head + shell.paint(state, tones[state] ?? 'plain'));
}

/** The age in its largest unit; '' for an invalid time. */
export function printAge(ms: number): string {
  if (Number.isNaN(ms)) return '';
  const [unit, size] = units.find(([, unitMs]) => ms >= unitMs) ?? ['s', 1000];
  return `${Math.max(0, Math.floor(ms / size))} ${unit}`;
}
