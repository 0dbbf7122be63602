import { isFinal } from '../contract/state.ts';
import { connectClient } from './connect/connect.ts';
import { cancelRun } from './follow/cancel-run.ts';
import type { ActionHost } from './host/host.ts';
import { readConnection } from './inputs/inputs.ts';
import { readStepState } from './step-state.ts';
import { guardLine } from './text/guard.ts';

/** Short, for clean-up must not hold up the job. */
const limits = { requestMs: 10_000, lookMs: 2000 };

/** The post step: cancels the run that main left running, if it did. Never fails the job. */
export async function postAction(host: ActionHost): Promise<void> {
  const runId = readStepState(host, 'run_id');
  if (runId === undefined || readStepState(host, 'is_over') !== undefined) return;
  try {
    const { client } = connectClient(host, readConnection(host), 'warn');
    const { state } = await client.runs.retrieve(runId, {
      timeoutMs: limits.requestMs,
      totalTimeoutMs: limits.requestMs,
    });
    if (isFinal(state)) return;
    const run = await cancelRun(client, runId, { ...limits, reason: 'the step that started it is over' });
    host.print(guardLine(`run ${runId} was left running and is told to stop; it is ${run?.state ?? state}`));
  } catch (error) {
    host.warn(
      guardLine(
        `the run ${runId} could not be cancelled: ${error instanceof Error ? error.message : error}. Its lease ends it`,
      ),
    );
  }
}
