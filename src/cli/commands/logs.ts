import { AbortedError } from '../../client/index.ts';
import type { Arguments } from '../arguments.ts';
import type { ExitCode } from '../command-table.ts';
import { connect, connectToRun } from '../connect.ts';
import { type Report, reportEnding, reportLoss } from '../ending.ts';
import { listenForInterruption } from '../interruption.ts';
import type { Shell } from '../shell.ts';
import { type EventOutput, showPastEvents, watchRun } from '../watch.ts';

export async function logs(args: Arguments, shell: Shell): Promise<ExitCode> {
  const { client, runId } = await connectToRun(args, shell);
  // Following is patient; a mistake is told at once.
  const run = await client.runs.retrieve(runId);
  const events = args.has('json') ? 'json' : 'log';
  if (args.has('follow')) return await followRun(args, shell, { runId, events, output: 'none' });
  const signal = AbortSignal.any([listenForInterruption(shell), shell.outputClosed]);
  try {
    await showPastEvents({ client, shell, run, events, signal });
    return 0;
  } catch (error) {
    if (error instanceof AbortedError) return 130;
    throw error;
  }
}

interface Following extends Pick<Report, 'output'> {
  readonly runId: string;
  readonly events: EventOutput;
  /** The number of the last event that is not shown. */
  readonly after?: number | undefined;
}

/** Follows a run until it is over or asks. */
export async function followRun(
  args: Arguments,
  shell: Shell,
  { runId, events, after, output }: Following,
): Promise<ExitCode> {
  const client = await connect(args, shell);
  const signal = AbortSignal.any([listenForInterruption(shell), shell.outputClosed]);
  try {
    const watched = await watchRun({ client, shell, runId, events, signal, after });
    return await reportEnding({ client, shell, ...watched, output });
  } catch (error) {
    if (!(error instanceof AbortedError)) return reportLoss(shell, runId, error);
    if (!shell.outputClosed.aborted)
      shell.note(`Stopped following. The run continues; to end it: agent-run cancel ${runId}`);
    return 130;
  }
}
