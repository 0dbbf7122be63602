/**
 * What an agent changed in its workspace, as a patch: commits and working tree together, new files and binary ones as well, what the repository
 * ignores not. Of repositories within it there are the files, as if they were its own. The repository itself is only read: trees are made with an index and a store of objects beside the workspace.
 */
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { lstat, mkdir, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isRealFolder } from '../../base/real-folder.ts';
import { sizes } from '../../contract/sizes.ts';
import type { KeptBaseline } from '../store/store.ts';
import { type NestedRepositories, openNestedRepositories } from './nested-repositories.ts';
import type { RunFolder } from './run-folder.ts';
import { askGit, checkGit, GitFault, type GitParts, listGit, runGit } from './run-git.ts';

export const patchName = 'changes.patch';

/** What changed in one repository. */
export interface Patch {
  readonly path: string;
  readonly file: string;
  readonly bytes: number;
}

export interface Changes {
  /** Of repositories with a change; paths in them begin at the workspace. */
  readonly patches: readonly Patch[];
  /** Whether there is a patch of the server's among the run's artifacts. */
  readonly hasPatch: boolean;
  /** A sentence on why not all of them are there; undefined where they are. */
  readonly lost: string | undefined;
  /** What else is to be said of them, for the run's log. */
  readonly notes: readonly string[];
}

/** Of the folders below the workspace those that are git repositories, as they are before the run begins to work; none where there is no git. */
export async function takeBaselines(
  parts: GitParts,
  runId: string,
  paths: readonly string[],
): Promise<readonly KeptBaseline[]> {
  const baselines: KeptBaseline[] = [];
  for (const path of paths) {
    // Those of the conversation's first run are wanted again.
    const own = join(parts.folder.state, 'changes', runId, String(baselines.length));
    const baseline = await takeBaseline({ ...parts, cwd: join(parts.folder.workspace, path) }, path, own);
    if (baseline !== undefined) baselines.push(baseline);
  }
  return baselines;
}

/** Why changes will not be known of repositories that have no baseline; undefined where each has one. */
export function findUnknown(
  paths: readonly string[],
  baselines: readonly KeptBaseline[],
  { image, folder }: { readonly image: string; readonly folder: RunFolder },
): string | undefined {
  const unseen = paths.filter(
    path => existsSync(join(folder.workspace, path, '.git')) && !baselines.some(baseline => baseline.path === path),
  );
  if (unseen.length === 0) return undefined;
  return `the changes of the workspace are not known, for the git of the image ${image} is not there or does not work in it`;
}

async function takeBaseline(
  parts: GitParts & { readonly cwd: string },
  path: string,
  own: string,
): Promise<KeptBaseline | undefined> {
  // A folder within a larger repository is not that repository.
  if ((await stat(join(parts.cwd, '.git')).catch(() => undefined)) === undefined) return undefined;
  const paths = await askGit(parts, [
    'rev-parse',
    '--git-path',
    'objects',
    '--git-path',
    'index',
    '--absolute-git-dir',
  ]);
  const [objects, index, gitDir] = (paths ?? '')
    .split('\n')
    .map(found => (isAbsolute(found) ? found : join(parts.cwd, found)));
  if (objects === undefined || index === undefined || gitDir === undefined) return undefined;
  await mkdir(join(own, 'objects'), { recursive: true, mode: 0o700 });
  const env = {
    // Whatever the repository says later of where it is: an agent may write there.
    GIT_DIR: gitDir,
    GIT_WORK_TREE: parts.cwd,
    GIT_INDEX_FILE: join(own, 'index'),
    GIT_OBJECT_DIRECTORY: join(own, 'objects'),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: objects,
  };
  // With it, only files that have changed since are read.
  await copyIndex(parts, index, env.GIT_INDEX_FILE);
  const patchFile = join(own, 'patch');
  try {
    const { tree } = await writeTree(parts, env);
    return { path, tree, env, patchFile };
  } catch (error) {
    if (!(error instanceof GitFault)) throw error;
    return { path, tree: '', env, patchFile };
  }
}

/**
 * By a program of the run, where git works: an agent of an earlier run may have put a pipe in its place, or a link that leads out of its
 * container. Without it git reads every file.
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

/** Makes the patches, and of all of them together one among the run's artifacts where that is wanted and there is any change. */
export async function writePatches(
  parts: GitParts,
  baselines: readonly KeptBaseline[],
  { isArtifact }: { readonly isArtifact: boolean },
): Promise<Changes> {
  const patches: Patch[] = [];
  const notes: string[] = [];
  const lost: string[] = [];
  for (const baseline of baselines) {
    const at = { ...parts, cwd: join(parts.folder.workspace, baseline.path) };
    try {
      const made = await writePatch(at, baseline);
      notes.push(...made.notes);
      if (made.patch !== undefined) patches.push(made.patch);
    } catch (error) {
      if (!(error instanceof GitFault)) throw error;
      lost.push(`${baseline.path === '.' ? '' : `in ${baseline.path}: `}${error.message}`);
    }
  }
  const bytes = patches.reduce((sum, patch) => sum + patch.bytes, 0);
  const isTooLarge = bytes > sizes.artifactBytes;
  if (isTooLarge) lost.push(`they are ${bytes} bytes, more than the ${sizes.artifactBytes} that a run may leave`);
  else if (isArtifact) await joinPatches(patches, parts.folder.artifacts);
  const hasPatch = isArtifact && patches.length > 0 && !isTooLarge;
  if (lost.length === 0) return { patches, hasPatch, lost: undefined, notes };
  const message = `the changes of the workspace could not be made into ${patchName}: ${lost.join('; ')}`;
  return { patches, hasPatch, lost: message, notes };
}

