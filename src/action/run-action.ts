/**
 * The main step: read the inputs, check who may start it, start the run, save its ID before anything else, follow it,
 * decide, report. Only events decide the verdict. Of the reports, only a review that was not posted changes it.
 */
import { messageOf } from '../base/cause.ts';
import { NotFoundError } from '../client/index.ts';
import { reviewSchema } from '../contract/tables/review-schema.ts';
import { type Connection, connect, openStepNetwork } from './connect/connect.ts';
import type { Network } from './connect/network.ts';
import { type Cancellation, listenForCancel } from './follow/cancellation.ts';
import { cancelAndFollow, type Ending, followToEnd, lookOnce } from './follow/follow-run.ts';
import { type LiveLog, startLiveLog } from './follow/live-log.ts';
import { createStepGitHub, type StepGitHub } from './github/step-github.ts';
import type { ActionHost } from './host/host.ts';
import { saveEmbeddedState, saveStepState } from './host/step-state.ts';
import { type ActionInputs, readInputs } from './inputs/inputs.ts';
import { findServer, hintAtUnpassed } from './inputs/later-faults.ts';
import { readStepContext, type StepContext } from './inputs/step-context.ts';
import { emptyOutputs, setOutputs, unendedOutputs } from './report/outputs.ts';
import { reportEnd } from './report/report.ts';
import { beginComment, keepCancelled, keepVerdict, type StepComment } from './report/step-comment.ts';
import { prepareReview, type StepReview } from './report/step-review.ts';
import { labelOfStep } from './report/summary/heading.ts';
import { type BaseInstructions, useBaseInstructions } from './start/base-instructions.ts';
import { beginRun } from './start/begin-run.ts';
import { learnEvent } from './start/learn-event.ts';
import { explainRefusal, hintAtAddress, mayHaveStarted, numbersOf } from './start/refusal.ts';
import { readWarnings, type Started } from './start/start-run.ts';
import { badConclusions, decide, isRed, type Outcome, type Verdict } from './verdict/verdict.ts';

interface Step {
  readonly host: ActionHost;
  readonly context: StepContext;
  readonly cancellation: Cancellation;
  inputs?: ActionInputs;
  network?: Network;
  /** Undefined without a token. */
  github?: StepGitHub | undefined;
  connection?: Connection;
  /** Undefined unless the agent works on a fork's pull request. */
  instructions?: BaseInstructions | undefined;
  started?: Started;
  liveLog?: LiveLog;
  comment?: StepComment | undefined;
  review?: StepReview | undefined;
  /** True once a create request was sent: an unknown run may exist. */
  mayHaveStarted?: boolean;
}

export async function runAction(host: ActionHost): Promise<void> {
  const cancellation = listenForCancel(host);
  const step: Step = { host, cancellation, context: readStepContext(host) };
  try {
    setOutputs(host, emptyOutputs);
    const refusal = await begin(step);
    const ending = refusal === undefined ? await followOrCancel(step) : { outcome: refusal, isDone: false };
    await end(step, ending);
  } finally {
    cancellation.stopListening();
    await step.connection?.close();
    await step.instructions?.end();
    // For an agent that had not ended earlier.
    await putFilesBack(host, { isLast: true });
    await step.network?.close();
  }
}

