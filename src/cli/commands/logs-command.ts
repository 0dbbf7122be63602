import { AbortedError } from '../../client/index.ts';
import type { Arguments } from '../arguments.ts';
import { connect, connectToRun } from '../command-client.ts';
import type { ExitCode } from '../command-table.ts';
import type { Shell } from '../terminal/command-shell.ts';
import { type Report, reportEnding, reportLoss } from '../terminal/ending.ts';
import { listenForInterruption } from '../terminal/interruption.ts';
import { showPastEvents, type Watch, watchRun } from '../terminal/watch.ts';

export async function logs(args: Arguments, shell: Shell): Promise<ExitCode> {
  const { client, runId } = await connectToRun(args, shell);
  // Following tolerates failures. This request reports mistakes at once.
  const run = await client.runs.retrieve(runId);
  const events = args.has('json') ? 'json' : 'log';
  if (args.has('follow')) return await followRun(args, shell, { runId, events, output: 'none' });
  await showPastEvents(run, { client, shell, events, signal: shell.outputClosed }).catch((error: unknown) => {
    if (!shell.outputClosed.aborted) throw error;
  });
  return 0;
}

export async function wait(args: Arguments, shell: Shell): Promise<ExitCode> {
  const { client, runId } = await connectToRun(args, shell);
  await client.runs.retrieve(runId);
  return await followRun(args, shell, { runId, events: 'none', output: args.has('json') ? 'run' : 'none' });
}

type Following = Pick<Watch, 'runId' | 'events' | 'after'> & Pick<Report, 'output'>;

/** Follows a run until it ends or asks a question. */
export async function followRun(args: Arguments, shell: Shell, following: Following): Promise<ExitCode> {
  const { runId, events, after, output } = following;
  const client = await connect(args, shell);
  const signal = AbortSignal.any([listenForInterruption(shell), shell.outputClosed]);
  try {
    const watched = await watchRun({ client, shell, runId, events, signal, after });
    return await reportEnding({ client, shell, ...watched, output });
  } catch (error) {
    if (!(error instanceof AbortedError)) return reportLoss(shell, runId, error);
    if (shell.outputClosed.aborted) return 130;
    // The last requests may have failed, so the run's state is unknown.
    shell.note('Stopped following. The run may still be running on the server.');
    shell.note(`Look again: npx agent-run get ${runId}`);
    shell.note(`Cancel it: npx agent-run cancel ${runId}`);
    return 130;
  }
}