type RepositoryParts = GitParts & { readonly cwd: string };

/** No patch where nothing changed. Throws GitFault. */
async function writePatch(
  parts: RepositoryParts,
  { path, tree, env, patchFile: file }: KeptBaseline,
): Promise<{ readonly patch?: Patch; readonly notes: readonly string[] }> {
  if (tree === '') throw new GitFault('git could not read the working tree when the agent began');
  const { tree: now, nested } = await writeTree(parts, env);
  const links = await describeLinks(parts, { env, tree, now });
  const below = path === '.' ? '' : `${path}/`;
  const notes = [...describeNested(nested), ...links].map(note => `${below}${note}`);
  if (now === tree) return { notes };
  // Whatever the agent put there: git would write through a link, and wait for the reader of a pipe.
  if (!(await isRealFolder(parts.folder.state, dirname(file))))
    throw new GitFault('the agent put something else in the place of the folder for it');
  await rm(file, { recursive: true, force: true });
  // Not `git diff`, which the settings of the repository can have write what cannot be applied.
  const compared = await runGit(
    parts,
    [
      ...['diff-tree', '-r', '-p', '-M', '--no-ext-diff', '--no-textconv', '--binary', '--full-index', '--no-color'],
      ...['--ignore-submodules=none', `--src-prefix=a/${below}`, `--dst-prefix=b/${below}`, `--output=${file}`],
      ...[tree, now],
    ],
    { env },
  );
  checkGit(compared, 'git cannot compare');
  return { patch: { path, file, bytes: (await stat(file)).size }, notes };
}

function describeNested({ opened, worktrees }: NestedRepositories): readonly string[] {
  return [
    ...opened.map(path => `${path} is a repository of its own: its files are in ${patchName}, its commits are not`),
    ...worktrees.map(path => `${path} is another working tree of the repository, and no part of ${patchName}`),
  ];
}

/** Of submodules a tree has a commit, and nothing of what is in them. */
async function describeLinks(
  parts: RepositoryParts,
  { env, tree, now }: { readonly env: KeptBaseline['env']; readonly tree: string; readonly now: string },
): Promise<readonly string[]> {
  const moved = await listLinks(parts, env, ['diff-tree', '-r', '-z', '--raw', '--no-renames', tree, now]);
  const looking = listLinks(parts, env, ['diff-files', '-z', '--raw', '--ignore-submodules=none']);
  // One that is broken costs nobody the patch.
  const dirty = await looking.catch((error: unknown) => {
    if (error instanceof GitFault) return [];
    throw error;
  });
  return [
    ...moved.map(({ path, id }) => `${path} is a submodule: ${patchName} has its commit ${id.slice(0, 7)} alone`),
    ...dirty.map(({ path }) => `${path} is a submodule, and what is not committed in it is no part of ${patchName}`),
  ];
}

/** The links to commits in a listing of `--raw`, which has two entries for each path. */
async function listLinks(
  parts: GitParts,
  env: KeptBaseline['env'],
  args: readonly string[],
): Promise<readonly { readonly path: string; readonly id: string }[]> {
  let isLink = false;
  const entries = await listGit(parts, args, {
    env,
    isKept(entry, index) {
      if (index % 2 === 0) isLink = /^:\d+ 160000 /.test(entry);
      return isLink;
    },
  });
  return entries.flatMap((entry, index) =>
    index % 2 === 0 ? [{ path: entries[index + 1] ?? '', id: entry.split(' ')[3] ?? '' }] : [],
  );
}

async function joinPatches(patches: readonly Patch[], artifacts: string): Promise<void> {
  if (patches.length === 0) return;
  const file = join(artifacts, patchName);
  const isFolder = (await lstat(artifacts).catch(() => undefined))?.isDirectory() ?? false;
  // A link would lead the patch elsewhere.
  if (!isFolder) await rm(artifacts, { recursive: true, force: true });
  await mkdir(artifacts, { recursive: true, mode: 0o700 });
  await rm(file, { recursive: true, force: true });
  for (const [index, patch] of patches.entries())
    await pipeline(
      createReadStream(patch.file),
      createWriteStream(file, { flags: index === 0 ? 'wx' : 'a', mode: 0o600 }),
    );
}

/** Throws GitFault. */
async function writeTree(
  parts: RepositoryParts,
  env: KeptBaseline['env'],
): Promise<{ readonly tree: string; readonly nested: NestedRepositories }> {
  const nested = await openNestedRepositories(parts, env);
  const without = nested.worktrees.map(path => `:(top,exclude,literal)${path}`);
  const added = await runGit(parts, ['add', '--all', '--', '.', ...without], { env });
  checkGit(added, 'git cannot read the working tree');
  return { tree: checkGit(await runGit(parts, ['write-tree'], { env }), 'git cannot write a tree').trim(), nested };
}
