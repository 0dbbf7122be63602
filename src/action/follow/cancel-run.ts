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

/** A server that just responded needs no longer. */
const secondLookMs = 1000;

export interface Cancelling {
  /** Shown on the run's page. */
  readonly reason: string;
  readonly requestMs: number;
  /** How long to wait for the run's end. A function is called after the request was accepted. */
  readonly lookMs: number | (() => number);
  /** Aborts both. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Cancels a run and waits for its end. Returns the run as last seen, or undefined if it was not seen in time. Throws
 * the client's errors if the request failed, and RunLostError if the server does not know the run. A run that has
 * already ended is not an error.
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
  // Timers throw for fractions of a millisecond.
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
    // The request was accepted, whether or not the end was seen in time.
  }
  return last;
}

/** A service without cancel responds 404 as well, so this asks for the run itself. */
async function isUnknown(client: AgentRuns, runId: string, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await client.runs.retrieve(runId, { totalTimeoutMs: secondLookMs, maxRetries: 0, signal });
    return false;
  } catch (error) {
    // A 404 without a code comes from a proxy in front of a dead server.
    return error instanceof NotFoundError && error.code !== undefined;
  }
}

/** Explains why the cancel request failed. Has no final period, because a link follows. */
export function explainNoCancel(error: unknown, runId: string): string {
  if (error instanceof RunLostError) return `The server no longer knows the run ${runId}, so there is nothing to stop`;
  const reason = messageOf(error);
  const later = 'The post step tries again. A run with a lease also ends when the lease does';
  if (isProxyResponse(error))
    return `The run ${runId} could not be told to stop: something in front of the server answered with a page. ${reason}. ${later}`;
  // Unknown address, unknown method, or unsupported for this run: retrying does not help.
  const cannot = error instanceof ApiError && [404, 405, 422, 501].includes(error.status);
  return cannot
    ? `This server cannot cancel the run ${runId}, which may continue and cost money: ${reason}`
    : `Canceling the run ${runId} failed: ${reason}. ${later}`;
}
