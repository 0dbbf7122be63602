import { AbortedError, FollowTimeoutError, RunLostError } from '../../client/index.ts';
import type { CreateRunAnswer } from '../../contract/create.ts';
import type { Run } from '../../contract/run.ts';
import type { Connection } from '../connect/connect.ts';
import type { ActionHost } from '../host/host.ts';
import { type Conclusion, concludeRun, explainRun, isGood } from '../verdict/verdict.ts';
import { cancelRun } from './cancel-run.ts';
import type { Cancellation } from './cancellation.ts';

/** A request to cancel may take this much of what is left; the rest is for a look at the end. */
const requestShare = 0.7;
const onTimeout = { requestMs: 30_000, lookMs: 20_000 };

/** How a step that has a run ended. */
export interface Ending {
  readonly conclusion: Conclusion;
  /** The run as it was seen last. */
  readonly run?: Run | undefined;
  readonly sentence?: string | undefined;
}

interface Following {
  readonly host: ActionHost;
  readonly connection: Connection;
  readonly started: CreateRunAnswer;
  readonly timeoutMs: number;
  readonly cancellation: Cancellation;
}

/** Follows a run until it is over, the step is cancelled or its time is; in the latter two the run is cancelled. Never throws. */
export async function followToEnd(following: Following): Promise<Ending> {
  const { connection, cancellation, started, timeoutMs } = following;
  const runId = started.run_id;
  let last: Run | undefined;
  try {
    for await (const run of connection.client.runs.follow(runId, { signal: cancellation.signal, timeoutMs })) {
      last = run;
      const conclusion = concludeRun(run);
      if (conclusion !== undefined) return concluded(run, conclusion);
    }
    throw new Error('following ended before the run did');
  } catch (error) {
    if (error instanceof AbortedError) {
      const requestMs = cancellation.leftMs() * requestShare;
      return await stopRun(following, last, {
        conclusion: 'cancelled',
        why: 'The step was cancelled',
        reason: 'the step was cancelled',
        requestMs,
        lookMs: cancellation.leftMs() - requestMs,
      });
    }
    if (error instanceof FollowTimeoutError)
      return await stopRun(following, last, {
        conclusion: 'timed_out',
        why: `The run did not end within timeout_minutes (${timeoutMs / 60_000})`,
        reason: `not over within timeout_minutes (${timeoutMs / 60_000}) of the step`,
        ...onTimeout,
      });
    const lost =
      error instanceof RunLostError
        ? `The server does not know the run ${runId} any more`
        : `The run ${runId} cannot be followed any more, and what became of it is unknown`;
    return { conclusion: 'lost', run: last, sentence: `${lost}: ${messageOf(error)}` };
  }
}

interface Stop {
  readonly conclusion: 'cancelled' | 'timed_out';
  readonly why: string;
  readonly reason: string;
  readonly requestMs: number;
  readonly lookMs: number;
}

/** Cancels the run because the step ends first. A run that ended meanwhile keeps its own verdict: late success is success. */
async function stopRun(
  { connection, started }: Following,
  last: Run | undefined,
  { conclusion, why, ...times }: Stop,
): Promise<Ending> {
  try {
    const run = (await cancelRun(connection.client, started.run_id, times)) ?? last;
    const own = run && concludeRun(run);
    if (run !== undefined && own !== undefined && own !== 'cancelled' && own !== 'blocked') return concluded(run, own);
    return {
      conclusion,
      run,
      sentence: `${why}; the run ${own === 'cancelled' ? 'is cancelled' : 'was told to stop'}`,
    };
  } catch (error) {
    const sentence = `${why}, and cancelling the run ${started.run_id} failed: ${messageOf(error)}. The post step tries again, then its lease ends it`;
    return { conclusion, run: last, sentence };
  }
}

function concluded(run: Run, conclusion: Conclusion): Ending {
  return { run, conclusion, sentence: isGood(conclusion) ? undefined : explainRun(run, conclusion) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
