/** The verb `review`: one review of a pull request, kept up to date from push to push. */
import { Ajv } from 'ajv';
import type { GitHub } from '../../action/github/github.ts';
import { GitHubError } from '../../action/github/github-error.ts';
import { messageOf } from '../../base/cause.ts';
import type { JsonObject } from '../../base/json.ts';
import { counted, ellipsis } from '../../base/text.ts';
import { isVisible } from '../../border/visible-text.ts';
import { type ReviewAnswer, reviewSchema } from '../../contract/tables/review-schema.ts';
import type { ReviewInputs } from '../apply-inputs.ts';
import { failureOf, type VerbOutcome } from '../outcome.ts';
import type { Target } from '../target.ts';
import { chooseFindings } from './findings.ts';
import { type Edit, planReview, type ReviewPlan } from './plan-review.ts';
import type { Printing } from './print-review.ts';
import { addressOf, readDiff, readStandingReview } from './standing-review.ts';

export interface Reviewing {
  readonly github: GitHub;
  readonly target: Target;
  readonly answer: JsonObject;
  readonly inputs: ReviewInputs;
  readonly printing: Printing;
  readonly isDryRun: boolean;
}

const maxAttempts = 4;

/**
 * Reads what stands, plans, and carries the plan out. A plan is made of what GitHub has, so it can be made again after
 * a request of unknown outcome. Throws GitHubError, and an Error for an answer of the wrong form.
 */
export async function applyReview({ github, target, printing, isDryRun, ...given }: Reviewing): Promise<VerbOutcome> {
  const answer = readReview(given.answer);
  const chosen = chooseFindings(answer.findings, given.inputs);
  const paths = new Set(chosen.findings.map(({ path }) => path));
  const done: Done = {
    create: undefined,
    editReviews: [],
    dismiss: undefined,
    editComments: [],
    resolve: [],
    notes: [],
    link: undefined,
  };
  let isTextOnly = false;
  for (let attempt = 0; ; attempt += 1) {
    const standing = await readStandingReview(github, { ...target, marker: printing.marker });
    // The next run reviews the new head. Its lines are not those that the agent saw.
    if (standing.headSha !== printing.commit)
      return { verb: 'review', deeds: [], notes: [], movedTo: standing.headSha };
    const files = await readDiff(github, { ...target, paths });
    const plan = planReview({ answer, chosen, inputs: given.inputs, files, standing, printing, isTextOnly });
    done.link ??= standing.summary?.link;
    if (isDryRun) return { ...describe(plan), link: done.link, previews: listPreviews(plan) };
    try {
      done.notes = [...plan.notes];
      await carryOut(github, { plan, target, commit: printing.commit, done });
      return { ...describe(done), link: done.link };
    } catch (error) {
      // One line that GitHub does not take makes it refuse the whole review.
      const isLineRefused =
        error instanceof GitHubError && error.status === 422 && !isTextOnly && (plan.create?.comments.length ?? 0) > 0;
      const mayRepeat = error instanceof GitHubError && error.mayBeDone && attempt + 1 < maxAttempts;
      if (isLineRefused) isTextOnly = true;
      else if (!mayRepeat || !(await github.pause(attempt)))
        return { ...describe(done), link: done.link, failure: failureOf(error) };
    }
  }
}

function readReview(answer: JsonObject): ReviewAnswer {
  const check = new Ajv({ strict: false, ownProperties: true }).compile<ReviewAnswer>(reviewSchema);
  if (!check(answer)) {
    const [{ instancePath = '', message = 'is wrong' } = {}] = check.errors ?? [];
    const place = instancePath === '' ? 'the answer' : `\`${ellipsis(instancePath.slice(1), 100)}\``;
    throw new Error(
      `the answer is not a review: ${place} ${message}. Set \`output_schema: review\` in the job with the agent`,
    );
  }
  if (answer.findings.length === 0 && !isVisible(answer.summary))
    throw new Error('the answer is not a review: it has neither a summary nor a finding');
  return answer;
}

interface CarryingOut {
  readonly plan: ReviewPlan;
  readonly target: Target;
  readonly commit: string;
  readonly done: Done;
}