/** Ends when the run exists. After a failure here, there is no run, or none that is known. Returns the reason. */
async function begin(step: Step): Promise<Outcome | undefined> {
  const { host, context, cancellation } = step;
  try {
    step.inputs = await readInputs(host);
    if (!step.inputs.report.annotations) host.leaveOutAnnotations();
    // The run to take up is known, whatever happens to it.
    const { runId } = step.inputs.follow;
    if (runId !== undefined) setOutputs(host, { run_id: runId, attached: 'true' });
    step.network = await openStepNetwork(host, step.inputs.place);
    const { inputs, network } = step;
    const { githubToken: token } = inputs.report;
    step.github = token === undefined ? undefined : createStepGitHub(host, { token, apiUrl: context.apiUrl, network });
    const event = await learnEvent({ inputs, context, stepGitHub: step.github, signal: cancellation.signal });
    // Treat an unfinished permission check as "unknown", not as a refusal.
    if (event.refusal !== undefined) cancellation.signal.throwIfAborted();
    if (event.refusal !== undefined) return event.refusal;
    step.review = await prepareReview(host, { inputs, context, github: step.github });
    step.connection = await connect(host, { inputs, context, network, signal: cancellation.signal });
    const { connection } = step;
    if (connection.isEmbedded) {
      saveEmbeddedState(host);
      const folder = inputs.embedded.workingDirectory ?? context.workspace ?? '.';
      const { github } = step;
      step.instructions = await useBaseInstructions({ host, context, folder, github, signal: cancellation.signal });
    }
    const signal = cancellation.lateSignal;
    const onStart = () => {
      step.mayHaveStarted = true;
    };
    step.started = await beginRun({ host, inputs, context, connection, event: event.news, signal, onStart });
    return undefined;
  } catch (error) {
    const runId = step.inputs?.follow.runId;
    if (cancellation.signal.aborted) return { kind: 'step_cancelled', stopping: explainEarly(step) };
    if (error instanceof NotFoundError && runId !== undefined)
      return {
        kind: 'lost',
        why: `The server has no run ${runId} (${numbersOf(error)}). Check \`run_id\`${hintAtAddress(error, findServer(host, step.inputs?.place.baseUrl))}`,
      };
    const isOpen = step.mayHaveStarted === true && mayHaveStarted(error);
    // After a refusal, the post step has nothing to look for.
    if (step.inputs !== undefined && !isOpen)
      warnOfFault(host, 'could not record that no run was started', () => saveStepState(host, 'step_key', ''));
    return await explainRefusal({ host, error, context, inputs: step.inputs, network: step.network, isOpen });
  }
}

function explainEarly({ mayHaveStarted = false, connection }: Step): string {
  if (!mayHaveStarted) return 'No run was started';
  if (connection?.isEmbedded === true) return 'The run that it was starting ended with it';
  return 'It is unclear whether the server started a run. The post step looks for it, and a run that no step follows ends with its lease';
}

function noteRun({ host }: Step, { answer, attached }: Started, connection: Connection): void {
  const address = connection.addressOf(answer);
  // The run exists even if the runner's disk fails. The step follows it, and its lease is the safety net.
  warnOfFault(host, 'could not record the id of the run', () => {
    saveStepState(host, 'run_id', answer.run_id);
    setOutputs(host, {
      run_id: answer.run_id,
      run_url: connection.pageOf(answer),
      session_link: connection.linkOf(answer) ?? '',
      state: answer.state,
      attached: attached ? 'true' : 'false',
      ...unendedOutputs,
    });
  });
  const waits = answer.at_capacity === true ? ' is waiting for a free slot' : '';
  host.print(`run ${answer.run_id}${waits}`);
  // A run inside the step is shown only here.
  if (address !== '' && !connection.isEmbedded) host.print(`see ${address}`);
}

async function followOrCancel(step: Step): Promise<Ending> {
  const { host, context, inputs, connection, started, cancellation } = step;
  if (inputs === undefined || connection === undefined || started === undefined) throw new Error('there is no run');
  noteRun(step, started, connection);
  for (const warning of readWarnings(started.answer)) host.warn(warning);
  const { follow } = inputs;
  const runId = started.answer.run_id;
  // Nobody needs the run of a workflow that was canceled in the meantime.
  if (!follow.wait && !follow.cancel) {
    const run = await lookOnce(connection.client, runId, cancellation.signal);
    if (!cancellation.signal.aborted) return { outcome: { kind: 'started' }, run, isDone: true };
  }
  const address = connection.addressOf(started.answer);
  const { signal } = cancellation;
  step.comment = beginComment(host, { inputs, context, github: step.github, run: { runId, address }, signal });
  // A killed step leaves a state that is as recent as its log.
  const onState = (state: string) => setOutputs(host, { state });
  // A run inside the step is shown nowhere else.
  const elsewhere = connection.isEmbedded ? undefined : address;
  step.liveLog = startLiveLog(host, connection, { level: inputs.report.log, address: elsewhere, onState });
  const following = { connection, runId, inputs: follow, cancellation, liveLog: step.liveLog };
  try {
    return await (follow.cancel ? cancelAndFollow(following) : followToEnd(following));
  } finally {
    step.liveLog.stop();
  }
}

