import { type AgentRuns, ApiError, BadRequestError, isFinal, type Run } from '../../client/index.ts';

import { tidyRun } from './tidy-run.ts';

export interface Cancelling {
  /** What stands on the run's page. */
  readonly reason: string;
  /** For the request to cancel. */
  readonly requestMs: number;
  /** How long to look for the end of the run afterwards. */
  readonly lookMs: number;
  /** Ends both before their time. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Cancels a run and looks for its end. The run as it was seen last; undefined when it was not seen any more in time. Throws the client's errors when the request
 * to cancel was not taken; that the run is over already is no such error.
 */
export async function cancelRun(
  client: AgentRuns,
  runId: string,
  { reason, requestMs, lookMs, signal }: Cancelling,
): Promise<Run | undefined> {
  try {
    await client.runs.cancel(runId, { reason, timeoutMs: requestMs, totalTimeoutMs: requestMs, signal });
  } catch (error) {
    if (!(error instanceof BadRequestError)) throw error;
  }
  // Timers take whole milliseconds, and throw for others.
  const ends = [AbortSignal.timeout(Math.ceil(lookMs)), signal].filter(end => end !== undefined);
  let last: Run | undefined;
  try {
    for await (const run of client.runs.follow(runId, { signal: AbortSignal.any(ends) })) {
      last = tidyRun(run);
      if (isFinal(run.state)) break;
    }
  } catch {
    // The request was taken; that the end was not seen in time changes nothing about it.
  }
  return last;
}

/** What came of the wish to stop a run, when the server did not take it; for the end of a sentence that the link follows. */
export function explainNoCancel(error: unknown, runId: string): string {
  const reason = error instanceof Error ? error.message : String(error);
  // No such address, no such method, not for this kind of run: asking again changes nothing.
  const cannot = error instanceof ApiError && [404, 405, 422, 501].includes(error.status);
  return cannot
    ? `this server does not cancel the run ${runId}, which may go on and cost: ${reason}`
    : `cancelling the run ${runId} failed: ${reason}. The post step tries again; where the run has a lease, its end stops the run`;
}
