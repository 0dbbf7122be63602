import { messageOf } from '../../base/cause.ts';
import {
  AbortedError,
  type AgentRuns,
  BadRequestError,
  type CreateRunAnswer,
  FollowTimeoutError,
  isFinal,
} from '../../client/index.ts';
import { sizes } from '../../contract/tables/sizes.ts';
import { type Arguments, UsageError } from '../arguments.ts';
import { connect } from '../command-client.ts';
import type { ExitCode } from '../command-table.ts';
import { readRunBody } from '../create-body.ts';
import { findRunId } from '../run-id.ts';
import { noteError, type Shell } from '../terminal/command-shell.ts';
import { reportEnding, reportLoss } from '../terminal/ending.ts';
import { explainStartFailure } from '../terminal/failure.ts';
import { listenForInterruption } from '../terminal/interruption.ts';
import { type Watched, watchRun } from '../terminal/watch.ts';

/** Limits after an interruption: for the response to a create in progress, and for the end of the run. */
const lastMs = { create: 2500, cancel: 5000 };
const timedOutMs = 20_000;

export async function run(args: Arguments, shell: Shell): Promise<ExitCode> {
  const timeoutMs = readTimeoutMs(args);
  const given = await readRunBody(args, shell, args.has('no-wait') ? undefined : sizes.followerLeaseSeconds);
  const client = await connect(args, shell);
  const { conversation_id: id } = given;
  const body = { ...given, conversation_id: id && (await findRunId(client, id)) };
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
    shell.note(
      'agent-run: Stopped before the server answered. If the server started a run, it cancels that run within 7 minutes.',
      'bad',
    );
    return 130;
  }
  shell.note(`run ${started.run_id}${started.at_capacity === true ? ' waits: the server is at capacity' : ''}`);
  // Another service may send other types.
  for (const warning of Array.isArray(started.warnings) ? started.warnings : [])
    shell.note(`warning: ${warning}`, 'bad');
  if (started.session_link !== undefined) shell.note(`Page: ${started.session_link}`);
  if (!args.has('no-wait') || interrupted.aborted)
    return await finishRun({ client, shell, runId: started.run_id, interrupted }, { timeoutMs, args });
  if (args.has('json')) shell.printJson(started);
  else shell.print(started.run_id);
  return 0;
}

function readTimeoutMs(args: Arguments): number | undefined {
  const minutes = args.number('timeout-minutes', value => value > 0, 'a number of minutes above 0, such as 90 or 0.5');
  if (minutes !== undefined && args.has('no-wait'))
    throw new UsageError('--timeout-minutes cannot be used with --no-wait');
  return minutes === undefined ? undefined : minutes * 60_000;
}

/** A run that this command started. */
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
  let ended: Watched | undefined;
  try {
    ended = await watchRun({ client, shell, runId, events: 'progress', signal: interrupted, timeoutMs });
  } catch (error) {
    if (error instanceof AbortedError)
      ended = await stopRun(own, {
        why: 'Interrupted. Press Ctrl-C again to exit at once',
        reason: 'interrupted',
        ms: lastMs.cancel,
      });
    else if (error instanceof FollowTimeoutError)
      ended = await stopRun(own, {
        why: `Timed out after ${args.text('timeout-minutes')} minutes (--timeout-minutes)`,
        reason: `timed out after ${args.text('timeout-minutes')} minutes (--timeout-minutes)`,
        ms: timedOutMs,
      });
    else return reportLoss(shell, runId, error);
  }
  if (ended?.run.state === 'BLOCKED') await letWait(own);
  return ended === undefined ? 1 : await reportEnding({ client, shell, ...ended, output });
}

/** Without a follower nothing renews the lease, and a person may take longer to answer. */
async function letWait({ client, shell, runId }: OwnRun): Promise<void> {
  try {
    await client.runs.releaseLease(runId, { totalTimeoutMs: lastMs.cancel });
  } catch (error) {
    shell.note(`agent-run: The server will cancel run ${runId} within 7 minutes: ${messageOf(error)}`, 'bad');
  }
}

/**
 * Cancels the run and waits for its end; undefined if it was not seen in time. A run that succeeded meanwhile counts
 * as a success.
 */
async function stopRun(
  { client, shell, runId }: OwnRun,
  { why, reason, ms }: { readonly why: string; readonly reason: string; readonly ms: number },
): Promise<Watched | undefined> {
  shell.note(`${why}. Canceling the run.`);
  const signal = AbortSignal.timeout(Math.ceil(ms));
  try {
    await client.runs.cancel(runId, { reason, timeoutMs: ms, totalTimeoutMs: ms });
  } catch (error) {
    if (!(error instanceof BadRequestError) || error.isProxyResponse) {
      shell.note(`agent-run: Cannot cancel run ${runId} now; it ends within 7 minutes: ${messageOf(error)}`, 'bad');
      return undefined;
    }
  }
  try {
    for await (const seen of client.runs.follow(runId, { signal }))
      if (isFinal(seen.state)) return { run: seen, isResultShown: false };
  } catch {
    // The server accepted the cancel, even if its end was not seen in time.
  }
  shell.note(`agent-run: Asked the server to cancel run ${runId}, but it did not end within ${ms / 1000} s.`, 'bad');
  return undefined;
}

/** Aborts some time after another signal. */
function abortedAfter(signal: AbortSignal, ms: number): AbortSignal {
  const later = new AbortController();
  signal.addEventListener('abort', () => setTimeout(() => later.abort(), ms).unref(), { once: true });
  return later.signal;
}
