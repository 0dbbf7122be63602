import { randomUUID } from 'node:crypto';
import { lstat, mkdir, mkdtemp, readdir, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeRealFolder, readEntries, removeTree } from '../../border/folders.ts';

/**
 * The folders that a run works in, all with mode 700. All runs of a conversation use the same ones, one after
 * another, because agents look up sessions by their working folder.
 */
export interface RunFolder {
  readonly root: string;
  readonly workspace: string;
  /** False if the workspace is the configured one, which is neither made nor removed. */
  readonly hasOwnWorkspace: boolean;
  /** For the harness's own files. */
  readonly state: string;
  readonly home: string;
  readonly temporary: string;
  /** Files that the program leaves here become the run's artifacts. */
  readonly artifacts: string;
  /** The program writes the run's result here. It has a folder of its own, which a container can mount. */
  readonly resultFile: string;
  /** The program writes a question here, and the run waits for the answer. In the folder of the result. */
  readonly questionFile: string;
  /** Exists while the conversation may continue. How long that is, the store knows. */
  readonly conversationFile: string;
}

const runsFolder = 'runs';
const temporaryParent = 'passing';
/** Longer than any work in a temporary folder. */
const temporaryMs = 10 * 60_000;

/** Makes new folders, and removes existing ones. */
export async function createRunFolder(folder: RunFolder): Promise<void> {
  const { root, workspace, hasOwnWorkspace, state, home, temporary, artifacts, resultFile } = folder;
  await removeTree(root);
  await mkdir(root, { recursive: true, mode: 0o700 });
  const paths = [state, home, temporary, artifacts, dirname(resultFile), ...(hasOwnWorkspace ? [workspace] : [])];
  await Promise.all(paths.map(path => mkdir(path, { mode: 0o700 })));
}

/**
 * Prepares the folders of a conversation for its next run, or for the next part of a run that was BLOCKED, which
 * keeps the artifacts of the part before. False if the conversation is gone.
 */
export async function reopenRunFolder(
  folder: RunFolder,
  { keepsArtifacts }: { readonly keepsArtifacts: boolean },
): Promise<boolean> {
  if (!(await isKept(folder))) return false;
  const { root, state, home, temporary, artifacts, resultFile } = folder;
  const temporaryFolders = [temporary, dirname(resultFile), join(root, 'skills'), join(state, 'skill')];
  for (const path of keepsArtifacts ? temporaryFolders : [...temporaryFolders, artifacts]) await removeTree(path);
  // `changes` keeps the git state that the workspace is compared with.
  for (const path of [join(state, 'changes'), home, temporary, artifacts, dirname(resultFile)])
    await makeRealFolder(root, path);
  return true;
}

/** Whether the folders allow the conversation to continue. */
export async function isKept({ root, state, workspace, conversationFile }: RunFolder): Promise<boolean> {
  const info = await Promise.all([root, state, workspace].map(path => lstat(path).catch(() => undefined)));
  const isMarked = (await lstat(conversationFile).catch(() => undefined))?.isFile() ?? false;
  return isMarked && info.every(found => found?.isDirectory() === true);
}

