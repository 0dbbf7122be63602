/** What the answer is about: an issue or pull request of this repository, and the commit that the agent saw. */
import { readEvent } from '../action/github/event.ts';
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
  if (owner === undefined || repo === undefined) throw new InputError('GITHUB_REPOSITORY is not set. GitHub sets it');
  return { owner, repo };
}

/** Undefined if neither the inputs nor the event name one. */
export function findNumber(context: StepContext, { number }: ApplyInputs): number | undefined {
  const subject = readEvent(context)?.subject;
  return number ?? (subject?.kind === 'discussion' ? undefined : subject?.number);
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
 * The head of the event's pull request, unless `commit` names another. Without either, `usual`. Throws InputError
 * without any.
 */
export function findCommit(context: StepContext, { commit }: ApplyInputs, usual?: string): string {
  const event = readEvent(context);
  const head = event?.subject?.kind === 'pull_request' && event.head !== undefined ? event.sha : undefined;
  const seen = commit ?? head ?? usual;
  if (seen !== undefined) return seen;
  throw new InputError(
    `the event ${context.eventName ?? 'of this job'} does not tell which commit the agent saw. Set \`commit\` to its full hash`,
  );
}
