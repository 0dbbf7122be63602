/** What the answer is about: an issue or pull request of this repository, and the commit that the agent saw. */
import { readEvent } from '../action/github/event.ts';
import type { StepContext } from '../action/inputs/step-context.ts';
import { InputError } from '../action/inputs/values.ts';
import type { ApplyInputs } from './apply-inputs.ts';

export interface Target {
  readonly owner: string;
  readonly repo: string;
  /** Number of the pull request or issue. */
  readonly number: number;
}

/** Throws InputError if neither the inputs nor the event name one. */
export function findTarget(context: StepContext, { number: given }: ApplyInputs): Target {
  const subject = readEvent(context)?.subject;
  const number = given ?? (subject?.kind === 'discussion' ? undefined : subject?.number);
  const [owner, repo] = context.repository?.split('/') ?? [];
  if (owner === undefined || repo === undefined) throw new InputError('GITHUB_REPOSITORY is not set. GitHub sets it');
  if (number !== undefined) return { owner, repo, number };
  throw new InputError(
    `the event ${context.eventName ?? 'of this job'} has no issue or pull request. Set \`number\` to its number`,
  );
}

/** The head of the event's pull request, unless `commit` names another. Throws InputError without either. */
export function findCommit(context: StepContext, { commit }: ApplyInputs): string {
  const event = readEvent(context);
  const head = event?.subject?.kind === 'pull_request' && event.head !== undefined ? event.sha : undefined;
  const seen = commit ?? head;
  if (seen !== undefined) return seen;
  throw new InputError(
    `the event ${context.eventName ?? 'of this job'} does not tell which commit the agent saw. Set \`commit\` to its full hash`,
  );
}
