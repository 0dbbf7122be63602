/**
 * Clones the repositories of an environment into the workspace of a run: one commit of each, without history,
 * submodules, and the host's token.
 */
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRealFolder } from '../../border/folders.ts';
import { chooseRevision, type Revision } from '../environments/checkout.ts';
import type { Environment, Repository } from '../environments/environment.ts';
import { RunFailure } from '../run-failure.ts';
import type { KeptClone } from '../store/continuation.ts';
import type { Checkout } from '../store/store.ts';
import { explainGit, type HostParts, runHostGit } from './git-host.ts';
import { type GitOutcome, runGit } from './run-git.ts';

/** A repository in the workspace, before anything worked in it. */
export interface Clone {
  readonly repository: Repository;
  /** Absolute path. */
  readonly folder: string;
  /** Undefined if the repository is empty. */
  readonly commit: string | undefined;
  /** The checked-out branch of the host. Undefined at a tag, or at a commit that no branch was named for. */
  readonly branch: string | undefined;
  /** The default branch of the host. */
  readonly usualBranch: string | undefined;
}

/** `writeLog` gets a line before each clone, which may take long. Throws RunFailure, and errors of `execute`. */
export async function cloneRepositories(
  environment: Environment,
  checkout: Checkout | undefined,
  { writeLog, ...parts }: HostParts & { readonly writeLog: (text: string) => Promise<void> },
): Promise<readonly Clone[]> {
  const clones: Clone[] = [];
  for (const repository of environment.repositories) {
    const { name, url } = repository;
    await writeLog(`cloning ${name} from ${url}`);
    try {
      clones.push(await cloneRepository(repository, chooseRevision(environment, repository, checkout), parts));
    } catch (error) {
      if (!(error instanceof RunFailure) || error.code !== 'time_limit') throw error;
      throw new RunFailure(error.code, `${error.message}. It was cloning ${name} from ${url}`);
    }
  }
  return clones;
}

/** Why a repository cannot be cloned as its environment says. Undefined if its host has the ref. Nothing is cloned. */
export async function findRepositoryFault(
  environment: Environment,
  repository: Repository,
  parts: HostParts,
): Promise<string | undefined> {
  const revision = chooseRevision(environment, repository, undefined);
  try {
    const { publish, publishBase } = environment;
    const base = publish === 'pull_request' ? publishBase : undefined;
    const listed = await listRefs(parts, repository, revision.ref, base);
    chooseRef(repository, revision, listed);
    if (base === undefined || listed.refs.includes(`refs/heads/${base}`)) return undefined;
    return `${repository.name} has no branch ${base}, which \`publish_base\` names for pull requests`;
  } catch (error) {
    if (error instanceof RunFailure) return error.message;
    throw error;
  }
}

/**
 * Repositories of a continued conversation. Leaves out those that the environment no longer has, and those whose
 * folder the agent removed or replaced with a symlink, which would lead the server out of the workspace.
 */
export async function findClones(
  environment: Environment | undefined,
  workspace: string,
  kept: readonly KeptClone[],
): Promise<readonly Clone[]> {
  const clones: Clone[] = [];
  for (const { url, path, commit, branch, usualBranch } of kept) {
    const repository = environment?.repositories.find(known => known.url === url && known.path === path);
    const folder = join(workspace, path);
    if (repository !== undefined && (await isRealFolder(workspace, folder)))
      clones.push({ repository, folder, commit, branch, usualBranch });
  }
  return clones;
}

/** The facts about a clone that are needed to find it again. */
export function keepClone({ repository: { url, path }, commit, branch, usualBranch }: Clone): KeptClone {
  return { url, path, commit, branch, usualBranch };
}

/** `octo-org/shop at 0123456 (main), octo-org/tools, which is empty`. */
export function describeClones(clones: readonly Clone[]): string {
  return clones
    .map(({ repository: { name, path }, commit, branch }) => {
      const what = commit === undefined ? `${name}, which is empty` : `${name} at ${commit.slice(0, 7)}`;
      return `${what}${branch === undefined ? '' : ` (${branch})`}${path === '.' ? '' : ` in ${path}`}`;
    })
    .join(', ');
}

