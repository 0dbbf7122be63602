import { BadRequestError } from '../../client/index.ts';
import type { Arguments } from '../arguments.ts';
import type { ExitCode } from '../command-table.ts';
import { connectBriefly, readRunId } from '../connect.ts';
import { noteError, type Shell } from '../shell.ts';

export async function cancel(args: Arguments, shell: Shell): Promise<ExitCode> {
  const runId = readRunId(args);
  try {
    await connectBriefly(args, shell).runs.cancel(runId, { reason: args.text('reason') });
  } catch (error) {
    if (!(error instanceof BadRequestError) || error.isPage) throw error;
    // Not the user's slip: the run was over before.
    noteError(shell, error, error.detail ?? error.message);
    return 1;
  }
  if (args.has('json')) shell.printJson({ run_id: runId });
  else shell.print(`run ${runId} is told to stop`);
  return 0;
}
