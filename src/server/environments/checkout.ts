import { type Environment, findRepository, type Repository } from './environment.ts';

interface Asked {
  readonly repository?: string | undefined;
  readonly ref?: string | undefined;
  readonly sha?: string | undefined;
}

/** What to check out: a commit, or the head of a ref. If neither is set, the host's default branch. */
export interface Revision {
  readonly ref: string | undefined;
  readonly sha: string | undefined;
}

/** Forms that git refuses in a ref, and those with a special meaning in a fetch (`git check-ref-format`). */
const noRef = /^[-+/.]|^@$|\.\.|@\{|\/\/|\/\.|\.lock(\/|$)|[/.]$|[\p{Cc} ~^:?*[\\]/u;
const commit = /^([0-9a-f]{40}|[0-9a-f]{64})$/i;

/** True for the name of a branch or a tag, or a full ref. */
export function isRef(text: string): boolean {
  return text !== '' && text.length <= 255 && !noRef.test(text);
}

/**
 * Why the environment cannot check out what a run asks for, or undefined. An unknown repository is not an error: it
 * may only say where an event happened, and the environment decides what the run works on.
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

/** The run's repository if the environment does not have it. Its ref and commit then do not apply to any other. */
export function findForeign(environment: Environment, { repository }: Asked): string | undefined {
  return repository === undefined || findRepository(environment, repository) !== undefined ? undefined : repository;
}

/** A run that names a repository without a ref or a commit gets the environment's revision. */
export function chooseRevision(environment: Environment, repository: Repository, asked: Asked | undefined): Revision {
  const own =
    asked?.repository === undefined ? environment.repositories[0] : findRepository(environment, asked.repository);
  const { ref, sha } = own === repository ? (asked ?? {}) : {};
  if ((ref ?? sha) !== undefined) return { ref, sha };
  return repository.ref !== undefined && commit.test(repository.ref)
    ? { ref: undefined, sha: repository.ref }
    : { ref: repository.ref, sha: undefined };
}
