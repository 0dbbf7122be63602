/**
 * Decides who may start the step. Events that strangers can cause require write access of everyone involved. All
 * other events need a push, or a click by somebody whom the repository's owner let in.
 *
 * GitHub's API decides. The event's `author_association` is a fallback if the API refuses to answer or there is no
 * token. Only two of its values prove write access: OWNER, and COLLABORATOR in a user's repository, where every
 * collaborator can write. MEMBER only means membership of the organization. A COLLABORATOR in an organization's
 * repository may only have read access, and a member who hides the membership has another value.
 *
 * Neither a refused nor an unknown person starts a run. A refusal skips the step. An unknown permission fails it.
 */

import { messageOf } from '../../base/cause.ts';
import { plainLine } from '../../border/terminal-text.ts';
import type { EarlierRun, GitHubEvent, Person } from './event.ts';
import type { GitHub } from './github.ts';
import { GitHubError } from './github-error.ts';
import { explainFork } from './missing-credentials.ts';

export interface GateQuestion {
  readonly event: GitHubEvent | undefined;
  readonly actor: string | undefined;
  readonly triggeringActor: string | undefined;
  /** Full logins, such as `dependabot[bot]`. */
  readonly allowBots: readonly string[];
  /** `none` lets every person pass unchecked. Bots still have to be listed. */
  readonly requirePermission: 'write' | 'none';
  /** Opens the API when needed. Undefined without a token. */
  readonly github: (() => Promise<GitHub>) | undefined;
}

export type GateAnswer =
  | {
      readonly allowed: true;
      /** True if each of them is a person with write access. */
      readonly mayQuoteText: boolean;
    }
  | Refusal;

interface Refusal {
  readonly allowed: false;
  readonly reason: string;
  /** False if the permission could not be determined. */
  readonly isKnown: boolean;
}

/** Events that require write access, or that no person causes. All others count as open to strangers. */
const insideEvents: ReadonlySet<string> = new Set([
  'branch_protection_rule',
  'create',
  'delete',
  'deployment',
  'deployment_status',
  'merge_group',
  'page_build',
  'push',
  'registry_package',
  'release',
  'repository_dispatch',
  'schedule',
  'status',
  'workflow_call',
  'workflow_dispatch',
]);

/** Returns true if someone without write access may have caused it. */
function isOpenToStrangers(event: GitHubEvent): boolean {
  if (event.name === 'pull_request') return event.head?.isFork !== false;
  if (event.name === 'workflow_run') return isEarlierOpen(event.earlierRun, event.head?.isFork !== false);
  return !insideEvents.has(event.name);
}

/** False only for this repository's run by a known person, on an event that strangers cannot cause. */
function isEarlierOpen(earlier: EarlierRun | undefined, isFork: boolean): boolean {
  const event = earlier?.event ?? '';
  return isFork || earlier?.actor === undefined || !(insideEvents.has(event) || event === 'pull_request');
}

export async function checkGate(question: GateQuestion): Promise<GateAnswer> {
  const { event, requirePermission, allowBots } = question;
  if (event === undefined || !isOpenToStrangers(event)) return { allowed: true, mayQuoteText: false };
  const people = peopleOf(event, question);
  if (people.length === 0)
    return refuseUnknown(
      `The event ${name(event.name)} does not say who caused it (its file is missing or broken), and anyone can cause such an event`,
    );
  let areAllChecked = true;
  for (const person of people) {
    if (isBot(person)) {
      if (!isListed(person, allowBots)) return refuseBot(person);
      areAllChecked = false;
    } else if (requirePermission === 'none') areAllChecked = false;
    else {
      const refusal = await refusePerson(person, question, event);
      if (refusal === 'listed bot') areAllChecked = false;
      else if (refusal !== undefined) return refusal;
    }
  }
  return { allowed: true, mayQuoteText: areAllChecked };
}

