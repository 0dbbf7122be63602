/**
 * The files of a repository as one tree, committed or not, without ignored files. The repository itself is only read:
 * index and objects of the tree are outside the workspace.
 */
import { lstat, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { TreeBefore } from '../store/continuation.ts';
import { askGit, checkGit, GitFault, type GitOutcome, type GitParts, listGit, runGit } from '../workspace/run-git.ts';

export type RepositoryParts = GitParts & { readonly cwd: string };

type Env = TreeBefore['env'];

/** A placeholder in the index only, until git finds that the file does not exist. */
const firstFile = '.agent-run-first-file';

/**
 * `env` names the repository and the index. Commits reachable from one of `merged` are not outside. Throws GitFault.
 */
export async function writeTree(
  parts: RepositoryParts,
  { env, merged }: { readonly env: Env; readonly merged: readonly string[] },
): Promise<Pick<TreeBefore, 'tree' | 'outside'>> {
  const worktrees = new Set(await listWorktrees(parts, env));
  const branches = await listBranches(parts, env, merged);
  const { opened, linked, left } = await openNested(parts, env, worktrees);
  // A link to a commit that nobody else has would break the submodule for everyone who gets the patch.
  const submodules: string[] = [];
  for (const path of [...(await listSubmodules(parts, env)), ...linked])
    if (!(await isPublished(parts, path))) submodules.push(path);
  const refused = await addAll(parts, env, [...left, ...submodules]);
  const tree = checkGit(await runGit(parts, ['write-tree'], { env }), 'git cannot write a tree').trim();
  const outside = [
    ...[...worktrees].map(path => `the worktree ${JSON.stringify(path)}`),
    ...branches,
    ...submodules.map(path => `changes in the submodule ${JSON.stringify(path)}`),
    ...opened.map(path => `the commits of ${JSON.stringify(path)}, a repository of its own`),
    ...refused,
  ];
  return { tree, outside };
}

/** Other working trees of the repository, relative to this one. */
async function listWorktrees(parts: RepositoryParts, env: Env): Promise<readonly string[]> {
  const own = await realpath(parts.cwd).catch(() => parts.cwd);
  const key = 'worktree ';
  const lines = await listLines(parts, ['worktree', 'list', '--porcelain'], {
    env,
    isKept: line => line.startsWith(key),
  });
  return lines.map(line => relative(own, line.slice(key.length))).filter(path => path !== '');
}

/** Includes the commit, so that a branch with new commits is reported again. */
async function listBranches(parts: RepositoryParts, env: Env, merged: readonly string[]): Promise<readonly string[]> {
  const args = [
    'for-each-ref',
    '--format=%(objectname:short) %(refname)',
    ...merged.map(head => `--no-merged=${head}`),
  ];
  const lines = await listLines(parts, [...args, 'refs/heads', 'refs/stash', 'refs/tags'], {
    env,
    isKept: line => line !== '',
  });
  return lines.map(line => {
    const [commit = '', ref = ''] = line.split(' ');
    if (ref === 'refs/stash') return `the stash at ${commit}`;
    const [, kind, ...name] = ref.split('/');
    return `the ${kind === 'tags' ? 'tag' : 'branch'} ${JSON.stringify(name.join('/'))} at ${commit}`;
  });
}

/** When the settings of a sparse checkout were last changed. */
export async function readSparseMs({ GIT_DIR = '' }: Env): Promise<number | undefined> {
  return (await lstat(join(GIT_DIR, 'info', 'sparse-checkout')).catch(() => undefined))?.ctimeMs;
}

/**
 * Copies the index entries of files that the agent's sparse checkout removed from the working tree. Those files were
 * not deleted. Throws GitFault.
 */
export async function keepSparseEntries(parts: RepositoryParts, env: Env): Promise<void> {
  const { GIT_INDEX_FILE: _ofTheTree, ...repository } = env;
  const isKept = (line: string) => line.startsWith('S ');
  const skipped = await listGit(parts, ['ls-files', '-t', '-s', '-z'], { env: repository, isKept });
  const entries = skipped.map(line => `${line.slice('S '.length)}\0`).join('');
  const added = await runGit(parts, ['update-index', '-z', '--index-info'], { env, stdin: entries });
  checkGit(added, 'git cannot read the sparse checkout');
  const paths = skipped.map(line => `${line.slice(line.indexOf('\t') + 1)}\0`).join('');
  await runGit(parts, ['update-index', '--skip-worktree', '-z', '--stdin'], { env, stdin: paths });
}

/** True if a submodule is clean and its commit is on a remote, so that others can fetch it. */
async function isPublished(parts: RepositoryParts, path: string): Promise<boolean> {
  const within = { ...parts, cwd: join(parts.cwd, path) };
  const remote = await askGit(within, ['for-each-ref', '--contains', 'HEAD', '--count=1', 'refs/remotes']);
  return (remote ?? '') !== '' && (await askGit(within, ['status', '--porcelain'])) === '';
}

/**
 * Submodules with another commit than in the index, or with uncommitted changes. A tree contains only their commit.
 */
async function listSubmodules(parts: RepositoryParts, env: Env): Promise<readonly string[]> {
  let isSubmodule = false;
  return await listLines(parts, ['diff-files', '-z', '--raw', '--ignore-submodules=none'], {
    env,
    separator: '\0',
    isKept(entry, index) {
      if (index % 2 === 1) return isSubmodule;
      isSubmodule = entry.split(' ')[1] === '160000';
      return false;
    },
  });
}

/** Empty if git cannot tell. That loses no patch. */
async function listLines(
  parts: RepositoryParts,
  args: readonly string[],
  more: Parameters<typeof listGit>[2],
): Promise<readonly string[]> {
  return await listGit(parts, args, { separator: '\n', ...more }).catch((error: unknown) => {
    if (error instanceof GitFault) return [];
    throw error;
  });
}

interface NestedRepositories {
  /** Folders whose files now count as those of the repository. */
  readonly opened: readonly string[];
  /** Repositories that keep their commits elsewhere, as new submodules do. A tree contains a link to their commit. */
  readonly linked: readonly string[];
  /** Working trees of the repository itself. */
  readonly left: readonly string[];
}

/**
 * Turns nested repositories, which programs that set up a project leave behind, into plain folders. Git would store a
 * link to a commit that exists nowhere else. With one of its files in the index, git treats it as a folder. Throws
 * GitFault.
 */
async function openNested(
  parts: RepositoryParts,
  env: Env,
  worktrees: ReadonlySet<string>,
): Promise<NestedRepositories> {
  const opened = new Set<string>();
  for (;;) {
    const args = ['ls-files', '--others', '--exclude-standard', '-z'];
    const entries = await listGit(parts, args, { env, isKept: path => path.endsWith('/') });
    const left: string[] = [];
    const fresh: string[] = [];
    const linked: string[] = [];
    for (const path of entries.map(entry => entry.slice(0, -1))) {
      if (opened.has(path)) continue;
      const isWhole = (await lstat(join(parts.cwd, path, '.git')).catch(() => undefined))?.isDirectory() ?? false;
      (worktrees.has(path) ? left : isWhole ? fresh : linked).push(path);
    }
    if (fresh.length === 0) return { opened: [...opened], linked, left };
    for (const path of fresh) opened.add(path);
    const id = checkGit(await runGit(parts, ['hash-object', '--stdin'], { env }), 'git cannot name a file').trim();
    const stdin = fresh.map(path => `100644 ${id}\t${path}/${firstFile}\0`).join('');
    const added = await runGit(parts, ['update-index', '--add', '--replace', '-z', '--index-info'], { env, stdin });
    checkGit(added, `git cannot read ${fresh[0]}`);
  }
}

/**
 * Updates the index from the working tree, except the paths in `without`. Returns git's message for each path that it
 * could not read, so that one such path does not cost the others. Throws GitFault.
 */
async function addAll(parts: RepositoryParts, env: Env, without: readonly string[]): Promise<readonly string[]> {
  const args = ['--', '.', ...without.map(path => `:(top,exclude,literal)${path}`)];
  // Warnings about line ends must not stop git.
  const more = { env, config: [['core.safecrlf', 'false']] } as const;
  const add = ['add', '--all', '--ignore-errors'];
  // Files outside a sparse checkout are changes too. Git before 2.34 neither knows nor needs the option.
  let added = await runGit(parts, [...add, '--sparse', ...args], more);
  if (hasExited(added, 129)) added = await runGit(parts, [...add, ...args], more);
  // Git reports most faulty paths twice.
  const words = /^(?:error: (?!unable to (?:index file|add) )|warning: (?=could not open directory ))(.+)$/gm;
  const refused = [...added.output.matchAll(words)].map(([, said = '']) => said);
  if (refused.length === 0 || !hasExited(added, 1)) checkGit(added, 'git cannot read the working tree');
  return refused;
}

function hasExited({ end }: GitOutcome, code: number): boolean {
  return end.kind === 'ended' && end.exitCode === code;
}
