/** `review: on`. The code is that of the action `apply`, and is loaded only for a step that posts a review. */
import type { Run } from '../../client/index.ts';
import { gitHubLimits, type StepGitHub } from '../github/step-github.ts';
import type { ActionHost } from '../host/host.ts';
import type { ActionInputs } from '../inputs/inputs.ts';
import type { StepContext } from '../inputs/step-context.ts';
import { keyOfStep } from './step-comment.ts';

/** Posts the review of a run. Throws an Error with the reason. */
export type StepReview = (run: Run, signal: AbortSignal) => Promise<void>;

interface ReviewOptions {
  readonly inputs: ActionInputs;
  readonly context: StepContext;
  /** Undefined without a token. */
  readonly github: StepGitHub | undefined;
}

/**
 * Called before an agent starts: one in the step could change the file of the event. Undefined if there is no review to
 * post.
 */
export async function prepareReview(
  host: ActionHost,
  { inputs, context, github }: ReviewOptions,
): Promise<StepReview | undefined> {
  if (inputs.report.review === 'off') return undefined;
  const { readEvent } = await import('../github/event.ts');
  const event = readEvent(context);
  return async ({ result }, signal) => {
    if (github === undefined)
      throw new Error('`review` needs `github_token`, which is empty. Remove the input to use the token of the job');
    const { postReview } = await import('../../apply/review-in-step.ts');
    const api = await github({ limitMs: gitHubLimits.review, signal });
    const key = keyOfStep({ inputs, context });
    await postReview({ host, context, event, github: api, answer: result?.structured, key });
  };
}
