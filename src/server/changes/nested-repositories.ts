/**
 * Repositories within that of a workspace, as programs that set up a project make them. git takes one for a link to a commit, which nobody else has,
 * and none of its files. With a first file of it in the index it is a folder like any other, under the rules of what is ignored and what not.
 */
import { lstat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { readPlainFile } from '../../border/files.ts';
import { checkGit, GitFault, type GitParts, ListingFault, listGit, runGit } from '../workspace/run-git.ts';

export interface NestedRepositories {
  /** Folders whose files now count as those of the workspace. */
  readonly opened: readonly string[];
  /** Other working trees of the same repository, to be left out. */
  readonly worktrees: readonly string[];
  /** More than are looked into, to be left out. */
  readonly unopened: readonly string[];
}

/** So that there is an end of them. */
export const nestedMax = 100;
/** In the index alone, until git finds that there is no such file. */
const firstFile = '.agent-run-first-file';

/**
 * Those that are neither ignored nor submodules, and what is nested in them. `env` names the repository and the index, `leftOut` what stays unopened.
 * Throws GitFault.
 */
export async function openNestedRepositories(
  parts: GitParts & { readonly cwd: string },
  env: Readonly<Record<string, string>>,
  leftOut: readonly string[],
): Promise<NestedRepositories> {
  const opened: string[] = [];
  const worktrees: string[] = [];
  const unopened = [...leftOut];
  const known = new Set(leftOut);
  let submodules: ReadonlySet<string> | undefined;
  for (;;) {
    const found = await findRepositories(parts, env);
    const fresh: string[] = [];
    for (const path of found) {
      submodules ??= await readSubmodules(parts);
      if (opened.includes(path)) throw new GitFault(`git cannot read ${path}`);
      if (submodules.has(path) || known.has(path)) continue;
      known.add(path);
      if (opened.length + fresh.length + worktrees.length >= nestedMax) unopened.push(path);
      else if (await isWorktree(join(parts.cwd, path), env.GIT_DIR ?? '')) worktrees.push(path);
      else fresh.push(path);
    }
    if (fresh.length === 0) return { opened, worktrees, unopened };
    opened.push(...fresh);
    const id = checkGit(await runGit(parts, ['hash-object', '--stdin'], { env }), 'git cannot name a file').trim();
    const entries = fresh.flatMap(path => ['--cacheinfo', `100644,${id},${path}/${firstFile}`]);
    const added = await runGit(parts, ['update-index', '--add', '--replace', ...entries], { env });
    checkGit(added, `git cannot read ${fresh.join(', ')}`);
  }
}

/** What git tells of, and does not look into. */
async function findRepositories(parts: GitParts, env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const args = ['ls-files', '--others', '--exclude-standard', '-z'];
  const paths = await listGit(parts, args, { env, isKept: path => path.endsWith('/') });
  return paths.map(path => path.slice(0, -1));
}

/** What the repository itself calls its submodules, new ones as well. */
async function readSubmodules(parts: GitParts & { readonly cwd: string }): Promise<ReadonlySet<string>> {
  const isFile = (await lstat(join(parts.cwd, '.gitmodules')).catch(() => undefined))?.isFile() ?? false;
  if (!isFile) return new Set();
  // With a pattern of its own git holds all that it finds before it prints it, the name of a section again for each line in it.
  const args = ['config', '-z', '--file', '.gitmodules', '--list'];
  const entries = await listGit(parts, args, { isKept: isPathOfSubmodule }).catch((error: unknown) => {
    if (error instanceof GitFault && !(error instanceof ListingFault)) return [];
    throw error;
  });
  return new Set(entries.map(entry => withoutEndingSlashes(entry.slice(entry.indexOf('\n') + 1))));
}

/** Whether an entry, a key and its value on the next line, is where a submodule lies. */
function isPathOfSubmodule(entry: string): boolean {
  const end = entry.indexOf('\n');
  return end > 0 && entry.startsWith('submodule.') && entry.endsWith('.path', end);
}

/** A pattern looks for the end of slashes from each of them. */
function withoutEndingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

async function isWorktree(folder: string, gitDir: string): Promise<boolean> {
  const file = join(folder, '.git');
  const [, target] = /^gitdir: (.+)$/m.exec((await readPlainFile(file, 4096)) ?? '') ?? [];
  // The workspace may be such a one itself.
  const place = basename(dirname(gitDir)) === 'worktrees' ? dirname(gitDir) : join(gitDir, 'worktrees');
  return target !== undefined && dirname(resolve(folder, target)) === place;
}
