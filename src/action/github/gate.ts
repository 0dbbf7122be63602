/**
 * Who may start the step. Events that strangers can cause need write access of everybody who had a hand in them; all else was caused by
 * somebody who has it, for it takes a push or a click that GitHub gives to no others.
 *
 * The answer of GitHub's API decides. What the event says of a comment's author (`author_association`) is a stand-in where the API
 * refuses to answer or there is no token, and only two of its words mean write access: OWNER, and COLLABORATOR in a repository of a person,
 * where there is no lesser collaborator. MEMBER only says that somebody belongs to the organisation, a COLLABORATOR of an
 * organisation's repository may be one who reads, and who hides that they belong to it has any other word.
 *
 * Nobody starts a run who may not, and nobody of whom that is not known; but the second is no end that a workflow can be content with.
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
  /** Logins in full, such as `dependabot[bot]`. */
  readonly allowBots: readonly string[];
  /** `none` lets every person pass, unchecked. Bots are listed all the same. */
  readonly requirePermission: 'write' | 'none';
  /** Opens the API when it is needed; undefined without a token. */
  readonly github: (() => Promise<GitHub>) | undefined;
}

export type GateAnswer =
  | {
      readonly allowed: true;
      /** Whether every one of them is a person who was found to have write access. */
      readonly mayQuoteText: boolean;
    }
  | Refusal;

interface Refusal {
  readonly allowed: false;
  readonly reason: string;
  /** False where nobody could say whether they may. */
  readonly isKnown: boolean;
}

/** Events that take write access to the repository, or that nobody causes. An event that is not here is one of strangers, known or not. */
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

/** Whether somebody without write access can have caused it. */
export function isOpenToStrangers(event: GitHubEvent): boolean {
  if (event.name === 'pull_request') return event.head?.isFork !== false;
  if (event.name === 'workflow_run') return isEarlierOpen(event.earlierRun, event.head?.isFork !== false);
  return !insideEvents.has(event.name);
}

/** A run of the own repository by somebody known, on an event that strangers cannot cause themselves. */
function isEarlierOpen(earlier: EarlierRun | undefined, isFork: boolean): boolean {
  const event = earlier?.event ?? '';
  return isFork || earlier?.actor === undefined || !(insideEvents.has(event) || event === 'pull_request');
}

export async function checkGate(question: GateQuestion): Promise<GateAnswer> {
  const { event, requirePermission, allowBots } = question;
  if (event === undefined || !isOpenToStrangers(event)) return { allowed: true, mayQuoteText: false };
  const people = peopleOf(event, question);
  if (people.length === 0)
    return doubt(
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

/** Actor, who started this attempt, who sent the event, and for an earlier workflow who started that: each once. */
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

/** GitHub's logins are the same in both cases. A person of a bot's name is none. */
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
      return doubt(`${who}, but GitHub’s answer is about ${name(user.login)}`);
    if (user?.type === 'Bot')
      return isListed({ ...person, type: 'Bot' }, question.allowBots) ? 'listed bot' : refuseBot(person);
    // The login may have gone to somebody else since.
    if (person.id !== undefined && typeof user?.id === 'number' && user.id !== person.id)
      return doubt(`${who}, but that login now belongs to someone else`);
    if (writing.has(data.permission) || writing.has(data.role_name)) return undefined;
    const role: unknown = data.role_name || data.permission;
    if (typeof role !== 'string') return doubt(`${who}, but GitHub’s answer does not say what access they have`);
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
    return isNoAnswer ? refuseByAssociation(person, event, why) : doubt(why);
  }
}

/** `permission` is `write` for the role maintain on GitHub; services like it say `maintain` and `owner`. */
const writing: ReadonlySet<string> = new Set(['admin', 'maintain', 'write', 'owner']);

/** The word of the event about the author of what it is about, when that is this very person. */
function refuseByAssociation(person: Person, event: GitHubEvent, why: string): Refusal | undefined {
  const { author, association } = event.comment ?? event.subject ?? {};
  const isAuthor = author?.id !== undefined && author.id === person.id;
  const hasWrite = association === 'OWNER' || (association === 'COLLABORATOR' && event.ownerType === 'User');
  return isAuthor && hasWrite ? undefined : doubt(why);
}

function doubt(reason: string): Refusal {
  return { allowed: false, reason, isKnown: false };
}

function refuseBot(person: Person): Refusal {
  const reason = `${name(person.login)} is a bot that is not in \`allow_bots\`. Add it there to let it start the step`;
  return { allowed: false, reason, isKnown: true };
}

/** Foreign words in a sentence. */
function name(text: string): string {
  return plainLine(text).slice(0, 100);
}
