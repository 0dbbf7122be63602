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
import { type ApplyInputs, type ChangeInputs, readApplyInputs, verbs } from './apply-inputs.ts';
import type { PatchedTree } from './changes/patched-tree.ts';
import type { ProposalText } from './changes/proposal-text.ts';
import { applyLabels } from './labels.ts';
import { failureOf, type VerbOutcome } from './outcome.ts';
import { type Ending, emptyApplyOutputs, reportEnding, setApplyOutputs } from './report-ending.ts';
import {
  findBranch,
  findCommit,
  findIssue,
  findNewHead,
  findNumber,
  findRepository,
  findSeen,
  findTarget,
  refuseMergeCommit,
} from './target.ts';

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
  const answer = await readAnswer(inputs.answer);
  const { refuseSecrets, scanRequests } = await import('./secret-scan.ts');
  await refuseSecrets('the answer seems', answer);
  const refused = findRefused(answer, inputs);
  for (const what of refused) host.warn(`The answer was not applied in full. ${what}`);
  const network = await openNetwork({ variables: host.variables(), baseUrl: context.apiUrl });
  try {
    for (const secret of network.secrets) host.mask(secret);
    const open = createStepGitHub(host, { token: inputs.token, apiUrl: context.apiUrl, network });
    const github = scanRequests(await open({ limitMs, signal }));
    const applying = { host, inputs, context, answer, github, signal };
    return { isDryRun: inputs.isDryRun, refused, ...(await applyVerbs(applying)) };
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
  readonly signal: AbortSignal;
}

/** A failure ends it, and what was done before is reported. */
async function applyVerbs(applying: Applying): Promise<Pick<Ending, 'outcomes' | 'failure'>> {
  const outcomes: VerbOutcome[] = [];
  try {
    for await (const outcome of applyEach(applying)) {
      if (outcome.movedTo !== undefined) refuseMergeCommit(applying.context, applying.inputs, outcome.movedTo);
      outcomes.push(outcome);
      if (outcome.failure !== undefined || outcome.movedTo !== undefined) break;
    }
    return { outcomes, failure: outcomes.at(-1)?.failure };
  } catch (error) {
    return { outcomes, failure: failureOf(error) };
  }
}

async function* applyEach(applying: Applying): AsyncIterable<VerbOutcome> {
  const { host, inputs, context, answer, github } = applying;
  const { isDryRun, review, comment, labels } = inputs;
  const { jobUrl, repositoryUrl } = context;
  const given = { github, answer, isDryRun };
  const shared = { marker: markerOf(keyOf(applying)), jobUrl, redact: host.redact };
  // First of all: changes that are refused stop everything.
  const changes = inputs.pull_request ?? inputs.push;
  await using prepared = changes === undefined ? undefined : await prepareChanges(applying, changes);
  const seen = findSeen(context, inputs);
  if (seen !== undefined && review === undefined && (comment ?? labels) !== undefined) {
    const movedTo = await findNewHead(github, findTarget(context, inputs), seen);
    if (movedTo !== undefined)
      yield { verb: comment === undefined ? 'labels' : 'comment', deeds: [], notes: [], movedTo };
  }
  if (review !== undefined) {
    const { applyReview } = await import('./review/review.ts');
    const target = findTarget(context, inputs);
    const printing = { ...shared, repositoryUrl, commit: findCommit(context, inputs) };
    yield await applyReview({ ...given, target, inputs: review, printing });
  }
  if (comment !== undefined) {
    const { applyComment } = await import('./applied-comment.ts');
    yield await applyComment({ ...given, target: findTarget(context, inputs), printing: shared });
  }
  if (labels !== undefined) yield await applyLabels({ ...given, target: findTarget(context, inputs), inputs: labels });
  if (prepared !== undefined) yield await applyChanges(applying, prepared);
}

interface PreparedChanges extends AsyncDisposable {
  readonly tree: PatchedTree;
  readonly commit: string;
  readonly title: string;
  readonly text: ProposalText | undefined;
}

async function prepareChanges(applying: Applying, changes: ChangeInputs): Promise<PreparedChanges> {
  const { host, inputs, context, answer, signal } = applying;
  const [{ openCheckedTree }, { readProposalText, readTitle }] = await Promise.all([
    import('./changes/checked-tree.ts'),
    import('./changes/proposal-text.ts'),
  ]);
  const { token } = inputs;
  const { redact } = host;
  // Before git fetches anything.
  const title = readTitle(answer, redact);
  const foot = { issue: findIssue(context, inputs), jobUrl: context.jobUrl, redact };
  const text = inputs.push === undefined ? readProposalText(answer, foot) : undefined;
  const commit = findCommit(context, inputs, inputs.push === undefined ? context.sha : undefined);
  const tree = await openCheckedTree({ host, context, inputs: changes, token, commit, signal });
  return { tree, commit, title, text, [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose]() };
}

async function applyChanges(applying: Applying, prepared: PreparedChanges): Promise<VerbOutcome> {
  const { inputs, context, github } = applying;
  const { isDryRun } = inputs;
  const { tree, commit, title, text } = prepared;
  const given = { github, tree, commit, isDryRun };
  if (inputs.pull_request === undefined || text === undefined) {
    const { pushCommit } = await import('./changes/pushed-commit.ts');
    return await pushCommit({ ...given, title, target: findTarget(context, inputs) });
  }
  const { proposePull } = await import('./changes/proposed-pull.ts');
  const number = findNumber(context, inputs);
  const key = [slugOf(keyOf(applying)), ...(number === undefined ? [] : [number])].join('-');
  return await proposePull({
    ...given,
    text,
    repository: findRepository(context),
    inputs: inputs.pull_request,
    branch: inputs.pull_request.branch ?? `agent-run/${key}`,
    base: inputs.pull_request.base ?? findBranch(context),
    key,
  });
}

function keyOf({ inputs, context }: Applying): string {
  return inputs.key ?? [context.workflow, context.job].join('/');
}

function slugOf(key: string): string {
  const slug = key.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return slug.replace(/^-|-$/g, '').slice(0, 80) || 'changes';
}
