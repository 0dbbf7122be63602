import { terminalLine } from '../../border/terminal-text.ts';
import type { Arguments } from '../arguments.ts';
import { connectBriefly } from '../command-client.ts';
import type { ExitCode } from '../command-table.ts';
import { alignColumns } from '../terminal/columns.ts';
import type { Shell } from '../terminal/command-shell.ts';
import { printAge } from '../terminal/run-table.ts';
import { readServerTime } from '../terminal/server-time.ts';

export async function environments(args: Arguments, shell: Shell): Promise<ExitCode> {
  const answer = await (await connectBriefly(args, shell)).agent.listEnvironments({ sort_by: 'name' }).withResponse();
  const { environments: all } = answer.data;
  if (args.has('json')) shell.printJson(all);
  else if (all.length === 0) shell.note('The server has no environments');
  else {
    const now = readServerTime(answer);
    const rows = all.map(({ uid, config, setup_failed: hasFailed, last_task_run_timestamp: lastRun }) => [
      // Other services may omit the name.
      terminalLine(config.name || uid),
      typeof lastRun === 'string' ? printAge(now - Date.parse(lastRun)) : 'never',
      // Nothing is known about an environment that was never set up.
      hasFailed ? 'failed' : typeof lastRun === 'string' ? 'ok' : '-',
      terminalLine((config.github_repos ?? []).map(({ owner, repo }) => `${owner}/${repo}`).join(', ')),
    ]);
    shell.print(alignColumns([['NAME', 'LAST RUN', 'SETUP', 'REPOSITORIES'], ...rows]).join('\n'));
  }
  return 0;
}
