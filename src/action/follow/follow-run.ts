import { messageOf } from '../../base/cause.ts';
import { describeSpan } from '../../base/wording/tool-text.ts';
import {
  AbortedError,
  type AgentRuns,
  FollowTimeoutError,
  isFinal,
  type Run,
  type RunEvent,
  RunLostError,
} from '../../client/index.ts';
import type { Connection } from '../connect/connect.ts';
import { retryProxyResponses } from '../connect/proxy-responses.ts';
import type { FollowInputs } from '../inputs/inputs.ts';
import type { Outcome } from '../verdict/verdict.ts';
import { type Cancelling, cancelRun, explainNoCancel } from './cancel-run.ts';
import type { Cancellation } from './cancellation.ts';
import type { LiveLog } from './live-log.ts';

/** Share of the time left that a cancel request may take. The rest is for watching the run end. */
const requestShare = 0.7;
/** Limits after a timeout. Documented in docs/action.md. */
export const onTimeoutMs = Object.freeze({ requestMs: 30_000, lookMs: 20_000 });
const releaseMs = 10_000;
/** The server inside the step reads them from disk. */
const lastEventsMs = 500;

export interface Ending {
  readonly outcome: Outcome;
  readonly run?: Run | undefined;
  /** True if nothing is left to stop: the run ended, or was meant to continue. */
  readonly isDone: boolean;
}

interface Following {
  readonly connection: Connection;
  readonly runId: string;
  readonly inputs: FollowInputs;
  readonly cancellation: Cancellation;
  readonly liveLog: Pick<LiveLog, 'noteRun' | 'noteEvent' | 'noteStatesOnly' | 'describeOpenCall'>;
}

/** Cancels the run if the step is canceled or its time is up. Never throws. */
export async function followToEnd(following: Following): Promise<Ending> {
  const { connection, cancellation, inputs, runId, liveLog } = following;
  let last: Run | undefined;
  let lastSeq = 0;
  try {
    const limits = limitsOf(inputs);
    const onEvent = (event: RunEvent) => {
      lastSeq = event.seq;
      liveLog.noteEvent(event);
    };
    const shown = { onEvent, onStatesOnly: liveLog.noteStatesOnly };
    for await (const run of connection.client.runs.follow(runId, {
      signal: cancellation.signal,
      ...shown,
      ...limits,
    })) {
      last = run;
      liveLog.noteRun(run);
      if (isFinal(run.state)) return { outcome: { kind: 'ended' }, run, isDone: true };
      if (run.state === 'BLOCKED' && inputs.onBlocked !== 'wait') {
        await leave(following);
        return { outcome: { kind: 'blocked', isWanted: inputs.onBlocked === 'neutral' }, run, isDone: true };
      }
    }
    throw new Error('following ended before the run did');
  } catch (error) {
    if (error instanceof AbortedError) {
      const requestMs = Math.ceil(cancellation.leftMs() * requestShare);
      const reason = 'the step was canceled';
      // The request leaves the rest: an agent that ignores the signal is killed within it.
      const lookMs = () => cancellation.leftMs();
      const { run, stopping, isDone } = await stop(following, last, { reason, requestMs, lookMs });
      await showEnd(following, run, lastSeq);
      return { outcome: { kind: 'step_cancelled', stopping }, run, isDone };
    }
    if (error instanceof FollowTimeoutError) {
      const { why, phase } = explainTimeout(error, following, last?.state);
      if (inputs.onTimeout === 'leave') {
        await leave(following);
        const run = await lookOnce(connection.client, runId, cancellation.signal);
        const fate = run === undefined ? 'The run may still be running on the server' : 'The run continues';
        const stopping = `${fate} (\`on_timeout: leave\`)`;
        return { outcome: { kind: 'timed_out', why, phase, stopping }, run: run ?? last, isDone: true };
      }
      const { run, stopping, isDone } = await stop(following, last, {
        reason: why,
        ...onTimeoutMs,
        signal: cancellation.lateSignal,
      });
      await showEnd(following, run, lastSeq);
      return { outcome: { kind: 'timed_out', why, phase, stopping }, run, isDone };
    }
    const lost =
      error instanceof RunLostError
        ? `The server no longer knows the run ${runId}`
        : `The step lost contact with the run ${runId}, so its outcome is unknown`;
    return { outcome: { kind: 'lost', why: `${lost}: ${messageOf(error)}` }, run: last, isDone: false };
  }
}

/** `cancel: true`: cancels a run and follows it to its end. */
export async function cancelAndFollow(following: Following): Promise<Ending> {
  const { connection, runId, inputs, cancellation } = following;
  try {
    const reason = 'a step with `cancel: true`';
    const signal = cancellation.lateSignal;
    await cancelRun(connection.client, runId, { reason, requestMs: 60_000, lookMs: 1, signal });
  } catch (error) {
    // If the step had no time left, the post step cancels it.
    const isDone = !cancellation.signal.aborted;
    return { outcome: { kind: 'cancel_asked', problem: explainNoCancel(error, runId) }, isDone };
  }
  if (!inputs.wait) {
    const run = await lookOnce(connection.client, runId, cancellation.lateSignal);
    // Name a run that reached its own end. Whether the end of a canceled run is seen here is chance, so it is left
    // out.
    const isEnded = run !== undefined && isFinal(run.state) && run.state !== 'CANCELLED';
    return { outcome: { kind: isEnded ? 'cancel_asked' : 'started' }, run, isDone: true };
  }
  const ending = await followToEnd(following);
  return ending.outcome.kind === 'ended' ? { ...ending, outcome: { kind: 'cancel_asked' } } : ending;
}

