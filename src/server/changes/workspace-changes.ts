/**
 * Changes of an agent in the repositories of its workspace, as patches between two trees: before it began and after
 * it ended.
 */
import { mkdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { sizes } from '../../contract/tables/sizes.ts';
import type { KeptBaseline, TreeBefore } from '../store/continuation.ts';
import type { Clone } from '../workspace/environment-clone.ts';
import { checkGit, GitFault, type GitParts, runGit } from '../workspace/run-git.ts';
import type { KeptText, PatchFile } from './patch-file.ts';
import { findRepositories } from './workspace-repositories.ts';
import { keepSparseEntries, type RepositoryParts, readSparseMs, writeTree } from './workspace-tree.ts';

export const patchName = 'changes.patch';

/** Limit on repositories in a workspace that nothing was cloned into: git is started about ten times for each. */
const repositoriesMax = 20;

/** Changes in one repository. */
export interface Patch extends KeptText {
  readonly path: string;
}

export interface Changes {
  /**
   * Patches of the changed repositories, with paths from the workspace. Together they are no larger than an artifact.
   */
  readonly patches: readonly Patch[];
  /** Why not all of them are there. Undefined if they are. */
  readonly lost: string | undefined;
  /** Names of the run's work that is in no patch. */
  readonly outside: readonly string[];
}

/**
 * The repositories in the workspace before the run begins to work: those that were cloned for it, or otherwise any
 * that exist. `image` is that of the container that git works in.
 */
export async function takeBaselines(
  parts: GitParts,
  runId: string,
  { clones, image }: { readonly clones: readonly Clone[]; readonly image: string | undefined },
): Promise<readonly KeptBaseline[]> {
  const baselines: KeptBaseline[] = [];
  const paths =
    clones.length === 0
      ? await findRepositories(parts.folder.workspace)
      : clones.map(({ repository }) => repository.path);
  const git = image === undefined ? 'git' : `the git of the image ${image}`;
  for (const path of paths) {
    if (clones.length === 0 && baselines.length === repositoriesMax) {
      const fault = `there were more than ${repositoriesMax} repositories in the workspace, and git looked at no others`;
      baselines.push({ path, fault });
      break;
    }
    const cwd = join(parts.folder.workspace, path);
    // Publishing compares with those of the conversation's first run.
    const own = join(parts.folder.state, 'changes', runId, String(baselines.length));
    try {
      baselines.push({ path, ...(await takeBaseline({ ...parts, cwd }, own, git)) });
    } catch (error) {
      if (!(error instanceof GitFault)) throw error;
      baselines.push({ path, fault: error.message });
    }
  }
  return baselines;
}

async function takeBaseline(parts: RepositoryParts, own: string, git: string): Promise<TreeBefore> {
  const wanted = ['--git-path', 'objects', '--git-path', 'index', '--absolute-git-dir'];
  // A folder within a larger repository is not that repository.
  const asked = await runGit(parts, ['rev-parse', ...wanted], { env: { GIT_DIR: '.git' } });
  const told = checkGit(asked, `${git} cannot read the repository`);
  const [objects = '', index = '', gitDir = ''] = told
    .split('\n')
    .map(found => (isAbsolute(found) ? found : join(parts.cwd, found)));
  await mkdir(join(own, 'objects'), { recursive: true, mode: 0o700 });
  const env = {
    // An agent may write to the repository's own setting for this.
    GIT_DIR: gitDir,
    GIT_WORK_TREE: parts.cwd,
    GIT_INDEX_FILE: join(own, 'index'),
    GIT_OBJECT_DIRECTORY: join(own, 'objects'),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: objects,
  };
  // With it, git reads only files that have changed since.
  await copyIndex(parts, index, env.GIT_INDEX_FILE);
  return { env, sparseMs: await readSparseMs(env), ...(await writeTree(parts, { env, merged: [] })) };
}

/**
 * Copied by a program of the run, in git's container: an agent of an earlier run may have replaced the index with a
 * pipe, or with a link that leads out of its container. Without an index git reads every file.
 */
async function copyIndex(
  { folder, cwd, searchPath, execute }: RepositoryParts,
  from: string,
  to: string,
): Promise<void> {
  const script = '[ -f "$1" ] && [ ! -L "$1" ] && exec cp -- "$1" "$2"';
  const env = { PATH: searchPath, HOME: folder.home };
  await execute({ argv: ['sh', '-c', script, 'sh', from, to], cwd, env, stdin: '' }, async () => {});
}

/** Makes the patches, as parts of the server's file. */
export async function writePatches(
  parts: GitParts,
  baselines: readonly KeptBaseline[],
  file: PatchFile,
): Promise<Changes> {
  const patches: Patch[] = [];
  const lost: string[] = [];
  const outside: string[] = [];
  let bytes = 0;
  for (const baseline of baselines) {
    const { path } = baseline;
    const where = path === '.' ? '' : `in ${path}: `;
    try {
      if ('fault' in baseline) throw new GitFault(`when the agent began, ${baseline.fault}`);
      const at = { ...parts, cwd: join(parts.folder.workspace, path) };
      const { env, tree, sparseMs } = baseline;
      if ((await readSparseMs(env)) !== sparseMs) await keepSparseEntries(at, env);
      const known = new Set(baseline.outside);
      const now = await writeTree(at, { env, merged: ['HEAD'] });
      outside.push(...now.outside.filter(name => !known.has(name)).map(name => `${where}${name}`));
      if (now.tree === tree) continue;
      const below = path === '.' ? '' : `${path}/`;
      // Not `git diff`: settings of the repository can make it write a patch that does not apply.
      const args = [
        ...['diff-tree', '-r', '-p', '-M', '--no-ext-diff', '--no-textconv', '--binary', '--full-index', '--no-color'],
        ...['--ignore-submodules=none', `--src-prefix=a/${below}`, `--dst-prefix=b/${below}`, tree, now.tree],
      ];
      // By standard output: a program that git executes for the repository could replace a file.
      const text = await file.keep(async onStdout => {
        checkGit(await runGit(at, args, { env, onStdout }), 'git cannot compare');
      }, sizes.artifactBytes - bytes);
      if (text.bytes > 0) patches.push({ ...text, path });
      bytes += text.bytes;
    } catch (error) {
      if (!(error instanceof GitFault)) throw error;
      lost.push(`${where}${error.message}`);
    }
  }
  const isTooLarge = bytes > sizes.artifactBytes;
  if (isTooLarge) lost.push(`they are ${bytes} bytes, more than the ${sizes.artifactBytes} that a run may leave`);
  const kept = isTooLarge ? [] : patches;
  if (lost.length === 0) return { patches: kept, lost: undefined, outside };
  const what = kept.length === 0 ? `could not be made into ${patchName}` : `are not all in ${patchName}`;
  return { patches: kept, lost: `the changes of the workspace ${what}: ${lost.join('; ')}`, outside };
}
