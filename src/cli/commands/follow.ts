import { AbortedError } from '../../client/index.ts';
import type { Arguments } from '../arguments.ts';
import type { ExitCode } from '../command-table.ts';
import { connect, connectBriefly, readRunId } from '../connect.ts';
import { reportEnding, reportLoss } from '../ending.ts';
import { listenForInterruption } from '../interruption.ts';
import type { Shell } from '../shell.ts';
import { watchRun } from '../watch.ts';

export async function follow(args: Arguments, shell: Shell): Promise<ExitCode> {
  const runId = readRunId(args);
  // Following is patient; what is wrong from the start should be said at once.
  await connectBriefly(args, shell).runs.retrieve(runId);
  return await followOn(args, shell, { runId });
}

/** Follows a run, whose events are shown after the one with the number `after`, until it is over or asks. */
export async function followOn(
  args: Arguments,
  shell: Shell,
  { runId, after }: { readonly runId: string; readonly after?: number | undefined },
): Promise<ExitCode> {
  const client = connect(args, shell);
  const signal = AbortSignal.any([listenForInterruption(shell), shell.outputClosed]);
  const showsJson = args.has('json');
  try {
    const run = await watchRun({ client, shell, runId, showsJson, signal, after });
    return await reportEnding({ client, shell, run, output: showsJson ? 'none' : 'result' });
  } catch (error) {
    if (!(error instanceof AbortedError)) return reportLoss(shell, runId, error);
    if (!shell.outputClosed.aborted)
      shell.note(`no longer following; the run goes on (agent-run cancel ${runId} ends it)`);
    return 130;
  }
}