/** The actor, who started this attempt, the sender, and who started an earlier workflow. No repetitions. */
function peopleOf(event: GitHubEvent, { actor, triggeringActor }: GateQuestion): readonly Person[] {
  const known = [event.sender, event.earlierRun?.actor, event.earlierRun?.triggeringActor];
  const people = new Map<string, Person>();
  for (const person of known) if (person !== undefined) people.set(person.login.toLowerCase(), person);
  for (const login of [actor, triggeringActor])
    if (login !== undefined && !people.has(login.toLowerCase()))
      people.set(login.toLowerCase(), { login, id: undefined, type: undefined });
  return [...people.values()];
}

function isBot({ login, type }: Person): boolean {
  return type === 'Bot' || /\[bot\]$/i.test(login);
}

/** GitHub's logins ignore case. A person with a bot's name is not a bot. */
function isListed({ login, type }: Person, allowBots: readonly string[]): boolean {
  return type !== 'User' && allowBots.some(bot => bot.toLowerCase() === login.toLowerCase());
}

async function refusePerson(
  person: Person,
  question: GateQuestion,
  event: GitHubEvent,
): Promise<Refusal | 'listed bot' | undefined> {
  const [owner, repo] = event.repository?.split('/') ?? [];
  const who = `${name(person.login)} triggered this step (${name(event.name)})`;
  if (question.github === undefined || owner === undefined || repo === undefined)
    return refuseByAssociation(
      person,
      event,
      `${who}, and without \`github_token\` the step cannot ask GitHub whether they have write access`,
    );
  try {
    const github = await question.github();
    const { data } = await github.request('GET /repos/{owner}/{repo}/collaborators/{username}/permission', {
      owner,
      repo,
      username: person.login,
    });
    const user = data.user as
      | { readonly id?: unknown; readonly login?: unknown; readonly type?: unknown }
      | null
      | undefined;
    if (typeof user?.login === 'string' && user.login.toLowerCase() !== person.login.toLowerCase())
      return refuseUnknown(`${who}, but GitHub’s answer is about ${name(user.login)}`);
    if (user?.type === 'Bot')
      return isListed({ ...person, type: 'Bot' }, question.allowBots) ? 'listed bot' : refuseBot(person);
    // Someone else may own the login by now.
    if (person.id !== undefined && typeof user?.id === 'number' && user.id !== person.id)
      return refuseUnknown(`${who}, but that login now belongs to someone else`);
    if (writing.has(data.permission) || writing.has(data.role_name)) return undefined;
    const role: unknown = data.role_name || data.permission;
    if (typeof role !== 'string')
      return refuseUnknown(`${who}, but GitHub’s answer does not say what access they have`);
    const remedy =
      explainFork(event, true) ??
      'Ask a maintainer to start it, or set `require_permission: none` to let anyone start it';
    return {
      allowed: false,
      reason: `${who}, but has only ${name(role)} access to ${event.repository}. Write access is required. ${remedy}`,
      isKnown: true,
    };
  } catch (error) {
    const why = `${who}, but the step could not find out whether they have write access: ${messageOf(error)}`;
    const isNoAnswer =
      error instanceof GitHubError && error.isRefusal && (error.status === 403 || error.status === 404);
    return isNoAnswer ? refuseByAssociation(person, event, why) : refuseUnknown(why);
  }
}

/** GitHub reports `write` for the role maintain. Services like it report `maintain` and `owner`. */
const writing: ReadonlySet<string> = new Set(['admin', 'maintain', 'write', 'owner']);

/** Uses the event's association, which applies only if the person is the author. */
function refuseByAssociation(person: Person, event: GitHubEvent, why: string): Refusal | undefined {
  const { author, association } = event.comment ?? event.subject ?? {};
  const isAuthor = author?.id !== undefined && author.id === person.id;
  const hasWrite = association === 'OWNER' || (association === 'COLLABORATOR' && event.ownerType === 'User');
  return isAuthor && hasWrite ? undefined : refuseUnknown(why);
}

function refuseUnknown(reason: string): Refusal {
  return { allowed: false, reason, isKnown: false };
}

function refuseBot(person: Person): Refusal {
  const reason = `${name(person.login)} is a bot that is not in \`allow_bots\`. Add it there to let it start the step`;
  return { allowed: false, reason, isKnown: true };
}

function name(text: string): string {
  return plainLine(text).slice(0, 100);
}
