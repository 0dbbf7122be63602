/**
 * `review: on` of the action that runs agents: the verb `review` in the agent's own step, with its usual limits.
 * Nothing here may be loaded later than this file, because the agent could change it.
 */
import { markerOf } from '../action/github/comments.ts';
import type { GitHubEvent } from '../action/github/event.ts';
import type { GitHub } from '../action/github/github.ts';
import type { ActionHost } from '../action/host/host.ts';
import type { StepContext } from '../action/inputs/step-context.ts';
import { isNestedBeyond, isObject } from '../base/json.ts';
import { sizes } from '../contract/tables/sizes.ts';
import { usualReview } from './apply-inputs.ts';
import { printOutcome } from './outcome.ts';
import { applyReview } from './review/review.ts';
import { refuseSecrets, scanRequests } from './secret-scan.ts';
import { findRepository } from './target.ts';

interface StepReviewing {
  readonly host: ActionHost;
  readonly context: StepContext;
  readonly event: GitHubEvent | undefined;
  readonly github: GitHub;
  /** The structured result of the run. */
  readonly answer: unknown;
  /** Keeps the reviews of different steps apart. */
  readonly key: string;
}

/** Throws GitHubError, and an Error for another event, an answer of the wrong form, and one with a secret. */
export async function postReview({ host, context, event, github, answer, key }: StepReviewing): Promise<void> {
  const { jobUrl, repositoryUrl, eventName = 'of this job' } = context;
  const { subject, head, sha: commit } = event ?? {};
  if (subject?.kind !== 'pull_request' || head === undefined || commit === undefined)
    throw new Error(`the event ${eventName} has no pull request with a commit. Start the workflow on \`pull_request\``);
  if (!isObject(answer) || isNestedBeyond(answer, sizes.jsonLevels))
    throw new Error('the run has no structured result with a review');
  await refuseSecrets('the review seems', answer);
  const outcome = await applyReview({
    ...{ github: scanRequests(github), answer, inputs: usualReview, isDryRun: false },
    target: { ...findRepository(context), number: subject.number },
    printing: { marker: markerOf(key), jobUrl, repositoryUrl, commit, redact: host.redact },
  });
  printOutcome(host, outcome);
  if (outcome.failure !== undefined) throw new Error(outcome.failure);
}
