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

/** What a run works in. */
interface Workspace {
  /** What the workspace holds, for people. */
  readonly contents: string;
  /** The folder of the run's skill, if it has one. */
  readonly skillDir: string | undefined;
}

/** What a workspace holds into which nothing was put. */
export const emptyFolder = 'an empty folder';

/**
 * Makes the workspace ready for a run. `held` says what it holds already, where something was put into it. Throws RunFailure, or the signal's
 * reason.
 */
export async function prepareWorkspace(
  parts: WorkspaceParts,
  skill: FoundSkill | undefined,
  held?: string,
): Promise<Workspace> {
  const contents = held ?? (parts.folder.hasOwnWorkspace ? undefined : await describeOwn(parts.folder.workspace));
  if (contents !== undefined) return await useFolder(parts, skill, contents);
  // Of a skill from GitHub there is its folder alone.
  if (skill?.checkout === undefined) return await useFolder(parts, skill, emptyFolder);
  const contentsOfClone = await fillWorkspace(parts, skill, skill.checkout);
  return { contents: contentsOfClone, skillDir: join(parts.folder.workspace, skill.folder) };
}

async function describeOwn(workspace: string): Promise<string> {
  // One that is not there is told of later.
  const { entries } = await readEntries(workspace, 1);
  return entries.length === 0 ? `${workspace}, which is empty` : workspace;
}

/** What is there is left as it is. A skill from elsewhere lies beside it, among the run's own files. */
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
 * Puts the skill's repository into the workspace: a clone of its checkout's last commit, or, where that is no git repository with a commit or
 * there is no git, a copy of its files. The skill's own folder is always as the checkout has it. No network, no hooks, no remote.
 * Returns what the workspace holds.
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
  // The folder of a skill at the top is the whole repository, of which the commit counts.
  await removeTree(skill.folder === '.' ? file : target);
  if (skill.folder === '.') await writeFile(file, skill.text, { flag: 'wx' });
  else await skill.copyTo(target, { except, signal });
  return `${skill.repository} at ${commit}, with ${skill.path} as in the checkout, where it is not committed`;
}

/** Whether a path, as far as it exists, lies in a folder and no link leads it out. */
async function isWithin(root: string, path: string): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return isWithin(root, dirname(path));
  const from = relative(await realpath(root), real);
  return from.split(sep)[0] !== '..';
}

/** Clones the checkout into the empty workspace; the commit, or undefined where a copy has to do. */
async function cloneCheckout(
  parts: WorkspaceParts,
  checkout: string,
  { repository }: FoundSkill,
): Promise<string | undefined> {
  const { folder } = parts;
  // A folder within a larger repository is not that repository.
  if ((await lstat(join(checkout, '.git')).catch(() => undefined)) === undefined) return undefined;
  // Objects are copied, not linked: what an agent does to its own must not reach the checkout.
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
