import { terminalLine } from '../base/terminal-text.ts';
import { ellipsis } from '../base/text.ts';
import type { Run } from '../client/index.ts';
import { alignColumns } from './columns.ts';

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** Runs as lines of a table, cut to `columns`. `now` is by the server's clock, in milliseconds. */
export function printRunTable(
  runs: readonly Run[],
  { now, columns }: { readonly now: number; readonly columns: number },
): readonly string[] {
  const rows = runs.map(run => [run.run_id, run.state, printAge(now - Date.parse(run.created_at)), nameOf(run)]);
  return alignColumns([['RUN', 'STATE', 'AGE', 'TITLE'], ...rows]).map(line => ellipsis(line, columns));
}

function nameOf({ title, agent_config: config }: Run): string {
  return terminalLine(config?.name === undefined || config.name === title ? title : `${config.name}: ${title}`);
}

/** How long ago, in its largest unit; '' for a time that cannot be read. */
function printAge(ms: number): string {
  if (Number.isNaN(ms)) return '';
  const [unit, size] = units.find(([, unitMs]) => ms >= unitMs) ?? ['s', 1000];
  return `${Math.max(0, Math.floor(ms / size))} ${unit}`;
}
