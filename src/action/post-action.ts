/** The post step: cancels a run left running, and fixes a comment that still says "running". */
import { messageOf } from '../base/cause.ts';
import { isFinal, RunLostError } from '../client/index.ts';
import { type Connection, connectToServer, openStepNetwork } from './connect/connect.ts';
import { cancelRun, explainNoCancel } from './follow/cancel-run.ts';
import type { ActionHost } from './host/host.ts';
import { readStepState } from './host/step-state.ts';
import { readPlace } from './inputs/inputs.ts';
import { readStepContext } from './inputs/step-context.ts';
import { readSecret } from './inputs/values.ts';
import { repairComment } from './report/step-comment.ts';
import { findAlive } from './start/start-run.ts';

/** Short, so that cleanup does not delay the job. */
const limits = { requestMs: 10_000, lookMs: 2000 };

export async function postAction(host: ActionHost): Promise<void> {
  const isRunOpen = mayLeaveRun(host);
  const isCommentOpen = mayLeaveComment(host);
  if (!isRunOpen && !isCommentOpen) return;
  const state = readStepState(host, 'last_state');
  let sentence =
    state === undefined
      ? 'The step was stopped before it knew the outcome of the run'
      : `The step was stopped. The run is ${state}`;
  await attempt(host, 'the clean-up could not begin', async () => {
    const place = readPlace(host);
    const network = await openStepNetwork(host, place);
    try {
      if (isRunOpen)
        await attempt(host, 'the run could not be stopped, and ends with its lease if it has one', async () => {
          const fate = await stopRun(host, connectToServer(host, { place, network, logLevel: 'warn' }));
          if (fate !== undefined) sentence = `The step was stopped. ${fate}`;
        });
      if (isCommentOpen)
        await attempt(host, 'the comment could not be corrected', async () => {
          const token = readSecret(host, 'github_token');
          await repairComment(host, readStepContext(host), { token, network, sentence });
        });
    } finally {
      await network.close();
    }
  });
}

async function attempt(host: ActionHost, what: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    host.warn(`${what}: ${messageOf(error)}`);
  }
}

function mayLeaveRun(host: ActionHost): boolean {
  // A server inside the step ended with it, and its watchdog stopped the agent.
  if (readStepState(host, 'is_done') !== undefined || readStepState(host, 'is_embedded') !== undefined) return false;
  return readStepState(host, 'run_id') !== undefined || readStepState(host, 'step_key') !== undefined;
}

function mayLeaveComment(host: ActionHost): boolean {
  return readStepState(host, 'comment') !== undefined && readStepState(host, 'is_comment_final') === undefined;
}

/** The run as last seen, in a sentence without its period. Undefined without a run. */
async function stopRun(host: ActionHost, { client }: Connection): Promise<string | undefined> {
  const { requestMs, lookMs } = limits;
  const [knownId, stepKey] = [readStepState(host, 'run_id'), readStepState(host, 'step_key')];
  const run =
    knownId === undefined
      ? await findAlive(client, stepKey ?? '', { totalTimeoutMs: requestMs })
      : await client.runs.retrieve(knownId, { totalTimeoutMs: lookMs, maxRetries: 1 }).catch(() => undefined);
  const runId = knownId ?? run?.run_id;
  if (runId === undefined) return undefined;
  if (run !== undefined && isFinal(run.state)) return `The run is ${run.state}`;
  try {
    // Also cancels a run that cannot be read. Canceling an ended run is harmless.
    const last = await cancelRun(client, runId, { ...limits, reason: 'the step that followed it is over' });
    const state = last?.state ?? run?.state;
    const now = state === undefined ? 'its state is unknown' : `it is now ${state}`;
    host.print(`run ${runId} was still running and was told to stop; ${now}`);
    return `The run ${state === undefined ? 'was told to stop' : `is ${state}`}`;
  } catch (error) {
    if (!(error instanceof RunLostError)) throw error;
    const fate = explainNoCancel(error, runId);
    host.print(fate);
    return fate;
  }
}
