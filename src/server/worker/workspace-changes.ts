/**
 * What an agent changed in its workspace, as a patch: commits and working tree together, new files and binary ones as well, what the repository
 * ignores not. The repository itself is only read: trees are made with an index and a store of objects beside the workspace.
 */
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { copyFile, lstat, mkdir, rm, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { lastLines } from '../../base/text.ts';
import { sizes } from '../../contract/sizes.ts';
import type { RunFolder } from './run-folder.ts';
import { askGit, type GitParts, runGit } from './run-git.ts';

export const patchName = 'changes.patch';

/** A repository of the workspace as it was before the agent began. */
export interface Baseline {
  /** Its folder below the workspace; `.` is the workspace itself. */
  readonly path: string;
  readonly tree: string;
  readonly env: Readonly<Record<string, string>>;
  /** Where its patch will be. */
  readonly patchFile: string;
}

/** What changed in one repository. */
export interface Patch {
  readonly path: string;
  readonly file: string;
  readonly bytes: number;
}

export interface Changes {
  /** Of repositories with a change; paths in them begin at the workspace. */
  readonly patches: readonly Patch[];
  /** A sentence on why not all of them are there; undefined where they are. */
  readonly lost: string | undefined;
}

/** Of the folders below the workspace those that are git repositories; none where there is no git. */
export async function takeBaselines(parts: GitParts, paths: readonly string[]): Promise<readonly Baseline[]> {
  const baselines: Baseline[] = [];
  for (const path of paths) {
    const own = join(parts.folder.state, 'changes', String(baselines.length));
    const baseline = await takeBaseline({ ...parts, cwd: join(parts.folder.workspace, path) }, path, own);
    if (baseline !== undefined) baselines.push(baseline);
  }
  return baselines;
}

/** Why changes will not be known of repositories that have no baseline; undefined where each has one. */
export function findUnknown(
  paths: readonly string[],
  baselines: readonly Baseline[],
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
): Promise<Baseline | undefined> {
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
  await copyFile(index, env.GIT_INDEX_FILE).catch(() => {});
  const tree = await writeTree(parts, env);
  return tree === undefined ? undefined : { path, tree, env, patchFile: join(own, 'patch') };
}

/** Makes the patches, and of all of them together one among the run's artifacts, where there is any change. */
export async function writePatches(parts: GitParts, baselines: readonly Baseline[]): Promise<Changes> {
  const patches: Patch[] = [];
  const lost: string[] = [];
  for (const baseline of baselines) {
    const made = await writePatch({ ...parts, cwd: join(parts.folder.workspace, baseline.path) }, baseline);
    if (typeof made === 'string') lost.push(`${baseline.path === '.' ? '' : `in ${baseline.path}: `}${made}`);
    else if (made !== undefined) patches.push(made);
  }
  const bytes = patches.reduce((sum, patch) => sum + patch.bytes, 0);
  if (bytes > sizes.artifactBytes)
    lost.push(`they are ${bytes} bytes, more than the ${sizes.artifactBytes} that a run may leave`);
  else await joinPatches(patches, parts.folder.artifacts);
  if (lost.length === 0) return { patches, lost: undefined };
  return { patches, lost: `the changes of the workspace could not be made into ${patchName}: ${lost.join('; ')}` };
}

/** Undefined where nothing changed; a text says why there is no patch. */
async function writePatch(
  parts: GitParts,
  { path, tree, env, patchFile: file }: Baseline,
): Promise<Patch | string | undefined> {
  const now = await writeTree(parts, env);
  if (now === undefined) return 'git cannot read the working tree';
  if (now === tree) return undefined;
  const below = path === '.' ? '' : `${path}/`;
  // Whatever the agent put there: git would write through a link, and wait for the reader of a pipe.
  await rm(file, { recursive: true, force: true });
  const { end, output } = await runGit(
    parts,
    [
      ...['diff', '--no-ext-diff', '--no-textconv', '--binary', '--full-index', '--no-color'],
      ...[`--src-prefix=a/${below}`, `--dst-prefix=b/${below}`, `--output=${file}`, tree, now],
    ],
    { env },
  );
  if (end.kind === 'not_started' || end.exitCode !== 0) return lastLines(output, 2).join(' | ') || 'git cannot compare';
  const info = await lstat(file);
  return info.isFile() ? { path, file, bytes: info.size } : 'git made no patch';
}

async function joinPatches(patches: readonly Patch[], artifacts: string): Promise<void> {
  if (patches.length === 0) return;
  const file = join(artifacts, patchName);
  await mkdir(artifacts, { recursive: true, mode: 0o700 });
  await rm(file, { recursive: true, force: true });
  for (const [index, patch] of patches.entries())
    await pipeline(
      createReadStream(patch.file),
      createWriteStream(file, { flags: index === 0 ? 'wx' : 'a', mode: 0o600 }),
    );
}

async function writeTree(parts: GitParts, env: Baseline['env']): Promise<string | undefined> {
  const added = await runGit(parts, ['add', '--all', '--', '.'], { env });
  if (added.end.kind === 'not_started' || added.end.exitCode !== 0) return undefined;
  return (await askGit(parts, ['write-tree'], { env }))?.trim();
}