/** From now on the folder belongs to a conversation and is not removed with the run. */
export async function markAsConversation({ conversationFile }: RunFolder): Promise<void> {
  await writeFile(conversationFile, '', { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** `name` is the conversation's id, `workspace` the configured folder. */
export function locateRunFolder(dataDir: string, name: string, workspace?: string): RunFolder {
  const root = join(dataDir, runsFolder, name);
  return {
    root,
    workspace: workspace ?? join(root, 'workspace'),
    hasOwnWorkspace: workspace === undefined,
    state: join(root, 'state'),
    home: join(root, 'home'),
    temporary: join(root, 'tmp'),
    artifacts: join(root, 'artifacts'),
    resultFile: join(root, 'result', 'result.md'),
    questionFile: join(root, 'result', 'question.md'),
    conversationFile: join(root, 'conversation'),
  };
}

/**
 * Gives git folders to work in outside a run: in the data folder of a server, or in the system's temporary folder.
 * They are removed afterwards. After a crash of the server, removeStaleFolders removes them.
 */
export async function inPassingFolder<T>(work: (folder: RunFolder) => Promise<T>, dataDir?: string): Promise<T> {
  const parent = dataDir === undefined ? tmpdir() : join(dataDir, temporaryParent);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const place = await mkdtemp(join(parent, 'agent-run-git-'));
  try {
    const folder = locateRunFolder(place, 'none');
    await createRunFolder(folder);
    return await work(folder);
  } finally {
    await removeTree(place);
  }
}

/** Copies of skills that an agent reads when it needs them. */
export function placedSkillsFolder({ root }: Pick<RunFolder, 'root'>): string {
  return join(root, 'skills');
}

/** Removes the temporary parts of a run that is over. */
export async function tidyRunFolder(
  folder: RunFolder,
  { keeps }: { readonly keeps: 'conversation' | 'workspace' | 'nothing' },
): Promise<void> {
  if (keeps === 'conversation') await keepConversation(folder);
  else if (keeps === 'workspace' && folder.hasOwnWorkspace) await keepWorkspace(folder);
  else await removeTree(folder.root);
}

/** An agent can leave any number of files. */
const entriesAtOnce = 1000;

/**
 * Removes everything of a run except its workspace. If a program replaced the folder with a symlink, only the symlink
 * is removed.
 */
async function keepWorkspace({ root, workspace }: RunFolder): Promise<void> {
  const isFolder = (await lstat(root).catch(() => undefined))?.isDirectory() ?? false;
  if (!isFolder) return await removeTree(root);
  for (let isWhole = false; !isWhole; ) {
    const found = await readEntries(root, entriesAtOnce);
    isWhole = found.isWhole;
    for (const { name } of found.entries) if (join(root, name) !== workspace) await removeTree(join(root, name));
  }
}

/** Removes files that no later run needs. */
async function keepConversation({ root, temporary, artifacts, resultFile }: RunFolder): Promise<void> {
  const isFolder = (await lstat(root).catch(() => undefined))?.isDirectory() ?? false;
  // The agent may have replaced it with a link to another folder.
  if (!isFolder) return await removeTree(root);
  // The whole folder of the result, because the agent may have replaced the file with something else.
  const paths = [temporary, artifacts, dirname(resultFile), join(root, 'publish')];
  // Removing a deep tree takes minutes, and the next run of the conversation may start before that.
  const aside = paths.map(path => ({ path, to: `${path}.${randomUUID()}` }));
  for (const { path, to } of aside) await rename(path, to).catch(() => {});
  for (const { path, to } of aside)
    await removeTree((await lstat(to).catch(() => undefined)) === undefined ? path : to);
}

/**
 * Removes the folders of runs that ended longer ago than `keepMs`, except active ones, and leftovers of a killed
 * server. Returns how many. A folder that cannot be removed, such as one with files of another user, is reported and
 * does not stop the others.
 */
export async function removeStaleFolders({
  dataDir,
  keepMs,
  now,
  isInHand = () => false,
  readEnd,
  onFailure,
}: {
  readonly dataDir: string;
  readonly keepMs: number;
  readonly now: number;
  readonly isInHand?: (name: string) => boolean;
  /**
   * When the last run of a conversation ended and how long the conversation is kept. Undefined while a run is active.
   * Without this function conversations are left alone, because only the store knows their state.
   */
  readonly readEnd?: (name: string) => Promise<{ readonly endedAt: number; readonly keepMs: number } | undefined>;
  readonly onFailure: (name: string, error: unknown) => void;
}): Promise<number> {
  let removed = 0;
  for (const name of await readdir(join(dataDir, temporaryParent)).catch(() => [])) {
    const path = join(dataDir, temporaryParent, name);
    try {
      if (now - (await lstat(path)).ctimeMs >= temporaryMs) await removeTree(path);
    } catch (error) {
      onFailure(name, error);
    }
  }
  for (const name of await readdir(join(dataDir, runsFolder)).catch(() => [])) {
    if (isInHand(name)) continue;
    const folder = locateRunFolder(dataDir, name);
    try {
      // The only time of a folder that a program cannot set.
      let { ctimeMs: endedAt } = await lstat(folder.root);
      if ((await lstat(folder.conversationFile).catch(() => undefined)) !== undefined) {
        const end = await readEnd?.(name);
        if (end === undefined || now - end.endedAt < end.keepMs) continue;
        endedAt = end.endedAt;
      }
      if (keepMs > 0 && now - endedAt < keepMs) await keepWorkspace(folder);
      else {
        await removeTree(folder.root);
        removed += 1;
      }
    } catch (error) {
      onFailure(name, error);
    }
  }
  return removed;
}

/** Removes folders that belong to no run: an agent can move and copy its own. Returns how many. */
export async function removeUnknownFolders({
  dataDir,
  isKnown,
  onFailure,
}: {
  readonly dataDir: string;
  readonly isKnown: (name: string) => Promise<boolean>;
  readonly onFailure: (name: string, error: unknown) => void;
}): Promise<number> {
  const root = join(dataDir, runsFolder);
  let removed = 0;
  for (const name of await readdir(root).catch(() => [])) {
    if (await isKnown(name)) continue;
    try {
      await removeTree(join(root, name));
      removed += 1;
    } catch (error) {
      onFailure(name, error);
    }
  }
  return removed;
}
