/**
 * What an agent changed in its workspace, as a patch: commits and working tree together, new files and binary ones as well, what the repository
 * ignores not. The repository itself is only read: trees are made with an index and a store of objects beside the workspace.
 */
import { copyFile, mkdir, rm, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { lastLines } from '../../base/text.ts';
import { sizes } from '../../contract/sizes.ts';
import { type GitParts, runGit } from './run-git.ts';

export const patchName = 'changes.patch';

/** The workspace as it was before the agent began. */
export interface Baseline {
  readonly tree: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Undefined where the workspace is no git repository, or there is no git. */
export async function takeBaseline(parts: GitParts): Promise<Baseline | undefined> {
  const { workspace, state } = parts.folder;
  // A folder within a larger repository is not that repository.
  if ((await stat(join(workspace, '.git')).catch(() => undefined)) === undefined) return undefined;
  const paths = await ask(parts, ['rev-parse', '--git-path', 'objects', '--git-path', 'index']);
  const [objects, index] = (paths ?? '').split('\n').map(path => (isAbsolute(path) ? path : join(workspace, path)));
  if (objects === undefined || index === undefined) return undefined;
  const own = join(state, 'changes');
  await mkdir(join(own, 'objects'), { recursive: true, mode: 0o700 });
  const env = {
    GIT_INDEX_FILE: join(own, 'index'),
    GIT_OBJECT_DIRECTORY: join(own, 'objects'),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: objects,
  };
  // With it, only files that have changed since are read.
  await copyFile(index, env.GIT_INDEX_FILE).catch(() => {});
  const tree = await writeTree(parts, env);
  return tree === undefined ? undefined : { tree, env };
}

/** Writes the patch among the run's artifacts, where there is any change. A sentence on why there is none although there may be changes. */
export async function writePatch(parts: GitParts, { tree, env }: Baseline): Promise<string | undefined> {
  const lost = `the changes of the workspace could not be made into ${patchName}`;
  const now = await writeTree(parts, env);
  if (now === undefined) return lost;
  if (now === tree) return undefined;
  const file = join(parts.folder.artifacts, patchName);
  await mkdir(parts.folder.artifacts, { recursive: true, mode: 0o700 });
  const { end, output } = await runGit(
    parts,
    ['diff', '--no-ext-diff', '--no-textconv', '--binary', '--full-index', `--output=${file}`, tree, now],
    env,
  );
  if (end.kind === 'not_started' || end.exitCode !== 0) return `${lost}: ${lastLines(output, 2).join(' | ')}`;
  const { size } = await stat(file);
  if (size <= sizes.artifactBytes) return undefined;
  await rm(file, { force: true });
  return `${lost}: they are ${size} bytes, more than the ${sizes.artifactBytes} that a run may leave`;
}

async function writeTree(parts: GitParts, env: Baseline['env']): Promise<string | undefined> {
  const added = await runGit(parts, ['add', '--all', '--', '.'], env);
  if (added.end.kind === 'not_started' || added.end.exitCode !== 0) return undefined;
  return (await ask(parts, ['write-tree'], env))?.trim();
}

/** What git answers; undefined where it fails. */
async function ask(parts: GitParts, args: readonly string[], env?: Baseline['env']): Promise<string | undefined> {
  const { end, output } = await runGit(parts, args, env);
  return end.kind === 'ended' && end.exitCode === 0 ? output : undefined;
}