/** The part of a plan that was carried out. */
interface Done {
  create: ReviewPlan['create'];
  readonly editReviews: Edit[];
  dismiss: number | undefined;
  readonly editComments: Edit[];
  readonly resolve: string[];
  notes: string[];
  link: string | undefined;
}

/** The new review first: it matters most. */
async function carryOut(github: GitHub, given: CarryingOut): Promise<void> {
  const { plan, target, commit, done } = given;
  const { owner, repo } = target;
  const place = addressOf(target);
  if (plan.create !== undefined) {
    const { event, body, comments } = plan.create;
    const { data } = await github.request('POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews', {
      ...place,
      commit_id: commit,
      event,
      body,
      comments: comments.map(({ place: { path, side, line, startLine }, body: text }) => ({
        path,
        side,
        line,
        body: text,
        ...(startLine !== undefined && { start_line: startLine, start_side: side }),
      })),
    });
    done.link = data.html_url;
    done.create = plan.create;
  }
  for (const edit of plan.editReviews) {
    const { id, body } = edit;
    const route = 'PUT /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}';
    await github.request(route, { ...place, review_id: id, body });
    done.editReviews.push(edit);
  }
  await dismissReview(github, given);
  for (const edit of plan.editComments) {
    const { id, body } = edit;
    const route = 'PATCH /repos/{owner}/{repo}/pulls/comments/{comment_id}';
    await github.request(route, { owner, repo, comment_id: id, body });
    done.editComments.push(edit);
  }
  await resolveThreads(github, given);
}

/** GitHub may refuse it: a protected branch can limit who may. */
async function dismissReview(github: GitHub, { plan: { dismiss }, target, commit, done }: CarryingOut): Promise<void> {
  if (dismiss === undefined) return;
  try {
    await github.request('PUT /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/dismissals', {
      ...addressOf(target),
      review_id: dismiss,
      message: `The review of ${commit.slice(0, 7)} has another verdict.`,
    });
    done.dismiss = dismiss;
  } catch (error) {
    if (!(error instanceof GitHubError && error.isRefusal)) throw error;
    done.notes.push(`The verdict of the earlier review stands: ${ellipsis(messageOf(error), 300)}`);
  }
}

/** Their comments say already that the finding is gone. */
async function resolveThreads(github: GitHub, { plan, done }: CarryingOut): Promise<void> {
  for (const id of plan.resolve)
    try {
      await github.graphql('mutation($id: ID!) { resolveReviewThread(input: { threadId: $id }) { thread { id } } }', {
        id,
      });
      done.resolve.push(id);
    } catch (error) {
      // GraphQL's refusals are other errors.
      if (error instanceof GitHubError && !error.isRefusal) throw error;
      done.notes.push(
        `GitHub does not let this token resolve threads (${ellipsis(messageOf(error), 200)}). Grant \`contents: write\` if it should`,
      );
      return;
    }
}

function describe({ create, editReviews, dismiss, editComments, resolve, notes }: ReviewPlan): VerbOutcome {
  const say = (count: number, what: string) => (count === 0 ? [] : [counted(count, what)]);
  const comments = create?.comments.length ?? 0;
  return {
    verb: 'review',
    deeds: [
      ...(create === undefined ? [] : [`a new review${comments === 0 ? '' : ` with ${counted(comments, 'comment')}`}`]),
      ...say(editReviews.length, 'edited review'),
      ...say(dismiss === undefined ? 0 : 1, 'dismissed review'),
      ...say(editComments.length, 'edited comment'),
      ...say(resolve.length, 'resolved thread'),
    ],
    notes,
  };
}

function listPreviews({ create, editReviews, editComments }: ReviewPlan): VerbOutcome['previews'] {
  return [
    ...(create === undefined ? [] : [{ place: `a new review (${create.event})`, markdown: create.body }]),
    ...(create?.comments ?? []).map(({ place: { path, line }, body }) => ({
      place: `${path}, line ${line}`,
      markdown: body,
    })),
    ...editReviews.map(({ id, body }) => ({ place: `review ${id}`, markdown: body })),
    ...editComments.map(({ id, body }) => ({ place: `comment ${id}`, markdown: body })),
  ];
}
