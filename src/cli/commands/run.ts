import {
  AbortedError,
  type AgentRuns,
  BadRequestError,
  type CreateRunAnswer,
  FollowTimeoutError,
  isFinal,
  type Run,
} from '../../client/index.ts';
import { sizes } from '../../contract/sizes.ts';
import { type Arguments, UsageError } from '../arguments.ts';
import type { ExitCode } from '../command-table.ts';
import { connect } from '../connect.ts';
import { reportEnding, reportLoss } from '../ending.ts';
import { explainStartFailure } from '../failure.ts';
import { listenForInterruption } from '../interruption.ts';
import { readRunBody } from '../run-body.ts';
import { messageOf, noteError, type Shell } from '../shell.ts';
import { watchRun } from '../watch.ts';

/** Once interrupted: for the answer to a create that is on its way, then for the end of the run. */
const lastMs = { create: 2500, cancel: 5000 };
const timedOutMs = 20_000;

export async function run(args: Arguments, shell: Shell): Promise<ExitCode> {
  const timeoutMs = readTimeoutMs(args);
  const body = await readRunBody(args, shell, args.has('no-wait') ? undefined : sizes.followerLeaseSeconds);
  const client = connect(args, shell);
  const interrupted = listenForInterruption(shell);
  let started: CreateRunAnswer;
  try {
    started = await client.runs.create(body, { source: 'CLI', signal: abortedAfter(interrupted, lastMs.create) });
  } catch (error) {
    if (!(error instanceof AbortedError)) {
      const { code, sentence } = explainStartFailure(error);
      noteError(shell, error, sentence);
      return code;
    }
    shell.note('agent-run: stopped before the run was known; if the server started one, its lease ends it', 'bad');
    return 130;
  }
  shell.note(`run ${started.run_id}${started.at_capacity === true ? ' waits, for every place is taken' : ''}`);
  // Another service may say anything.
  for (const warning of Array.isArray(started.warnings) ? started.warnings : [])
    shell.note(`warning: ${warning}`, 'bad');
  if (started.session_link !== undefined) shell.note(`see ${started.session_link}`);
  if (!args.has('no-wait') || interrupted.aborted)
    return await finishRun({ client, shell, runId: started.run_id, interrupted }, { timeoutMs, args });
  if (args.has('json')) shell.printJson(started);
  else shell.print(started.run_id);
  return 0;
}

function readTimeoutMs(args: Arguments): number | undefined {
  const minutes = args.number('timeout-minutes', value => value > 0, 'minutes above 0, such as 90 or 0.5');
  if (minutes !== undefined && args.has('no-wait'))
    throw new UsageError('--timeout-minutes and --no-wait exclude each other: nobody would look at the time');
  return minutes === undefined ? undefined : minutes * 60_000;
}

/** A run of this command's own. */
interface OwnRun {
  readonly client: AgentRuns;
  readonly shell: Shell;
  readonly runId: string;
  readonly interrupted: AbortSignal;
}

async function finishRun(
  own: OwnRun,
  { timeoutMs, args }: { readonly timeoutMs: number | undefined; readonly args: Arguments },
): Promise<ExitCode> {
  const { client, shell, runId, interrupted } = own;
  const output = args.has('json') ? 'run' : 'result';
  let ended: Run | undefined;
  try {
    ended = await watchRun({ client, shell, runId, showsJson: false, signal: interrupted, timeoutMs });
  } catch (error) {
    if (error instanceof AbortedError)
      ended = await stopRun(own, {
        why: 'interrupted, again to end at once',
        reason: 'interrupted',
        ms: lastMs.cancel,
      });
    else if (error instanceof FollowTimeoutError)
      ended = await stopRun(own, {
        why: `not over after --timeout-minutes ${args.text('timeout-minutes')}`,
        reason: `not over after --timeout-minutes ${args.text('timeout-minutes')}`,
        ms: timedOutMs,
      });
    else return reportLoss(shell, runId, error);
  }
  if (ended?.state === 'BLOCKED') await letWait(own);
  return ended === undefined ? 1 : await reportEnding({ client, shell, run: ended, output });
}

/** Nobody holds the lease any more, and whoever is asked may take longer. */
async function letWait({ client, shell, runId }: OwnRun): Promise<void> {
  try {
    await client.runs.releaseLease(runId, { totalTimeoutMs: lastMs.cancel });
  } catch (error) {
    shell.note(`agent-run: the lease of the run ${runId} goes on, and ends it soon: ${messageOf(error)}`, 'bad');
  }
}

/** Cancels the run and looks for its end: undefined when it was not seen in time. A run that succeeded meanwhile has succeeded. */
async function stopRun(
  { client, shell, runId }: OwnRun,
  { why, reason, ms }: { readonly why: string; readonly reason: string; readonly ms: number },
): Promise<Run | undefined> {
  shell.note(`${why}: cancelling the run`);
  const signal = AbortSignal.timeout(Math.ceil(ms));
  try {
    await client.runs.cancel(runId, { reason, timeoutMs: ms, totalTimeoutMs: ms });
  } catch (error) {
    if (!(error instanceof BadRequestError) || error.isPage) {
      shell.note(`agent-run: the run ${runId} could not be cancelled: ${messageOf(error)}; its lease ends it`, 'bad');
      return undefined;
    }
  }
  try {
    for await (const seen of client.runs.follow(runId, { signal })) if (isFinal(seen.state)) return seen;
  } catch {
    // The request was taken; that the end was not seen in time changes nothing about it.
  }
  shell.note(`agent-run: the run ${runId} was told to stop, and its end was not seen within ${ms / 1000} s`, 'bad');
  return undefined;
}

/** Aborts some time after another signal. */
function abortedAfter(signal: AbortSignal, ms: number): AbortSignal {
  const later = new AbortController();
  signal.addEventListener('abort', () => setTimeout(() => later.abort(), ms).unref(), { once: true });
  return later.signal;
}
