/** The event that started the workflow. Reads the used parts of its payload, from GitHub or a service like it. */
import { isObject, type JsonObject } from '../../base/json.ts';
import { readPlainFileSync } from '../../border/files.ts';
import type { StepContext } from '../inputs/step-context.ts';
import { type CodePlace, type EventDetails, readDetails, readPlace } from './event-details.ts';
import { idOf, objectOf, textOf } from './payload.ts';

/** GitHub's limit is 25 MB. Payloads of supported events have a few hundred KiB. */
const maxBytes = 8 * 1024 * 1024;

export interface Person {
  readonly login: string;
  /** Does not change with the login. */
  readonly id: number | undefined;
  /** `User`, `Bot`, `Organization`, `Mannequin`. */
  readonly type: string | undefined;
}

export interface Text {
  readonly body: string | undefined;
  readonly author: Person | undefined;
  /** The author's `OWNER`, `MEMBER`, `COLLABORATOR`, `CONTRIBUTOR`, … */
  readonly association: string | undefined;
  readonly link: string | undefined;
}

export interface Subject extends Text {
  readonly kind: 'issue' | 'pull_request' | 'discussion';
  readonly number: number;
  readonly title: string | undefined;
}

/** The head commit of a pull request or of an earlier workflow. */
export interface Head {
  readonly ref: string | undefined;
  /** `owner/name`. Undefined if the fork was deleted. */
  readonly repository: string | undefined;
  readonly isFork: boolean;
}

export interface EarlierRun {
  readonly name: string | undefined;
  /** The event that started that workflow. */
  readonly event: string | undefined;
  readonly conclusion: string | undefined;
  readonly link: string | undefined;
  readonly actor: Person | undefined;
  readonly triggeringActor: Person | undefined;
  readonly pullRequests: readonly number[];
}

export interface Comment extends Text {
  /** Undefined for a comment outside the code. */
  readonly place: CodePlace | undefined;
  /** For a review: `approved`, `changes_requested`, `commented`, `dismissed`. */
  readonly reviewState: string | undefined;
}

export interface GitHubEvent extends EventDetails {
  readonly name: string;
  readonly action: string | undefined;
  /** `owner/name`. */
  readonly repository: string | undefined;
  /** `User` or `Organization`. */
  readonly ownerType: string | undefined;
  readonly ref: string | undefined;
  /** The head commit of a pull request or an earlier workflow. */
  readonly sha: string | undefined;
  readonly head: Head | undefined;
  /** The base branch of a pull request at the time of the event. */
  readonly baseCommit: string | undefined;
  readonly subject: Subject | undefined;
  readonly comment: Comment | undefined;
  readonly earlierRun: EarlierRun | undefined;
  readonly sender: Person | undefined;
  readonly actor: string | undefined;
}

type EventContext = Pick<StepContext, 'eventName' | 'eventPath' | 'repository' | 'ref' | 'sha' | 'actor'>;

/** Lacks the payload if the file is missing, broken or too long. Undefined without an event. Never throws. */
export function readEvent(context: EventContext): GitHubEvent | undefined {
  if (context.eventName === undefined) return undefined;
  return parseEvent(readPayload(context.eventPath) ?? {}, { ...context, eventName: context.eventName });
}

function readPayload(path: string | undefined): JsonObject | undefined {
  if (path === undefined) return undefined;
  try {
    const payload: unknown = JSON.parse(readPlainFileSync(path, maxBytes).toString('utf8'));
    return isObject(payload) ? payload : undefined;
  } catch {
    return undefined;
  }
}