/** With a separate queue limit, `timeout_minutes` covers only the work. */
function limitsOf({ timeoutMs, queueTimeoutMs, stallTimeoutMs }: FollowInputs) {
  return queueTimeoutMs === undefined
    ? { timeoutMs, stallTimeoutMs }
    : { runTimeoutMs: timeoutMs, queueTimeoutMs, stallTimeoutMs };
}

function explainTimeout(
  error: FollowTimeoutError,
  { inputs, liveLog }: Pick<Following, 'inputs' | 'liveLog'>,
  state: Run['state'] | undefined,
): TimedOut {
  const { phase, limit } = error;
  const { timeoutMs, queueTimeoutMs = 0, stallTimeoutMs = 0 } = inputs;
  if (phase === undefined) {
    const last = error.cause === undefined ? '' : `. The last error: ${messageOf(error.cause)}`;
    const input = limit === 'queue' ? 'queue_timeout_minutes' : 'timeout_minutes';
    const time = describeSpan(error.timeoutMs ?? 0);
    return { phase: 'follow', why: `The server did not answer with the run within ${time} (\`${input}\`)${last}` };
  }
  if (limit === 'queue') {
    const time = describeSpan(queueTimeoutMs);
    return { phase, why: `The run was still queued after ${time}. Raise \`queue_timeout_minutes\`, or start it later` };
  }
  if (limit === 'stall') {
    const time = describeSpan(stallTimeoutMs);
    return {
      phase,
      why: `The run stalled: it showed no activity for ${time}. Raise \`stall_timeout_minutes\` if it needs longer`,
    };
  }
  const time = `The run timed out after ${describeSpan(timeoutMs)}`;
  if (phase === 'queue')
    return { phase, why: `${time}, still in the queue. Raise \`timeout_minutes\`, or start it later` };
  if (state === 'BLOCKED')
    return {
      phase,
      why: `${time}: nobody answered the agent's question. Answer it in time, or raise \`timeout_minutes\``,
    };
  const where = liveLog.describeOpenCall(timeoutMs);
  return { phase, why: `${time}${where}. Raise \`timeout_minutes\`, or give the agent a smaller task` };
}

interface TimedOut {
  readonly why: string;
  readonly phase: 'queue' | 'run' | 'follow';
}

/** Lets a run continue without the step, which stops renewing its lease. */
async function leave({ connection, runId, inputs, cancellation }: Following): Promise<void> {
  if (!inputs.lease) return;
  try {
    const signal = cancellation.lateSignal;
    await retryProxyResponses(
      totalTimeoutMs => connection.client.runs.releaseLease(runId, { totalTimeoutMs, signal }),
      {
        limitMs: releaseMs,
        signal,
      },
    );
  } catch {
    // A service without leases has nothing to release. After other failures the lease ends the run, as if the step
    // were lost.
  }
}

/** The report includes the run's working time. Undefined if the server does not respond. */
export async function lookOnce(client: AgentRuns, runId: string, signal?: AbortSignal): Promise<Run | undefined> {
  try {
    return await client.runs.retrieve(runId, { totalTimeoutMs: releaseMs, signal });
  } catch {
    return undefined;
  }
}

async function stop(
  { connection, runId, liveLog }: Following,
  last: Run | undefined,
  cancelling: Cancelling,
): Promise<{ readonly run: Run | undefined; readonly stopping: string; readonly isDone: boolean }> {
  try {
    const run = (await cancelRun(connection.client, runId, cancelling)) ?? last;
    if (run !== undefined) liveLog.noteRun(run);
    // When the server inside the step ends, it kills what is left.
    const stopping = `The run was told to stop${connection.isEmbedded ? ', and ends with the step at the latest' : ''}`;
    return { run, stopping, isDone: run !== undefined && isFinal(run.state) };
  } catch (error) {
    return { run: last, stopping: explainNoCancel(error, runId), isDone: error instanceof RunLostError };
  }
}

/** Shows how an agent inside the step stopped, such as that it had to be killed. No other log has that. */
async function showEnd(
  { connection, runId, liveLog, cancellation }: Following,
  run: Run | undefined,
  after: number,
): Promise<void> {
  if (!connection.isEmbedded || run === undefined || !isFinal(run.state)) return;
  const signal = AbortSignal.timeout(Math.ceil(Math.min(lastEventsMs, cancellation.leftMs())));
  try {
    for await (const event of connection.client.runs.events(runId, { after, signal })) liveLog.noteEvent(event);
  } catch {
    // The log has what came in time.
  }
}