async function cloneRepository(repository: Repository, revision: Revision, parts: HostParts): Promise<Clone> {
  const folder = join(parts.folder.workspace, repository.path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const at = { ...parts, cwd: folder };
  check(repository, await runGit(at, ['init', '--quiet', '--template=', '--initial-branch=main']));
  await appendFile(join(folder, '.git', 'config'), printRemote(repository.url));
  const listed = await listRefs(at, repository, revision.ref);
  const wanted = chooseRef(repository, revision, listed);
  const { usualBranch } = listed;
  if (wanted === undefined) return { repository, folder, commit: undefined, branch: undefined, usualBranch };
  const { target, branch } = wanted;
  const { url, depth = 1 } = repository;
  const keptAs = branch === undefined || target !== `refs/heads/${branch}` ? '' : `:refs/remotes/origin/${branch}`;
  const [past, wished] =
    depth === 0
      ? [[], [`+${target}`, '+refs/heads/*:refs/remotes/origin/*']]
      : [[`--depth=${depth}`], [`+${target}${keptAs}`]];
  const fetchArgs = ['fetch', '--quiet', ...past, '--no-tags', '--no-recurse-submodules', '--', url, ...wished];
  check(repository, await runHostGit(at, url, fetchArgs));
  const place = branch === undefined ? ['--detach'] : ['-B', branch];
  check(repository, await runGit(at, ['checkout', '--quiet', ...place, 'FETCH_HEAD']));
  return { repository, folder, commit: await readHead(join(folder, '.git')), branch, usualBranch };
}

/** In the format of `git remote add`. An address contains no quotes and no backslashes. */
function printRemote(url: string): string {
  return `[remote "origin"]\n\turl = "${url}"\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`;
}

/** The commit of a fresh clone. */
async function readHead(gitFolder: string): Promise<string> {
  const head = (await readFile(join(gitFolder, 'HEAD'), 'utf8')).trim();
  if (!head.startsWith('ref: ')) return head;
  return (await readFile(join(gitFolder, head.slice('ref: '.length)), 'utf8')).trim();
}

interface Listed {
  readonly refs: readonly string[];
  readonly usualBranch: string | undefined;
}

/** The refs of the host that the name may mean. */
async function listRefs(
  at: HostParts,
  repository: Repository,
  ref: string | undefined,
  base?: string,
): Promise<Listed> {
  // A short name alone would match every ref that ends with it.
  const full = ref === undefined ? [] : ref.startsWith('refs/') ? [ref] : [`refs/heads/${ref}`, `refs/tags/${ref}`];
  const outcome = await runHostGit(at, repository.url, [
    'ls-remote',
    '--symref',
    '--',
    repository.url,
    'HEAD',
    ...full,
    ...(base === undefined ? [] : [`refs/heads/${base}`]),
  ]);
  check(repository, outcome);
  const rows = outcome.output.split('\n').map(line => line.split('\t'));
  const head = rows.find(([value, name]) => name === 'HEAD' && value?.startsWith('ref: refs/heads/'));
  return {
    refs: rows.flatMap(([value, name]) => (name !== undefined && value?.startsWith('ref: ') !== true ? [name] : [])),
    usualBranch: head?.[0]?.slice('ref: refs/heads/'.length),
  };
}

/** The ref to fetch, and its branch. Undefined if the repository is empty. */
function chooseRef(
  repository: Repository,
  { ref, sha }: Revision,
  { refs, usualBranch }: Listed,
): { readonly target: string; readonly branch: string | undefined } | undefined {
  const found =
    ref === undefined ? undefined : [`refs/heads/${ref}`, `refs/tags/${ref}`, ref].find(name => refs.includes(name));
  const branch = found?.startsWith('refs/heads/') === true ? found.slice('refs/heads/'.length) : undefined;
  // The commit counts: its branch may be gone by now.
  if (sha !== undefined) return { target: sha.toLowerCase(), branch };
  if (found !== undefined) return { target: found, branch };
  if (ref !== undefined)
    throw new RunFailure('environment_setup_failed', `${repository.name} has no branch and no tag ${ref}`);
  if (!refs.includes('HEAD')) return undefined;
  return usualBranch === undefined
    ? { target: 'HEAD', branch: undefined }
    : { target: `refs/heads/${usualBranch}`, branch: usualBranch };
}

function check({ name, url }: Repository, outcome: GitOutcome): void {
  if (outcome.end.kind === 'ended' && outcome.end.exitCode === 0) return;
  const why = explainGit(outcome);
  // Hosts' message about a commit that no branch has any more.
  const hint = /not our ref|unadvertised object/.test(why) ? '. The commit is gone there, as after a force push' : '';
  throw new RunFailure('environment_setup_failed', `${name} could not be cloned from ${url}${why}${hint}`);
}
