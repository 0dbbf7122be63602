/**
 * The step: read the inputs, start the run, write down its id before anything else, follow it, report, decide. The verdict comes from the run's state alone;
 * reporting never changes it.
 */
import { AbortedError, type AgentRuns, FollowTimeoutError, RunLostError } from '../client/index.ts';
import type { CreateRunAnswer } from '../contract/create.ts';
import type { Run } from '../contract/run.ts';
import { cancelRun } from './cancel-run.ts';
import { connectClient } from './connect.ts';
import { guardLine } from './guard.ts';
import type { ActionHost } from './host.ts';
import { type ActionInputs, readInputs } from './inputs.ts';
import { startLiveLog } from './live-log.ts';
import { emptyOutputs, outputsOfRun, setOutputs, workedSeconds } from './outputs.ts';
import { addressOfRun, startRun } from './start-run.ts';
import { saveStepState } from './step-state.ts';
import { printSummary } from './summary.ts';
import { type Conclusion, concludeRun, explainRun, isGood } from './verdict.ts';

/** The runner gives a cancelled step 7.5 s before it insists; all of this together stays below 5 s. */
const onCancel = { createMs: 2500, requestMs: 2500, lookMs: 1500 };
const onTimeout = { requestMs: 30_000, lookMs: 20_000 };

interface Step {
  readonly host: ActionHost;
  readonly inputs: ActionInputs;
  readonly client: AgentRuns;
  readonly started: CreateRunAnswer;
  readonly runUrl: string;
  /** Aborted when the runner wants the step to stop. */
  readonly cancelled: AbortSignal;
}

/** How a step that has a run ended. */
interface Ending {
  readonly conclusion: Conclusion;
  readonly run?: Run | undefined;
  readonly sentence?: string | undefined;
}

export async function runAction(host: ActionHost): Promise<void> {
  const cancel = new AbortController();
  const stopListening = host.onCancel(() => cancel.abort());
  try {
    setOutputs(host, emptyOutputs);
    const inputs = readInputs(host);
    const client = connectClient(host, inputs);
    const started = await startRun(client, { host, inputs, signal: abortedAfter(cancel.signal, onCancel.createMs) });
    await endStep(
      await beginStep({
        host,
        inputs,
        client,
        started,
        runUrl: addressOfRun(client, started),
        cancelled: cancel.signal,
      }),
    );
  } catch (error) {
    // Until here there is no run, or none that we know of: the conclusion stays not_started.
    host.fail(
      cancel.signal.aborted
        ? 'The step was cancelled before the run was known; if the server started one, its lease ends it'
        : messageOf(error),
    );
  } finally {
    stopListening();
  }
}

/** Writes down what is known, then follows. */
async function beginStep(step: Step): Promise<{ step: Step; ending: Ending }> {
  const { host, started, runUrl } = step;
  setOutputs(host, {
    run_id: started.run_id,
    run_url: runUrl,
    session_link: started.session_link ?? '',
    state: started.state,
  });
  saveStepState(host, 'run_id', started.run_id);
  host.print(
    guardLine(`run ${started.run_id}${started.at_capacity === true ? ' waits, for every place is taken' : ''}`),
  );
  host.print(guardLine(`see ${started.session_link ?? runUrl}`));
  if (!step.inputs.wait) {
    saveStepState(host, 'is_over', 'true');
    return { step, ending: { conclusion: 'started' } };
  }
  const liveLog = startLiveLog(host, step.client, started.run_id);
  try {
    const ending = await followToEnd(step);
    // A cancelled step has no time left for the last lines.
    if (!step.cancelled.aborted && ending.run !== undefined && concludeRun(ending.run) !== undefined)
      await liveLog.finish();
    return { step, ending };
  } finally {
    await liveLog.stop();
  }
}

async function followToEnd(step: Step): Promise<Ending> {
  const { client, inputs, cancelled, started } = step;
  try {
    for await (const run of client.runs.follow(started.run_id, { signal: cancelled, timeoutMs: inputs.timeoutMs })) {
      const conclusion = concludeRun(run);
      if (conclusion !== undefined) return concluded(run, conclusion);
    }
    throw new Error('following ended before the run did');
  } catch (error) {
    if (error instanceof AbortedError)
      return await stopRun(step, { conclusion: 'cancelled', why: 'The step was cancelled', ...onCancel });
    if (error instanceof FollowTimeoutError)
      return await stopRun(step, {
        conclusion: 'timed_out',
        why: `The run did not end within timeout_minutes (${inputs.timeoutMs / 60_000})`,
        ...onTimeout,
      });
    if (error instanceof RunLostError)
      return {
        conclusion: 'lost',
        sentence: `The server does not know the run ${started.run_id} any more: ${messageOf(error)}`,
      };
    return {
      conclusion: 'lost',
      sentence: `The run ${started.run_id} cannot be followed any more, and what became of it is unknown: ${messageOf(error)}. See ${started.session_link ?? step.runUrl}`,
    };
  }
}

/** Cancels the run because the step ends first. A run that ended meanwhile keeps its own verdict: late success is success. */
async function stopRun(
  { client, started }: Step,
  {
    conclusion,
    why,
    requestMs,
    lookMs,
  }: {
    readonly conclusion: 'cancelled' | 'timed_out';
    readonly why: string;
    readonly requestMs: number;
    readonly lookMs: number;
  },
): Promise<Ending> {
  try {
    const run = await cancelRun(client, started.run_id, { requestMs, lookMs });
    const own = run && concludeRun(run);
    if (run !== undefined && own !== undefined && own !== 'cancelled' && own !== 'blocked') return concluded(run, own);
    return {
      conclusion,
      run,
      sentence: `${why}; the run ${own === 'cancelled' ? 'is cancelled' : 'was told to stop'}`,
    };
  } catch (error) {
    return {
      conclusion,
      sentence: `${why}, and cancelling the run ${started.run_id} failed: ${messageOf(error)}. The post step tries again, then its lease ends it`,
    };
  }
}

function concluded(run: Run, conclusion: Conclusion): Ending {
  return { run, conclusion, sentence: isGood(conclusion) ? undefined : explainRun(run, conclusion) };
}

/** Outputs, verdict, summary: in this order, so that a fault of the last changes none of the others. */
async function endStep({ step, ending: { run, conclusion, sentence } }: { step: Step; ending: Ending }): Promise<void> {
  const { host, runUrl } = step;
  const durationSeconds = run && workedSeconds(run);
  if (run !== undefined) setOutputs(host, outputsOfRun(run, durationSeconds));
  setOutputs(host, { conclusion });
  if (run !== undefined && concludeRun(run) !== undefined) saveStepState(host, 'is_over', 'true');
  if (isGood(conclusion)) host.print(`conclusion: ${conclusion}`);
  else host.fail(guardLine(sentence ?? `conclusion: ${conclusion}`));
  if (run?.result?.truncated === true)
    host.warn(`the result is longer than an output may be; all of it stands at ${runUrl}`);
  if (run === undefined) return;
  try {
    await host.appendSummary(printSummary({ run, conclusion, sentence, durationSeconds, runUrl }));
  } catch (error) {
    host.warn(`the job summary could not be written: ${messageOf(error)}`);
  }
}

/** Aborts some time after another signal. */
function abortedAfter(signal: AbortSignal, ms: number): AbortSignal {
  const later = new AbortController();
  signal.addEventListener('abort', () => setTimeout(() => later.abort(), ms).unref(), { once: true });
  return later.signal;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
