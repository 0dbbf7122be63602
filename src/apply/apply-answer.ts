/**
 * The step of `apply`: reads what an agent of another job proposes, refuses what the workflow did not ask for, and
 * carries out the rest. No agent runs here, so nothing but the workflow's inputs decides what happens.
 */

import { openNetwork } from '../action/connect/network.ts';
import { markerOf } from '../action/github/comments.ts';
import type { GitHub } from '../action/github/github.ts';
import { createStepGitHub } from '../action/github/step-github.ts';
import type { ActionHost } from '../action/host/host.ts';
import { readStepContext, type StepContext } from '../action/inputs/step-context.ts';
import { InputError } from '../action/inputs/values.ts';
import { messageOf } from '../base/cause.ts';
import type { JsonObject } from '../base/json.ts';
import { findRefused, readAnswer } from './answer-members.ts';
import { type ApplyInputs, readApplyInputs, verbs } from './apply-inputs.ts';
import { applyLabels } from './labels.ts';
import type { VerbOutcome } from './outcome.ts';
import { type Ending, emptyApplyOutputs, reportEnding, setApplyOutputs } from './report-ending.ts';
import { findSecretPlaces } from './secret-scan.ts';
import { findCommit, findTarget } from './target.ts';

/** Far more than all requests need, even if GitHub asks to wait. */
const limitMs = 10 * 60_000;

export async function applyAnswer(host: ActionHost): Promise<void> {
  const stop = new AbortController();
  const stopListening = host.onCancel(() => stop.abort());
  try {
    setApplyOutputs(host, emptyApplyOutputs);
    await reportEnding(host, await applyAll(host, stop.signal));
  } catch (error) {
    await reportEnding(host, { isDryRun: false, outcomes: [], refused: [], failure: messageOf(error) });
  } finally {
    stopListening();
  }
}

async function applyAll(host: ActionHost, signal: AbortSignal): Promise<Ending> {
  const inputs = await readApplyInputs(host);
  const context = readStepContext(host);
  if (verbs.every(verb => inputs[verb] === undefined))
    throw new InputError(
      `nothing is asked for. Set one of these to true: ${verbs.map(verb => `\`${verb}\``).join(', ')}`,
    );
  const answer = readAnswer(inputs.answer);
  const refused = findRefused(answer, inputs);
  for (const what of refused) host.warn(`The answer was not applied in full. ${what}`);
  const secrets = await findSecretPlaces(answer);
  if (secrets.length > 0)
    throw new Error(
      `the answer seems to contain a secret: ${secrets.slice(0, 5).join(', ')}. Nothing was published. If it is a real one, revoke it`,
    );
  const network = await openNetwork({ variables: host.variables(), baseUrl: context.apiUrl });
  try {
    for (const secret of network.secrets) host.mask(secret);
    const open = createStepGitHub(host, { token: inputs.token, apiUrl: context.apiUrl, network });
    const github = await open({ limitMs, signal });
    return { isDryRun: inputs.isDryRun, refused, ...(await applyVerbs({ host, inputs, context, answer, github })) };
  } finally {
    await network.close();
  }
}

interface Applying {
  readonly host: ActionHost;
  readonly inputs: ApplyInputs;
  readonly context: StepContext;
  readonly answer: JsonObject;
  readonly github: GitHub;
}

/** A failure ends it, and what was done before is reported. */
async function applyVerbs(applying: Applying): Promise<Pick<Ending, 'outcomes' | 'failure'>> {
  const outcomes: VerbOutcome[] = [];
  try {
    for await (const outcome of applyEach(applying)) outcomes.push(outcome);
    return { outcomes };
  } catch (error) {
    return { outcomes, failure: messageOf(error) };
  }
}

async function* applyEach({ host, inputs, context, answer, github }: Applying): AsyncIterable<VerbOutcome> {
  const { isDryRun, review, comment, labels } = inputs;
  const { jobUrl, repositoryUrl } = context;
  const given = { github, answer, isDryRun, target: findTarget(context, inputs) };
  const marker = markerOf(inputs.key ?? [context.workflow, context.job].join('/'));
  const shared = { marker, jobUrl, redact: host.redact };
  if (review !== undefined) {
    const { applyReview } = await import('./review/review.ts');
    const printing = { ...shared, repositoryUrl, commit: findCommit(context, inputs) };
    yield await applyReview({ ...given, inputs: review, printing });
  }
  if (comment !== undefined) {
    const { applyComment } = await import('./applied-comment.ts');
    yield await applyComment({ ...given, printing: shared });
  }
  if (labels !== undefined) yield await applyLabels({ ...given, inputs: labels });
}
