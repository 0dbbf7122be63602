/** Handles folders that an agent may have filled without limit, locked or replaced with links. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Dirent } from 'node:fs';
import { lstat, mkdir, opendir, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { findShortage } from '../base/process/shortage.ts';

/**
 * At most `max` entries of a folder, sorted by name. `isWhole` is true if these are all. A folder that cannot be read
 * has none. Of a larger folder, any `max` entries do.
 */
export async function readEntries(
  folder: string,
  max: number,
): Promise<{ readonly entries: readonly Dirent[]; readonly isWhole: boolean }> {
  const entries: Dirent[] = [];
  let isWhole = true;
  try {
    for await (const entry of await opendir(folder, { bufferSize: 128 })) {
      isWhole = entries.length < max;
      if (!isWhole) break;
      entries.push(entry);
    }
  } catch (error) {
    // Otherwise the folder is gone or cannot be read.
    if (findShortage(error) !== undefined) throw error;
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { entries, isWhole };
}

/**
 * Creates a folder and its missing parents. Node's own `recursive` option retries forever if a link leads to where
 * nothing can be created, such as /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  const info = await stat(path).catch(() => undefined);
  if (info?.isDirectory() === true) return;
  if (dirname(path) !== path) await makeFolder(dirname(path));
  await mkdir(path);
}

/**
 * Whether each part of `path` below `root` is a folder and not a link, so that operations stay inside. `root` itself
 * is trusted.
 */
export async function isRealFolder(root: string, path: string): Promise<boolean> {
  for (const folder of listFolders(root, path)) if (!(await isFolder(folder))) return false;
  return true;
}

/**
 * Creates those folders, accessible only to their owner. Removes other files in their place; of a link, the link
 * itself.
 */
export async function makeRealFolder(root: string, path: string): Promise<void> {
  for (const folder of listFolders(root, path)) {
    if (await isFolder(folder)) continue;
    await rm(folder, { force: true });
    await mkdir(folder, { mode: 0o700 });
  }
}

/**
 * Creates the missing folders of `path` below `root`, and `root` itself. Throws for a part that is a link or a file, so
 * that nothing is written outside.
 */
export async function makeFolderWithin(root: string, path: string): Promise<void> {
  await mkdir(root, { recursive: true });
  for (const folder of listFolders(root, path)) {
    await mkdir(folder).catch(() => {});
    if (!(await isFolder(folder))) throw new Error(`${folder} is not a folder`);
  }
}

function listFolders(root: string, path: string): readonly string[] {
  const parts = relative(root, path)
    .split(sep)
    .filter(part => part !== '');
  return parts.map((_, index) => join(root, ...parts.slice(0, index + 1)));
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}

/** A run without files has about ten. Removing these takes less time than starting a program that does it. */
const smallTree = { entries: 200, depth: 8 };

/**
 * Removes a file or folder in any condition: without permissions, nested deeper than a path can be, or with so many
 * files that Node would block for seconds (150,000). A child process removes what is not small and simple. Links are
 * not followed, if no process is working in the folder.
 */
export async function removeTree(path: string, searchPath = '/usr/bin:/bin'): Promise<void> {
  const info = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (info === undefined) return;
  if (!info.isDirectory()) return await rm(path, { force: true });
  // What it leaves, for any reason, is removed and reported below.
  if (await removeSmallTree(path, { ...smallTree }).catch(() => false)) return;
  const remove = async () => {
    await run('rm', ['-rf', '--', path], searchPath).catch(async (error: NodeJS.ErrnoException) => {
      // Some systems keep their programs elsewhere.
      if (error.code !== 'ENOENT') throw error;
      await rm(path, { recursive: true, force: true });
    });
  };
  try {
    await remove();
  } catch {
    await run('chmod', ['-R', 'u+rwx', '--', path], searchPath).catch(() => {});
    await remove();
  }
}

/** False, with a part of it removed, if it has more entries. Throws if something in it cannot be removed. */
async function removeSmallTree(folder: string, room: { entries: number; readonly depth: number }): Promise<boolean> {
  const { entries, isWhole } = await readEntries(folder, room.entries);
  room.entries -= entries.length;
  if (!isWhole || room.depth === 0) return false;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) await unlink(path);
    else {
      const below = { entries: room.entries, depth: room.depth - 1 };
      if (!(await removeSmallTree(path, below))) return false;
      room.entries = below.entries;
    }
  }
  await rmdir(folder);
  return true;
}

const complaintUnits = 1000;

/**
 * Rejects with the start of the program's error output. `rm` prints the whole path of every file that it cannot remove.
 */
async function run(program: string, args: readonly string[], searchPath: string): Promise<void> {
  const child = spawn(program, args, { env: { PATH: searchPath }, stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  // Node creates no streams if the process is out of file descriptors.
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    if (complaint.length < complaintUnits) complaint = (complaint + chunk).slice(0, complaintUnits);
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(complaint.trim() || `${program} failed with exit code ${code}`);
}
