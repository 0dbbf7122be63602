import { lstat, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { lastLines } from '../../base/text.ts';
import { readPlainFile } from '../../border/files.ts';
import { readEntries, removeTree } from '../../border/folders.ts';
import { describeCause } from '../harness/ending-text.ts';
import { RunFailure } from '../run-failure.ts';
import { fileBytesMax } from '../skills/skill-search.ts';
import type { FoundSkill } from '../skills/skill-source.ts';
import { type GitParts, runGit } from '../workspace/run-git.ts';
import { copyTree } from '../workspace/tree-copy.ts';

export interface WorkspaceParts extends GitParts {
  readonly dataDir: string;
  readonly signal: AbortSignal;
}

interface Workspace {
  /** Description of the contents, for people. */
  readonly contents: string;
  readonly skillDir: string | undefined;
}

/** Description of an empty workspace. */
export const emptyFolder = 'an empty folder';

/**
 * Prepares the workspace of a run. `held` describes what it already contains. Throws RunFailure, or the signal's
 * reason.
 */
export async function prepareWorkspace(
  parts: WorkspaceParts,
  skill: FoundSkill | undefined,
  held?: string,
): Promise<Workspace> {
  const contents = held ?? (parts.folder.hasOwnWorkspace ? undefined : await describeOwn(parts.folder.workspace));
  if (contents !== undefined) return await useFolder(parts, skill, contents);
  // A skill from GitHub is its folder alone.
  if (skill?.checkout === undefined) return await useFolder(parts, skill, emptyFolder);
  const contentsOfClone = await fillWorkspace(parts, skill, skill.checkout);
  return { contents: contentsOfClone, skillDir: join(parts.folder.workspace, skill.folder) };
}

async function describeOwn(workspace: string): Promise<string> {
  // A missing folder is reported later.
  const { entries } = await readEntries(workspace, 1);
  return entries.length === 0 ? `${workspace}, which is empty` : workspace;
}

/** Leaves existing files as they are. A skill from elsewhere goes next to the workspace, among the run's own files. */
async function useFolder(
  { folder, dataDir, signal }: WorkspaceParts,
  skill: FoundSkill | undefined,
  contents: string,
): Promise<Workspace> {
  const { workspace, state } = folder;
  const info = await stat(workspace).catch(() => undefined);
  if (info?.isDirectory() !== true)
    throw new RunFailure('environment_setup_failed', `the workspace ${workspace} is no longer a folder`);
  if (skill === undefined) return { contents, skillDir: undefined };
  const from = skill.checkout === undefined ? undefined : join(skill.checkout, skill.folder);
  if (from !== undefined && (await isWithin(workspace, from))) return { contents, skillDir: from };
  const skillDir = join(state, 'skill');
  await skill.copyTo(skillDir, { except: await realpath(dataDir), signal });
  return { contents: `${contents}, with a copy of ${skill.origin} next to it`, skillDir };
}

/**
 * Puts the skill's repository into the workspace, without network, hooks or remote: a clone of the checkout's last
 * commit. Without git, or without a commit, it is a copy of the files. The skill's own folder always matches the
 * checkout. Returns a description of the contents.
 */
async function fillWorkspace(parts: WorkspaceParts, skill: FoundSkill, checkout: string): Promise<string> {
  const { folder, dataDir, signal } = parts;
  const commit = await cloneCheckout(parts, checkout, skill);
  const except = await realpath(dataDir);
  const copy = { from: checkout, to: folder.workspace, except, signal };
  if (commit === undefined) {
    await copyTree(copy);
    return `a copy of ${skill.repository}`;
  }
  const committed = await readPlainFile(join(folder.workspace, skill.path), fileBytesMax);
  if (committed === skill.text) return `${skill.repository} at ${commit}`;
  const [target, file] = [join(folder.workspace, skill.folder), join(folder.workspace, skill.path)];
  if (!(await isWithin(folder.workspace, file)))
    throw new RunFailure(
      'environment_setup_failed',
      `${skill.repository}: a link in its last commit leads ${skill.path} out of the repository`,
    );
  // If the skill is the whole repository, the commit counts.
  await removeTree(skill.folder === '.' ? file : target);
  if (skill.folder === '.') await writeFile(file, skill.text, { flag: 'wx' });
  else await skill.copyTo(target, { except, signal });
  return `${skill.repository} at ${commit}, with ${skill.path} as in the checkout, where it is not committed`;
}

/** Whether the existing part of a path is inside a folder, with no symlink leading out. */
async function isWithin(root: string, path: string): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return isWithin(root, dirname(path));
  const from = relative(await realpath(root), real);
  return from.split(sep)[0] !== '..';
}

/** Clones the checkout into the empty workspace. Returns the commit, or undefined if a copy is needed. */
async function cloneCheckout(
  parts: WorkspaceParts,
  checkout: string,
  { repository }: FoundSkill,
): Promise<string | undefined> {
  const { folder } = parts;
  // A folder within a larger repository is not that repository.
  if ((await lstat(join(checkout, '.git')).catch(() => undefined)) === undefined) return undefined;
  // Objects are copied, not linked, so an agent cannot damage those of the checkout.
  const cloned = await runGit(parts, ['clone', '--quiet', '--no-hardlinks', '--template=', '--', checkout, '.']);
  if (cloned.end.kind === 'not_started') return undefined;
  if (cloned.end.exitCode !== 0)
    throw new RunFailure(
      'environment_setup_failed',
      `${repository} could not be cloned from its checkout${describeCause(cloned.output, 'git')}`,
    );
  const head = await runGit(parts, ['rev-parse', '--short', '--verify', '--quiet', 'HEAD']);
  if (head.end.kind === 'ended' && head.end.exitCode === 0) {
    await runGit(parts, ['remote', 'remove', 'origin']);
    return lastLines(head.output, 1)[0];
  }
  await removeTree(join(folder.workspace, '.git'));
  return undefined;
}