function parseEvent(payload: JsonObject, context: EventContext & { readonly eventName: string }): GitHubEvent {
  const repository = objectOf(payload.repository);
  const pull = objectOf(payload.pull_request);
  const earlier = objectOf(payload.workflow_run);
  const head = pull !== undefined ? readPullHead(pull) : earlier && readEarlierHead(earlier, repository);
  const group = objectOf(payload.merge_group);
  const check = objectOf(payload.check_suite) ?? objectOf(objectOf(payload.check_run)?.check_suite);
  const sha = textOf(objectOf(pull?.head)?.sha) ?? textOf((earlier ?? group ?? check)?.head_sha) ?? context.sha;
  return {
    name: context.eventName,
    action: textOf(payload.action),
    repository: textOf(repository?.full_name) ?? context.repository,
    ownerType: textOf(objectOf(repository?.owner)?.type),
    ref: readRef(head, { pull, earlier, group }) ?? context.ref,
    sha,
    head,
    baseCommit: textOf(objectOf(pull?.base)?.sha),
    subject: readSubject(payload),
    comment: readComment(payload),
    earlierRun: earlier && readEarlierRun(earlier),
    ...readDetails(payload, context.eventName),
    sender: personOf(payload.sender),
    actor: context.actor,
  };
}

interface Refs {
  readonly pull: JsonObject | undefined;
  readonly earlier: JsonObject | undefined;
  readonly group: JsonObject | undefined;
}

/** Returns a ref under which the base repository has the commit. A fork's branch is not one. */
function readRef(head: Head | undefined, { pull, earlier, group }: Refs): string | undefined {
  if (pull !== undefined) return idOf(pull.number) === undefined ? undefined : `refs/pull/${pull.number}/head`;
  if (earlier !== undefined && head?.isFork === false && head.ref !== undefined) return `refs/heads/${head.ref}`;
  return textOf(group?.head_ref);
}

function readPullHead(pull: JsonObject): Head {
  const [head, base] = [objectOf(pull.head), objectOf(pull.base)];
  return headOf(textOf(head?.ref), objectOf(head?.repo), objectOf(base?.repo));
}

function readEarlierHead(earlier: JsonObject, repository: JsonObject | undefined): Head {
  return headOf(
    textOf(earlier.head_branch),
    objectOf(earlier.head_repository),
    objectOf(earlier.repository) ?? repository,
  );
}

/** Everything except a certain match with the base repository counts as a fork. */
function headOf(ref: string | undefined, own: JsonObject | undefined, base: JsonObject | undefined): Head {
  const isSame = own !== undefined && idOf(own.id) !== undefined && own.id === base?.id;
  return { ref, repository: textOf(own?.full_name), isFork: !isSame };
}

const subjectKeys = [
  ['pull_request', 'pull_request'],
  ['issue', 'issue'],
  ['discussion', 'discussion'],
] as const;

function readSubject(payload: JsonObject): Subject | undefined {
  for (const [key, kind] of subjectKeys) {
    const subject = objectOf(payload[key]);
    const number = idOf(subject?.number);
    if (subject === undefined || number === undefined) continue;
    // A comment on a pull request arrives as a comment on an issue.
    const isPull = kind === 'issue' && objectOf(subject.pull_request) !== undefined;
    return { ...textFrom(subject), kind: isPull ? 'pull_request' : kind, number, title: textOf(subject.title) };
  }
  return undefined;
}

function readComment(payload: JsonObject): Comment | undefined {
  const comment = objectOf(payload.comment);
  const review = objectOf(payload.review);
  const written = comment ?? review;
  if (written === undefined) return undefined;
  return {
    ...textFrom(written),
    place: comment && readPlace(comment),
    reviewState: comment === undefined ? textOf(review?.state) : undefined,
  };
}

function readEarlierRun(run: JsonObject): EarlierRun {
  const pulls: readonly unknown[] = Array.isArray(run.pull_requests) ? run.pull_requests : [];
  return {
    name: textOf(run.name),
    event: textOf(run.event),
    conclusion: textOf(run.conclusion),
    link: textOf(run.html_url),
    actor: personOf(run.actor),
    triggeringActor: personOf(run.triggering_actor),
    pullRequests: pulls.flatMap(pull => idOf(objectOf(pull)?.number) ?? []).slice(0, 20),
  };
}

function textFrom(value: JsonObject): Text {
  return {
    body: textOf(value.body),
    author: personOf(value.user),
    association: textOf(value.author_association),
    link: textOf(value.html_url),
  };
}

function personOf(value: unknown): Person | undefined {
  const person = objectOf(value);
  const login = textOf(person?.login);
  return login === undefined ? undefined : { login, id: idOf(person?.id), type: textOf(person?.type) };
}
