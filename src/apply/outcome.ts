/** What a verb did, or would do in a dry run. */
import type { ActionHost } from '../action/host/host.ts';
import { messageOf } from '../base/cause.ts';
import type { Verb } from './apply-inputs.ts';

export interface VerbOutcome {
  readonly verb: Verb;
  /** `a new review with 2 comments`, as plain text. Empty if there is nothing to change. */
  readonly deeds: readonly string[];
  /** What was left out and why, as sentences. */
  readonly notes: readonly string[];
  /** What the workflow does not allow, as sentences. */
  readonly refused?: readonly string[] | undefined;
  readonly link?: string | undefined;
  /** Texts that a dry run would publish, as safe Markdown. */
  readonly previews?: readonly Preview[] | undefined;
  /** The pull request's head, if it is not the commit that the agent saw. Nothing was done then. */
  readonly movedTo?: string | undefined;
  /** Why the verb stopped after its deeds. */
  readonly failure?: string | undefined;
}

export interface Preview {
  readonly place: string;
  readonly markdown: string;
}

/** Names the setting behind a refusal that GitHub does not explain. */
export function failureOf(error: unknown): string {
  return messageOf(error).replace(
    /(is not permitted to (?:create|approve)[\w ]* pull requests).*/s,
    '$1. Allow it under Settings > Actions > General > Allow GitHub Actions to create and approve pull requests',
  );
}

/** In the step's log. */
export function printOutcome(host: ActionHost, outcome: VerbOutcome): void {
  const { verb, notes, refused = [], movedTo, link } = outcome;
  const told = `${verb}: ${tell(outcome)}`;
  if (movedTo === undefined) host.print(`${told}${link === undefined ? '' : ` (${link})`}`);
  else host.warn(told);
  for (const note of notes) host.print(`${verb}: ${note}`);
  for (const what of refused) host.warn(`${verb}: ${what}`);
}

/** What was done, without the verb. */
export function tell({ deeds, failure, movedTo }: VerbOutcome): string {
  if (movedTo !== undefined)
    return `the head of the pull request is ${movedTo}, which is not the commit that the agent saw. Nothing was changed`;
  if (deeds.length > 0) return deeds.join(', ');
  return failure === undefined ? 'nothing to change' : 'nothing was done';
}
