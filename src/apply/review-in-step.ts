/**
 * `review: on` of the action that runs agents: the verb `review` in the agent's own step, with its usual limits.
 * Nothing here may be loaded later than this file, because the agent could change it.
 */
import { markerOf } from '../action/github/comments.ts';
import type { GitHub } from '../action/github/github.ts';
import type { ActionHost } from '../action/host/host.ts';
import type { StepContext } from '../action/inputs/step-context.ts';
import { messageOf } from '../base/cause.ts';
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
  /** The pull request, and the commit that the agent saw. */
  readonly pull: { readonly number: number; readonly commit: string };
  readonly github: GitHub;
  /** The structured result of the run. */
  readonly answer: unknown;
  /** Keeps the reviews of different steps apart. */
  readonly key: string;
}

/** What a comment says in place of the answer, or why nobody may see the answer. */
export type PostedReview = { readonly title: string; readonly link?: string | undefined } | { readonly secret: string };

/** Throws GitHubError, and an Error for an answer of the wrong form. */
export async function postReview({ host, context, pull, github, answer, key }: StepReviewing): Promise<PostedReview> {
  const { jobUrl, repositoryUrl } = context;
  if (!isObject(answer) || isNestedBeyond(answer, sizes.jsonLevels))
    throw new Error('the run has no structured result with a review');
  let hasSecret = false;
  const refuse: typeof refuseSecrets = async (what, texts) => {
    try {
      await refuseSecrets(what, texts);
    } catch (error) {
      hasSecret = true;
      throw error;
    }
  };
  try {
    await refuse('the answer seems', answer);
    const outcome = await applyReview({
      ...{ github: scanRequests(github, refuse), answer, inputs: usualReview, isDryRun: false },
      target: { ...findRepository(context), number: pull.number },
      printing: { marker: markerOf(key), jobUrl, repositoryUrl, commit: pull.commit, redact: host.redact },
    });
    printOutcome(host, outcome);
    if (outcome.failure !== undefined) throw new Error(outcome.failure);
    if (outcome.movedTo !== undefined) return { title: 'no review, because the pull request has a newer commit' };
    return { title: `review: ${String(answer.verdict).replaceAll('_', ' ')}`, link: outcome.link };
  } catch (error) {
    if (hasSecret) return { secret: messageOf(error) };
    throw error;
  }
}
