/** The step's run to its end, or to the end of the step's time. */
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
import type { Happening } from '../verdict/verdict.ts';
import { type Cancelling, cancelRun, explainNoCancel } from './cancel-run.ts';
import type { Cancellation } from './cancellation.ts';
import type { LiveLog } from './live-log.ts';

/** A request to cancel may take this much of what is left; the rest is for a look at the end. */
const requestShare = 0.7;
/** After a time that is over. docs/action.md says so. */
export const onTimeoutMs = Object.freeze({ requestMs: 30_000, lookMs: 20_000 });
export const releaseMs = 10_000;
/** The server in the step reads them from a disk. */
const lastEventsMs = 500;

/** How it ended: what happened, and the run as it was seen last. */
export interface Ending {
  readonly happening: Happening;
  readonly run?: Run | undefined;
  /** Whether nothing is left to be stopped: the run is over, or goes on because it was to. */
  readonly isDone: boolean;
}

interface Following {
  readonly connection: Connection;
  readonly runId: string;
  readonly inputs: FollowInputs;
  readonly cancellation: Cancellation;
  readonly liveLog: Pick<LiveLog, 'noteRun' | 'noteEvent' | 'noteStatesOnly' | 'describeOpenCall'>;
}

/** Follows a run until it is over, or the step is canceled, or its time is over; in the latter two the run is told to stop. Never throws. */
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
      if (isFinal(run.state)) return { happening: { kind: 'ended' }, run, isDone: true };
      if (run.state === 'BLOCKED' && inputs.onBlocked !== 'wait') {
        await leave(following);
        return { happening: { kind: 'blocked', isWanted: inputs.onBlocked === 'neutral' }, run, isDone: true };
      }
    }
    throw new Error('following ended before the run did');
  } catch (error) {
    if (error instanceof AbortedError) {
      const requestMs = Math.ceil(cancellation.leftMs() * requestShare);
      const reason = 'the step was canceled';
      // All that the request has left: an agent that does not heed the signal is killed in this time.
      const lookMs = () => cancellation.leftMs();
      const { run, stopping, isDone } = await stop(following, last, { reason, requestMs, lookMs });
      await showEnd(following, run, lastSeq);
      return { happening: { kind: 'step_cancelled', stopping }, run, isDone };
    }
    if (error instanceof FollowTimeoutError) {
      const { why, phase } = explainTimeout(error, following, last?.state);
      if (inputs.onTimeout === 'leave') {
        await leave(following);
        const run = await lookOnce(connection.client, runId, cancellation.signal);
        const fate = run === undefined ? 'The run may still be running on the server' : 'The run continues';
        const stopping = `${fate} (\`on_timeout: leave\`)`;
        return { happening: { kind: 'timed_out', why, phase, stopping }, run: run ?? last, isDone: true };
      }
      const { run, stopping, isDone } = await stop(following, last, {
        reason: why,
        ...onTimeoutMs,
        signal: cancellation.lateSignal,
      });
      await showEnd(following, run, lastSeq);
      return { happening: { kind: 'timed_out', why, phase, stopping }, run, isDone };
    }
    const lost =
      error instanceof RunLostError
        ? `The server no longer knows the run ${runId}`
        : `The step lost contact with the run ${runId}, so its outcome is unknown`;
    return { happening: { kind: 'lost', why: `${lost}: ${messageOf(error)}` }, run: last, isDone: false };
  }
}

/** `cancel: true`: tells a run to stop and follows it to its end. */
export async function cancelAndFollow(following: Following): Promise<Ending> {
  const { connection, runId, inputs, cancellation } = following;
  try {
    const reason = 'a step with `cancel: true`';
    const signal = cancellation.lateSignal;
    await cancelRun(connection.client, runId, { reason, requestMs: 60_000, lookMs: 1, signal });
  } catch (error) {
    // One that the step had no time for is for the post step.
    const isDone = !cancellation.signal.aborted;
    return { happening: { kind: 'cancel_asked', problem: explainNoCancel(error, runId) }, isDone };
  }
  if (!inputs.wait) {
    const run = await lookOnce(connection.client, runId, cancellation.lateSignal);
    // One that came to its own end is not said to be under way. Whether the end of one that was told to stop is seen here is chance, so it says nothing.
    const isEnded = run !== undefined && isFinal(run.state) && run.state !== 'CANCELLED';
    return { happening: { kind: isEnded ? 'cancel_asked' : 'started' }, run, isDone: true };
  }
  const ending = await followToEnd(following);
  return ending.happening.kind === 'ended' ? { ...ending, happening: { kind: 'cancel_asked' } } : ending;
}

/** With a time of its own for the queue, `timeout_minutes` is for the work alone. */
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

/** Lets a run go on without the step: nobody renews its lease from now on. */
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
    // A service without leases has none to let go; where it failed otherwise, the lease ends the run, as it would a run of a lost step.
  }
}

/** The run as it is when the step lets it go: how long it has worked is part of the report. Undefined where the server does not say. */
export async function lookOnce(client: AgentRuns, runId: string, signal?: AbortSignal): Promise<Run | undefined> {
  try {
    return await client.runs.retrieve(runId, { totalTimeoutMs: releaseMs, signal });
  } catch {
    return undefined;
  }
}

/** Tells a run to stop because the step ends first. */
async function stop(
  { connection, runId, liveLog }: Following,
  last: Run | undefined,
  cancelling: Cancelling,
): Promise<{ readonly run: Run | undefined; readonly stopping: string; readonly isDone: boolean }> {
  try {
    const run = (await cancelRun(connection.client, runId, cancelling)) ?? last;
    if (run !== undefined) liveLog.noteRun(run);
    // The server in the step kills with its end whatever is left.
    const stopping = `The run was told to stop${connection.isEmbedded ? ', and ends with the step at the latest' : ''}`;
    return { run, stopping, isDone: run !== undefined && isFinal(run.state) };
  } catch (error) {
    return { run: last, stopping: explainNoCancel(error, runId), isDone: error instanceof RunLostError };
  }
}

/** What became of an agent in the step that was told to stop, such as that it had to be killed, stands in no other log than this step's. */
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
    // The log says what there was time for.
  }
}
