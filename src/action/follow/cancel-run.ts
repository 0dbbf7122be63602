import { type AgentRuns, BadRequestError } from '../../client/index.ts';
import type { Run } from '../../contract/run.ts';
import { concludeRun } from '../verdict/verdict.ts';

interface Cancelling {
  /** What stands on the run's page. */
  readonly reason: string;
  /** For the request to cancel. */
  readonly requestMs: number;
  /** How long to look for the end of the run afterwards. */
  readonly lookMs: number;
}

/**
 * Cancels a run and looks for its end. The run as it was seen last; undefined when it was not seen any more in time. Throws the client's errors when the request
 * to cancel was not taken; that the run is over already is no such error.
 */
export async function cancelRun(
  client: AgentRuns,
  runId: string,
  { reason, requestMs, lookMs }: Cancelling,
): Promise<Run | undefined> {
  try {
    await client.runs.cancel(runId, { reason, timeoutMs: requestMs, totalTimeoutMs: requestMs });
  } catch (error) {
    if (!(error instanceof BadRequestError)) throw error;
  }
  let last: Run | undefined;
  try {
    for await (const run of client.runs.follow(runId, { signal: AbortSignal.timeout(lookMs) })) {
      last = run;
      if (concludeRun(run) !== undefined) break;
    }
  } catch {
    // The request was taken; that the end was not seen in time changes nothing about it.
  }
  return last;
}
