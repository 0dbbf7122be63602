/** Decides everything that a review changes on GitHub, from what the agent found and what stands there. */
import { isSameText } from '../../action/github/comments.ts';
import { counted } from '../../base/text.ts';
import type { ReviewAnswer, ReviewVerdict } from '../../contract/tables/review-schema.ts';
import type { ReviewInputs } from '../apply-inputs.ts';
import type { DiffFile } from './diff-lines.ts';
import { type ChosenFindings, type CommentPlace, type PlacedFinding, placeFindings, rankOf } from './findings.ts';
import { type Matches, matchThreads } from './match-threads.ts';
import {
  type Printing,
  printAddition,
  printComment,
  printGone,
  printSummary,
  printSuperseded,
} from './print-review.ts';
import type { OwnReview, StandingReview } from './standing-review.ts';

export type ReviewEvent = 'APPROVE' | 'COMMENT' | 'REQUEST_CHANGES';

export interface ReviewPlan {
  readonly create: NewReview | undefined;
  /** Bodies of earlier reviews. */
  readonly editReviews: readonly Edit[];
  /** Number of an earlier review whose verdict no longer holds. */
  readonly dismiss: number | undefined;
  readonly editComments: readonly Edit[];
  /** IDs of threads whose finding is gone. */
  readonly resolve: readonly string[];
  readonly notes: readonly string[];
}

export interface NewReview {
  readonly event: ReviewEvent;
  readonly body: string;
  readonly comments: readonly { readonly place: CommentPlace; readonly body: string }[];
}

export interface Edit {
  readonly id: number;
  readonly body: string;
}

export interface ReviewFacts {
  readonly answer: ReviewAnswer;
  readonly chosen: ChosenFindings;
  readonly inputs: ReviewInputs;
  readonly files: readonly DiffFile[];
  readonly standing: StandingReview;
  readonly printing: Printing;
  /** GitHub refused a line: new findings go into the text. */
  readonly isTextOnly: boolean;
}

const events: Readonly<Record<ReviewVerdict, ReviewEvent>> = {
  approve: 'APPROVE',
  comment: 'COMMENT',
  request_changes: 'REQUEST_CHANGES',
};

export function planReview({ isTextOnly, ...facts }: ReviewFacts): ReviewPlan {
  const { answer, chosen, inputs, files, standing, printing } = facts;
  const matches = matchThreads(placeFindings(chosen.findings, files), standing.threads);
  const isOnLines = ({ comment }: PlacedFinding) => !isTextOnly && comment !== undefined;
  const onLines = matches.fresh.filter(isOnLines);
  const fresh = onLines.slice(0, Math.max(0, inputs.maxComments - matches.standing.length));
  const rest = new Set(onLines.slice(fresh.length));
  // A finding that is worse than one with a comment is not left out.
  const mildest = Math.max(...matches.standing.map(({ placed }) => rankOf(placed.finding)));
  const isInText = (placed: PlacedFinding) =>
    rest.has(placed) ? rankOf(placed.finding) < mildest : !isOnLines(placed);
  const outside = matches.fresh.filter(isInText).slice(0, inputs.maxComments);
  const leftOut = matches.fresh.length - fresh.length - outside.length;
  const { verdict, why } = chooseVerdict(answer.verdict, inputs, standing);
  const notes = [
    ...(why === undefined ? [] : [why]),
    ...describeRest({ chosen, matches, fresh: fresh.length, outside: outside.length, leftOut }),
  ];
  const body = printSummary({ text: answer.summary, verdict, outside, notes }, printing);
  const comments = fresh.flatMap(placed =>
    placed.comment === undefined ? [] : [{ place: placed.comment, body: printComment(placed, printing) }],
  );
  return {
    ...planSummary({ summary: standing.summary, event: events[verdict], body, comments, printing }),
    ...planThreads(matches, printing),
    notes,
  };
}

/** Only what the workflow allows. GitHub lets nobody judge their own pull request. */
function chooseVerdict(
  verdict: ReviewVerdict,
  { verdicts }: ReviewInputs,
  { isOwnPull }: StandingReview,
): { readonly verdict: ReviewVerdict; readonly why?: string } {
  if (verdict === 'comment') return { verdict };
  if (!verdicts.includes(verdict))
    return {
      verdict: 'comment',
      why: `The agent's verdict is \`${verdict}\`, which \`review_verdicts\` does not allow`,
    };
  return isOwnPull
    ? { verdict: 'comment', why: `The agent's verdict is \`${verdict}\`, which GitHub refuses from the author` }
    : { verdict };
}

interface SummaryFacts extends NewReview {
  readonly summary: OwnReview | undefined;
  readonly printing: Printing;
}

/** One review has the summary. It is edited as long as its verdict holds. */
function planSummary({
  summary,
  event,
  body,
  comments,
  printing,
}: SummaryFacts): Pick<ReviewPlan, 'create' | 'editReviews' | 'dismiss'> {
  if (summary === undefined) return { create: { event, body, comments }, editReviews: [], dismiss: undefined };
  const isDecided = ['APPROVED', 'CHANGES_REQUESTED'].includes(summary.state);
  const holds =
    (event === 'REQUEST_CHANGES' && summary.state === 'CHANGES_REQUESTED') ||
    // An approval is for one commit.
    (event === 'APPROVE' && summary.state === 'APPROVED' && summary.commit === printing.commit) ||
    event === 'COMMENT';
  if (!holds)
    return {
      create: { event, body, comments },
      editReviews: [{ id: summary.id, body: printSuperseded(printing) }],
      dismiss: undefined,
    };
  const addition = {
    event: 'COMMENT',
    body: printAddition(comments.length, summary.link, printing),
    comments,
  } as const;
  return {
    create: comments.length === 0 ? undefined : addition,
    editReviews: isSameText(summary.body, body) ? [] : [{ id: summary.id, body }],
    dismiss: event === 'COMMENT' && isDecided ? summary.id : undefined,
  };
}

function planThreads({ standing, gone }: Matches, printing: Printing): Pick<ReviewPlan, 'editComments' | 'resolve'> {
  const current = standing.map(({ placed, thread }) => ({ thread, body: printComment(placed, printing) }));
  const ended = gone.filter(({ isGone }) => !isGone).map(thread => ({ thread, body: printGone(thread, printing) }));
  return {
    editComments: [...current, ...ended]
      .filter(({ thread, body }) => !isSameText(thread.body, body))
      .map(({ thread, body }) => ({ id: thread.commentId, body })),
    resolve: gone.filter(({ canResolve }) => canResolve).map(({ id }) => id),
  };
}

interface Rest {
  readonly chosen: ChosenFindings;
  readonly matches: Matches;
  /** Findings with a new comment. */
  readonly fresh: number;
  /** Findings in the text only. */
  readonly outside: number;
  readonly leftOut: number;
}

/** The same words for findings that stand and new ones, so that the same answer again changes nothing. */
function describeRest({ chosen, matches: { standing, settled }, fresh, outside, leftOut }: Rest): readonly string[] {
  const say = (findings: number, words: string) => (findings === 0 ? [] : [`${counted(findings, 'finding')} ${words}`]);
  return [
    ...say(standing.length + fresh, 'on lines of the diff'),
    ...say(outside, 'without a comment on a line'),
    ...say(settled.length, 'not repeated, because somebody resolved the thread'),
    ...say(leftOut, 'left out (`review_max_comments`)'),
    ...say(chosen.belowSeverity, 'left out (`review_min_severity`)'),
    ...say(chosen.outsidePaths, 'left out (`review_paths`)'),
  ];
}