function warnOfFault(host: ActionHost, what: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    host.warn(`${what}: ${messageOf(error)}`);
  }
}

/**
 * An agent inside the step has the step's own user. Its changes to the runner's files are removed before the step
 * writes more. A step that cannot guarantee that fails.
 */
async function putFilesBack(host: ActionHost, { isLast }: { readonly isLast: boolean }): Promise<void> {
  const what = 'the agent changed files of the runner that pass outputs, variables and the event to later steps';
  try {
    const changed = await host.restoreFiles();
    if (changed.length === 0) return;
    const named = `${what} (${changed.join(', ')})`;
    // The agent had ended, so one of its processes survived and may do it again.
    if (isLast)
      host.fail(`${named} after its run had ended. A process of it may still be running: do not trust these files`);
    else host.warn(`${named}. Its changes were undone`);
  } catch (error) {
    const why = messageOf(error);
    if (isLast) host.fail(`${what}, and the changes cannot be undone: ${why}. Do not trust these files`);
  }
}

async function end(step: Step, { outcome, run, isDone }: Ending): Promise<void> {
  const { host, context, inputs, connection, started, liveLog, cancellation } = step;
  await putFilesBack(host, { isLast: false });
  if (isDone)
    warnOfFault(host, 'could not record the end of the run', () => {
      saveStepState(host, 'last_state', run?.state ?? '');
      saveStepState(host, 'is_done', 'true');
    });
  const { signal } = cancellation;
  // A step without a run still reports its end, except to a person who may not start it.
  if (inputs !== undefined && outcome.kind !== 'skipped' && !isOfStranger(outcome) && !signal.aborted)
    step.comment ??= beginComment(host, { inputs, context, github: step.github, run: undefined, signal });
  const asked = inputs?.report.requireResult ?? 'auto';
  const requiresResult = asked === 'auto' ? (connection?.features().has('result') ?? false) : asked === 'true';
  const report = inputs?.report ?? plainReport;
  const isReview = report.review === 'on' || inputs?.task.outputSchema === reviewSchema;
  const decided = decide(outcome, run, { requiresResult, isReview, failWhen: report.failWhen });
  const isOfProgram = decided.conclusion === 'failed' && connection?.isEmbedded && inputs?.embedded.command;
  const hint = isOfProgram ? hintAtUnpassed(host, inputs.embedded.passEnv, liveLog?.lastLines() ?? []) : '';
  const verdict = hint === '' ? decided : { ...decided, sentence: `${decided.sentence}${hint}` };
  const keepSettled = (settled: Verdict): void => {
    if (step.comment === undefined) return;
    const { conclusion, sentence } = settled;
    warnOfFault(host, 'could not record the verdict', () => {
      // The post step knows more about a canceled step: how the run ended.
      if (outcome.kind === 'step_cancelled' && conclusion === 'cancelled') keepCancelled(host, run?.title);
      else keepVerdict(host, { conclusion, sentence, isRed: isRed(settled, report.failOn), title: run?.title });
    });
  };
  await reportEnd({
    host,
    context,
    inputs: report,
    verdict,
    run,
    runId: started?.answer.run_id,
    connection,
    liveLog,
    address: (started && connection?.addressOf(started.answer)) ?? '',
    signal,
    label: inputs && labelOfStep({ matrix: inputs.leg.matrix, name: inputs.task.name }),
    title: host.readInput('title').trim(),
    comment: step.comment,
    review: step.review,
    keepVerdict: keepSettled,
  });
}

/** True if a person who may not start the step may have caused it. */
function isOfStranger(outcome: Outcome): boolean {
  return outcome.kind === 'not_started' && outcome.phase === 'permission';
}

const plainReport = {
  failOn: badConclusions,
  failWhen: undefined,
  requireResult: 'auto',
  log: 'normal',
  summary: true,
  comment: 'off',
  review: 'off',
  commentKey: undefined,
  githubToken: undefined,
  resultFile: undefined,
  annotations: true,
} as const;
