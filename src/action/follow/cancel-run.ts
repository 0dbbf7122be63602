import { messageOf } from '../../base/cause.ts';
import {
  type AgentRuns,
  ApiError,
  BadRequestError,
  isFinal,
  NotFoundError,
  type Run,
  RunLostError,
} from '../../client/index.ts';
import { isProxyResponse, retryProxyResponses } from '../connect/proxy-responses.ts';

/** A server that has just answered takes no longer. */
const secondLookMs = 1000;

export interface Cancelling {
  /** What stands on the run's page. */
  readonly reason: string;
  /** For the request to cancel. */
  readonly requestMs: number;
  /** How long to look for the end of the run afterwards; asked when the request was taken. */
  readonly lookMs: number | (() => number);
  /** Ends both before their time. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Cancels a run and looks for its end. The run as it was seen last; undefined when it was not seen any more in time. Throws the client's errors when the request
 * to cancel was not taken, RunLostError where the server does not know the run; that the run is over already is no such error.
 */
export async function cancelRun(
  client: AgentRuns,
  runId: string,
  { reason, requestMs, lookMs, signal }: Cancelling,
): Promise<Run | undefined> {
  try {
    await retryProxyResponses(
      leftMs => client.runs.cancel(runId, { reason, timeoutMs: leftMs, totalTimeoutMs: leftMs, signal }),
      { limitMs: requestMs, signal },
    );
  } catch (error) {
    if (error instanceof NotFoundError && (await isUnknown(client, runId, signal)))
      throw new RunLostError({ runId, state: undefined, cause: error });
    if (!(error instanceof BadRequestError) || isProxyResponse(error)) throw error;
  }
  // Timers take whole milliseconds, and throw for others.
  const ends = [AbortSignal.timeout(Math.ceil(typeof lookMs === 'number' ? lookMs : lookMs())), signal].filter(
    end => end !== undefined,
  );
  let last: Run | undefined;
  try {
    for await (const run of client.runs.follow(runId, { signal: AbortSignal.any(ends) })) {
      last = run;
      if (isFinal(run.state)) break;
    }
  } catch {
    // The request was taken; that the end was not seen in time changes nothing about it.
  }
  return last;
}

/** Whether the service says of the run itself that there is none: one that cancels no such run says the same of the address. */
async function isUnknown(client: AgentRuns, runId: string, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await client.runs.retrieve(runId, { totalTimeoutMs: secondLookMs, maxRetries: 0, signal });
    return false;
  } catch (error) {
    // What stands before a server that is gone has no code.
    return error instanceof NotFoundError && error.code !== undefined;
  }
}

/** Why the server did not take the request to stop a run, in sentences; without a period, for the link follows. */
export function explainNoCancel(error: unknown, runId: string): string {
  if (error instanceof RunLostError) return `The server no longer knows the run ${runId}, so there is nothing to stop`;
  const reason = messageOf(error);
  const later = 'The post step tries again. A run with a lease also ends when the lease does';
  if (isProxyResponse(error))
    return `The run ${runId} could not be told to stop: something in front of the server answered with a page. ${reason}. ${later}`;
  // No such address, no such method, not for this kind of run: asking again changes nothing.
  const cannot = error instanceof ApiError && [404, 405, 422, 501].includes(error.status);
  return cannot
    ? `This server cannot cancel the run ${runId}, which may continue and cost money: ${reason}`
    : `Canceling the run ${runId} failed: ${reason}. ${later}`;
}
