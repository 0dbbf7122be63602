/** What the answer is about: an issue or pull request of this repository, and the commit that the agent saw. */
import { readEvent } from '../action/github/event.ts';
import type { GitHub } from '../action/github/github.ts';
import type { StepContext } from '../action/inputs/step-context.ts';
import { InputError } from '../action/inputs/values.ts';
import type { ApplyInputs } from './apply-inputs.ts';

export interface Repository {
  readonly owner: string;
  readonly repo: string;
}

export interface Target extends Repository {
  /** Number of the pull request or issue. */
  readonly number: number;
}

export function findRepository({ repository }: StepContext): Repository {
  const [owner, repo] = repository?.split('/') ?? [];
  if (owner === undefined || repo === undefined)
    throw new InputError('GITHUB_REPOSITORY is not set. A GitHub runner sets it');
  return { owner, repo };
}

/** Undefined if neither the inputs nor the event name one. */
export function findNumber(context: StepContext, { number }: ApplyInputs): number | undefined {
  const subject = readEvent(context)?.subject;
  return number ?? (subject?.kind === 'discussion' ? undefined : subject?.number);
}

/** The number of the event's issue. Undefined for a pull request, and if the workflow names another number. */
export function findIssue(context: StepContext, { number }: ApplyInputs): number | undefined {
  const subject = readEvent(context)?.subject;
  return subject?.kind === 'issue' && (number ?? subject.number) === subject.number ? subject.number : undefined;
}

/** Throws InputError if neither the inputs nor the event name an issue or pull request. */
export function findTarget(context: StepContext, inputs: ApplyInputs): Target {
  const number = findNumber(context, inputs);
  if (number !== undefined) return { ...findRepository(context), number };
  throw new InputError(
    `the event ${context.eventName ?? 'of this job'} has no issue or pull request. Set \`number\` to its number`,
  );
}

/**
 * The commit that the agent saw: `commit`, or the head of the event's pull request. Undefined if neither is given.
 */
export function findSeen(context: StepContext, { commit, number }: ApplyInputs): string | undefined {
  const pull = findPull(context);
  return commit ?? (pull !== undefined && (number ?? pull.number) === pull.number ? pull.sha : undefined);
}

/** Throws InputError if the head is still that of the event, so that `commit` is not an earlier one. */
export function refuseMergeCommit(context: StepContext, { commit }: ApplyInputs, head: string): void {
  if (commit !== undefined && findPull(context)?.sha === head)
    throw new InputError(
      `\`commit\` is ${commit}, but the head of the pull request is still ${head}. Remove the input if the agent saw that head. \`github.sha\` is a merge commit here: check out \`github.event.pull_request.head.sha\` for the agent`,
    );
}

/** Throws InputError if nothing tells the commit. */
export function findCommit(context: StepContext, inputs: ApplyInputs, usual?: string): string {
  const seen = findSeen(context, inputs) ?? usual;
  if (seen !== undefined) return seen;
  throw new InputError(
    `the event ${context.eventName ?? 'of this job'} does not tell which commit the agent saw. Set \`commit\` to its full hash`,
  );
}

/** The head of the pull request, if it is not `seen`. Undefined for an issue. Throws GitHubError. */
export async function findNewHead(github: GitHub, target: Target, seen: string): Promise<string | undefined> {
  const { owner, repo, number } = target;
  const place = { owner, repo };
  const { data: issue } = await github.request('GET /repos/{owner}/{repo}/issues/{issue_number}', {
    ...place,
    issue_number: number,
  });
  if (!issue.pull_request) return undefined;
  const { data: pull } = await github.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
    ...place,
    pull_number: number,
  });
  return pull.head.sha === seen ? undefined : pull.head.sha;
}

/** The branch that the event is about. Throws InputError for that of a fork. */
export function findBranch(context: StepContext): string | undefined {
  const pull = findPull(context);
  if (pull === undefined) return /^refs\/heads\/(.+)$/.exec(context.ref ?? '')?.[1];
  if (!pull.head.isFork) return pull.head.ref;
  throw new InputError(
    'the branch of the event is in a fork, so no pull request can be opened for it. Set `pull_request_base` and `commit`',
  );
}

function findPull(context: StepContext) {
  const { subject, head, sha } = readEvent(context) ?? {};
  return subject?.kind === 'pull_request' && head !== undefined ? { number: subject.number, head, sha } : undefined;
}
