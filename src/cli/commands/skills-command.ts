import { ellipsis } from '../../base/text.ts';
import { terminalLine } from '../../border/terminal-text.ts';
import { type Arguments, UsageError } from '../arguments.ts';
import { connectBriefly } from '../command-client.ts';
import type { ExitCode } from '../command-table.ts';
import { alignColumns } from '../terminal/columns.ts';
import type { Shell } from '../terminal/command-shell.ts';
import { printAge } from '../terminal/run-table.ts';
import { readServerTime } from '../terminal/server-time.ts';

const orders = ['name', 'last_run'];

export async function skills(args: Arguments, shell: Shell): Promise<ExitCode> {
  const order = args.text('sort-by');
  if (order !== undefined && !orders.includes(order))
    throw new UsageError(`--sort-by must be one of ${orders.join(', ')}, not ${JSON.stringify(order)}`);
  const params = {
    repo: args.word,
    sort_by: order,
    include_malformed_skills: true,
    ...(args.has('refresh') ? { refresh: true } : {}),
  };
  const answer = await (await connectBriefly(args, shell)).agent.list(params).withResponse();
  const { agents } = answer.data;
  if (args.has('json')) shell.printJson(agents);
  else if (agents.length === 0) shell.note('The server has no skills');
  else {
    const now = readServerTime(answer);
    const rows = agents.flatMap(({ variants }) =>
      variants.map(({ id, description, error, last_run_timestamp: lastRun }) => [
        terminalLine(id),
        typeof lastRun === 'string' ? printAge(now - Date.parse(lastRun)) : 'never',
        terminalLine(error ?? description),
      ]),
    );
    const lines = alignColumns([['SKILL', 'LAST RUN', 'DESCRIPTION'], ...rows]);
    // Columns that people type again stay whole.
    const wholeWidth = lines[0]?.indexOf('LAST RUN') ?? 0;
    shell.print(lines.map(line => ellipsis(line, Math.max(shell.columns, wholeWidth))).join('\n'));
  }
  return 0;
}
