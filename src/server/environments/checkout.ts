import { type Environment, findRepository, type Repository } from './environment.ts';

/** What a run asks to check out. */
interface Asked {
  readonly repository?: string | undefined;
  readonly ref?: string | undefined;
  readonly sha?: string | undefined;
}

/** What of a repository is checked out: a commit, or the last one of a ref; neither: of the branch that the host shows first. */
export interface Revision {
  readonly ref: string | undefined;
  readonly sha: string | undefined;
}

/** The forms that git refuses in a ref, and those that mean more than a name where refs are fetched (`git check-ref-format`). */
const noRef = /^[-+/.]|^@$|\.\.|@\{|\/\/|\/\.|\.lock(\/|$)|[/.]$|[\p{Cc} ~^:?*[\\]/u;
const commit = /^([0-9a-f]{40}|[0-9a-f]{64})$/i;

/** Whether a text is the name of a branch or a tag, or a full ref. */
export function isRef(text: string): boolean {
  return text !== '' && text.length <= 255 && !noRef.test(text);
}

/**
 * Why the environment cannot check out what a run asks for; undefined where it can. A repository that it does not have is no fault: whoever starts a run
 * for an event says where that happened, and the environment says what the run works on.
 */
export function refuseCheckout(environment: Environment, { repository, ref, sha }: Asked): string | undefined {
  const { name, repositories } = environment;
  const known = repositories.length === 0 ? 'none' : repositories.map(other => other.name).join(', ');
  if (repository === undefined && (ref ?? sha) !== undefined && repositories.length !== 1)
    return `${ref === undefined ? 'sha' : 'ref'}: needs \`repository\`, because the environment ${name} has ${repositories.length === 0 ? 'no repositories' : `several repositories: ${known}`}`;
  if (ref !== undefined && !isRef(ref))
    return `ref: must be a valid git branch or tag name, not ${JSON.stringify(ref)}`;
  return undefined;
}

/** The repository that a run names and the environment does not have, whose ref and commit then say nothing of any other. */
export function findForeign(environment: Environment, { repository }: Asked): string | undefined {
  return repository === undefined || findRepository(environment, repository) !== undefined ? undefined : repository;
}

/** What to check out of a repository. A run that names a repository without a ref or a commit means what the environment says. */
export function chooseRevision(environment: Environment, repository: Repository, asked: Asked | undefined): Revision {
  const own =
    asked?.repository === undefined ? environment.repositories[0] : findRepository(environment, asked.repository);
  const { ref, sha } = own === repository ? (asked ?? {}) : {};
  if ((ref ?? sha) !== undefined) return { ref, sha };
  return repository.ref !== undefined && commit.test(repository.ref)
    ? { ref: undefined, sha: repository.ref }
    : { ref: repository.ref, sha: undefined };
}
