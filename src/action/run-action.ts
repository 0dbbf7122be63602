/**
 * The step: read the inputs, start the run, write down its id before anything else, follow it, report, decide. The verdict comes from the run's state alone;
 * reporting never changes it.
 */
import type { CreateRunAnswer } from '../contract/create.ts';
import { type Connection, connectClient } from './connect/connect.ts';
import { type Cancellation, listenForCancel } from './follow/cancellation.ts';
import { type Ending, followToEnd } from './follow/follow-run.ts';
import { startLiveLog } from './follow/live-log.ts';
import type { ActionHost } from './host/host.ts';
import { type ActionInputs, readInputs } from './inputs/inputs.ts';
import { emptyOutputs, setOutputs } from './report/outputs.ts';
import { reportEnding } from './report/report.ts';
import { addressOfResult, addressOfRun, readSessionLink, startRun } from './start/start-run.ts';
import { saveStepState } from './step-state.ts';
import { guardLine } from './text/guard.ts';
import { explainRefusal } from './verdict/refusal.ts';
import { concludeRun } from './verdict/verdict.ts';

export async function runAction(host: ActionHost): Promise<void> {
  const cancellation = listenForCancel(host);
  setOutputs(host, emptyOutputs);
  try {
    const begun = await begin(host, cancellation);
    if ('refusal' in begun) await reportEnding(host, { conclusion: 'not_started', sentence: begun.refusal });
    else await reportEnding(host, { ...(await carryOn(host, begun, cancellation)), known: begun.known });
  } finally {
    cancellation.stopListening();
  }
}

interface Begun {
  readonly inputs: ActionInputs;
  readonly connection: Connection;
  readonly started: CreateRunAnswer;
  readonly known: ReturnType<typeof noteRun>;
}

/** Until the run exists: whatever goes wrong here, there is no run, or none that we know of. */
async function begin(host: ActionHost, cancellation: Cancellation): Promise<Begun | { readonly refusal: string }> {
  try {
    const inputs = readInputs(host);
    const connection = connectClient(host, inputs);
    const started = await startRun(connection.client, { host, inputs, signal: cancellation.createSignal });
    return { inputs, connection, started, known: noteRun(host, connection, started) };
  } catch (error) {
    return { refusal: cancellation.signal.aborted ? cancelledTooEarly : explainRefusal(error) };
  }
}

const cancelledTooEarly =
  'The step was cancelled before the run was known. If the server started one all the same, its lease ends it; a run with `wait: false` has none, so look in the list of runs';

async function carryOn(
  host: ActionHost,
  { inputs, connection, started }: Begun,
  cancellation: Cancellation,
): Promise<Ending> {
  if (!inputs.wait) return { conclusion: 'started' };
  return await showAndFollow({ host, connection, started, timeoutMs: inputs.timeoutMs, cancellation });
}

/** Writes down what is known of a run the moment it is. */
function noteRun(host: ActionHost, { client }: Connection, started: CreateRunAnswer) {
  const runId = started.run_id;
  saveStepState(host, 'run_id', runId);
  setOutputs(host, { run_id: runId });
  const runUrl = addressOfRun(client, started);
  const sessionLink = readSessionLink(started);
  setOutputs(host, { run_url: runUrl, session_link: sessionLink ?? '', state: started.state });
  const address = sessionLink ?? runUrl;
  host.print(guardLine(`run ${runId}${started.at_capacity === true ? ' waits, for every place is taken' : ''}`));
  host.print(guardLine(`see ${address}`));
  return { runId, address, resultUrl: addressOfResult(client, runId) };
}

async function showAndFollow(following: Parameters<typeof followToEnd>[0]): Promise<Ending> {
  const { host, connection, started, cancellation } = following;
  const liveLog = startLiveLog(host, connection, started.run_id);
  try {
    const ending = await followToEnd(following);
    // A cancelled step has no time left for the last lines.
    const hasEnded = ending.run !== undefined && concludeRun(ending.run) !== undefined;
    if (hasEnded && !cancellation.signal.aborted) await liveLog.finish();
    return ending;
  } finally {
    await liveLog.stop();
  }
}
