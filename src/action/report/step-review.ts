/** `review: on`. The code is that of the action `apply`, and is loaded only for a step that posts a review. */
import type { PostedReview } from '../../apply/review-in-step.ts';
import { messageOf } from '../../base/cause.ts';
import type { Run } from '../../client/index.ts';
import { gitHubLimits, type StepGitHub } from '../github/step-github.ts';
import type { ActionHost } from '../host/host.ts';
import type { ActionInputs } from '../inputs/inputs.ts';
import type { StepContext } from '../inputs/step-context.ts';
import { InputError } from '../inputs/values.ts';
import { decideUnposted, type Verdict } from '../verdict/verdict.ts';
import { waitWithin } from './report-time.ts';
import { keyOfStep } from './step-comment.ts';

/** Posts the review of a run. Throws an Error with the reason. */
export type StepReview = (run: Run, signal: AbortSignal) => Promise<PostedReview>;

interface ReviewOptions {
  readonly inputs: ActionInputs;
  readonly context: StepContext;
  /** Undefined without a token. */
  readonly github: StepGitHub | undefined;
}

/**
 * Runs before the agent, which could change the event's file. Undefined if there is no review to post. Throws
 * InputError if posting is impossible, before a run costs anything.
 */
export async function prepareReview(
  host: ActionHost,
  { inputs, context, github }: ReviewOptions,
): Promise<StepReview | undefined> {
  if (inputs.report.review === 'off') return undefined;
  if (github === undefined)
    throw new InputError('`review`: `github_token` is empty. Remove that input to use the token of the job');
  const { readEvent } = await import('../github/event.ts');
  const { subject, head, sha: commit } = readEvent(context) ?? {};
  if (subject?.kind !== 'pull_request' || head === undefined || commit === undefined)
    throw new InputError(
      `\`review\`: the event ${context.eventName ?? 'of this job'} has no pull request with a commit. Start the workflow on \`pull_request\``,
    );
  const pull = { number: subject.number, commit };
  return async ({ result }, signal) => {
    const { postReview } = await import('../../apply/review-in-step.ts');
    const api = await github({ limitMs: gitHubLimits.review, signal });
    const key = keyOfStep({ inputs, context });
    return await postReview({ host, context, pull, github: api, answer: result?.structured, key });
  };
}

export interface SettledReview {
  /** Tells also if the review was not posted. */
  readonly verdict: Verdict;
  /** Undefined if it was not posted. */
  readonly posted?: PostedReview | undefined;
}

/** Never throws. */
export async function settleReview(
  verdict: Verdict,
  post: (signal: AbortSignal) => Promise<PostedReview>,
  signal: AbortSignal,
): Promise<SettledReview> {
  try {
    signal.throwIfAborted();
    const posted = await waitWithin(signal, post(signal));
    return { posted, verdict: 'secret' in posted ? decideUnposted(verdict, posted.secret) : verdict };
  } catch (error) {
    return { verdict: decideUnposted(verdict, messageOf(error)) };
  }
}
