import type { Arguments } from '../arguments.ts';
import type { ExitCode } from '../command-table.ts';
import { connectToRun } from '../connect.ts';
import type { Shell } from '../shell.ts';
import { followRun } from './logs.ts';

export async function wait(args: Arguments, shell: Shell): Promise<ExitCode> {
  const { client, runId } = await connectToRun(args, shell);
  await client.runs.retrieve(runId);
  return await followRun(args, shell, { runId, events: 'none', output: args.has('json') ? 'run' : 'none' });
}
