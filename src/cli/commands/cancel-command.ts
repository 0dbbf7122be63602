import { BadRequestError } from '../../client/index.ts';
import type { Arguments } from '../arguments.ts';
import { connectToRun } from '../command-client.ts';
import type { ExitCode } from '../command-table.ts';
import { noteError, type Shell } from '../terminal/command-shell.ts';

export async function cancel(args: Arguments, shell: Shell): Promise<ExitCode> {
  const { client, runId } = await connectToRun(args, shell);
  try {
    await client.runs.cancel(runId, { reason: args.text('reason') });
  } catch (error) {
    if (!(error instanceof BadRequestError) || error.isProxyResponse) throw error;
    // Not a usage error: the run ended before.
    noteError(shell, error, error.detail ?? error.message);
    return 1;
  }
  if (args.has('json')) shell.printJson({ run_id: runId });
  else shell.print(`Canceling run ${runId}`);
  return 0;
}
