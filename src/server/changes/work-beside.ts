/**
 * Work in a repository that is not in the working tree of a run: its other working trees (`git worktree`), wherever they lie, and commits of
 * branches and stashes that are not checked out. No patch has it, and it mostly goes with the run.
 */
import { realpath } from 'node:fs/promises';
import { relative } from 'node:path';
import { counted } from '../../base/text.ts';
import { RunFailure } from '../run-failure.ts';
import type { KeptBaseline } from '../store/continuation.ts';
import { GitFault, type GitParts, listGit } from '../workspace/run-git.ts';

type RepositoryParts = GitParts & { readonly cwd: string };

/** What there was of it before the agent began. */
type KnownBeside = NonNullable<KeptBaseline['beside']>;

interface Worktree {
  readonly path: string;
  readonly head: string;
  /** `refs/heads/feature`; undefined where it has none. */
  readonly ref: string | undefined;
}

/** As many lines of a listing are read: an agent decides how many there are. */
const linesMax = 4000;
const namedMax = 5;

/** Throws what `execute` throws. */
export async function lookBeside(parts: RepositoryParts, env: KeptBaseline['env']): Promise<KnownBeside> {
  const own = await realpath(parts.cwd).catch(() => parts.cwd);
  const worktrees = await listWorktrees(parts, env);
  const head = worktrees.find(({ path }) => path === own)?.head ?? '';
  const commits = (await listUnmerged(parts, env, [])).map(({ id }) => id);
  return { head: /^0*$/.test(head) ? '' : head, worktrees: worktrees.map(({ path }) => path), commits };
}

/**
 * Sentences on what is there beside the working tree. `named` are working trees of which something was said already, from the repository's
 * folder on; those that were there before the agent began are told only where they go with the run. Throws what `execute` throws.
 */
export async function describeBeside(
  parts: RepositoryParts,
  { env, beside }: KeptBaseline,
  { named, patchName }: { readonly named: readonly string[]; readonly patchName: string },
): Promise<readonly string[]> {
  if (beside === undefined) return [];
  const own = await realpath(parts.cwd).catch(() => parts.cwd);
  const root = await realpath(parts.folder.workspace).catch(() => parts.folder.workspace);
  const worktrees = (await listWorktrees(parts, env)).filter(({ path }) => path !== own);
  const fresh = worktrees.filter(
    ({ path }) =>
      !named.includes(relative(own, path)) && (parts.folder.hasOwnWorkspace || !beside.worktrees.includes(path)),
  );
  const refs = new Set(worktrees.map(({ ref }) => ref));
  const known = new Set(beside.commits);
  const unmerged = await listUnmerged(parts, env, beside.head === '' ? [] : [beside.head]);
  const left = unmerged.filter(({ id, ref }) => !known.has(id) && !refs.has(ref));
  const branches = left.filter(({ ref }) => ref !== 'refs/stash').map(({ ref }) => ref.slice('refs/heads/'.length));
  return [
    ...shorten(
      fresh.map(({ path }) => `${JSON.stringify(relative(root, path))} is another worktree of the repository`),
    ).map(text => `${text}, and is not in ${patchName}`),
    ...shorten(
      branches.map(name => `the branch ${JSON.stringify(name)}, which is not checked out, has its own commits`),
    ).map(text => `${text}, which are not in ${patchName}`),
    ...(branches.length < left.length ? [`stashed changes (git stash) are not in ${patchName}`] : []),
  ];
}

function shorten(texts: readonly string[]): readonly string[] {
  const last = texts[namedMax - 1];
  if (last === undefined || texts.length === namedMax) return texts;
  return [...texts.slice(0, namedMax - 1), `${last}, like ${counted(texts.length - namedMax, 'other')}`];
}

async function listWorktrees(parts: RepositoryParts, env: KeptBaseline['env']): Promise<readonly Worktree[]> {
  const lines = await listLines(parts, env, ['worktree', 'list', '--porcelain'], /^(worktree|HEAD|branch) /);
  const worktrees: { path: string; head: string; ref: string | undefined }[] = [];
  for (const line of lines) {
    const at = line.indexOf(' ');
    const [key, value] = [line.slice(0, at), line.slice(at + 1)];
    const last = worktrees.at(-1);
    if (key === 'worktree') worktrees.push({ path: value, head: '', ref: undefined });
    else if (last !== undefined) last[key === 'HEAD' ? 'head' : 'ref'] = value;
  }
  return worktrees;
}

/** Branches and the stash with commits that none of HEAD and `others` has. */
async function listUnmerged(
  parts: RepositoryParts,
  env: KeptBaseline['env'],
  others: readonly string[],
): Promise<readonly { readonly id: string; readonly ref: string }[]> {
  const without = ['HEAD', ...others].map(commit => `--no-merged=${commit}`);
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', ...without, 'refs/heads', 'refs/stash'];
  const lines = await listLines(parts, env, args, /^[0-9a-f]+ refs\//);
  return lines.map(line => {
    const [id = '', ...ref] = line.split(' ');
    return { id, ref: ref.join(' ') };
  });
}

/** None where git cannot tell, or has no time left: nobody's patch is lost by it. */
async function listLines(
  parts: RepositoryParts,
  env: KeptBaseline['env'],
  args: readonly string[],
  kept: RegExp,
): Promise<readonly string[]> {
  let count = 0;
  const isKept = (line: string) => {
    if (!kept.test(line)) return false;
    count += 1;
    return count <= linesMax;
  };
  try {
    return await listGit(parts, args, { env, isKept, separator: '\n' });
  } catch (error) {
    if (error instanceof GitFault || error instanceof RunFailure) return [];
    throw error;
  }
}
