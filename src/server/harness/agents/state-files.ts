/**
 * What an agent program finds in its state folder. An earlier run of the conversation may have put links there: no file is written, or removed,
 * through one.
 */
import { lstat, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isRealFolder } from '../../../base/real-folder.ts';
import { removeTree } from '../../../base/remove-tree.ts';
import type { HarnessTask } from '../harness.ts';

interface StateFile {
  /** Below the state folder. */
  readonly path: string;
  readonly text: string;
}

/** They may hold keys and headers of MCP servers. */
export async function placeFiles(stateDir: string, files: readonly StateFile[]): Promise<void> {
  for (const { path, text } of files) {
    const file = join(stateDir, path);
    await makeRealFolder(stateDir, dirname(path));
    await removeTree(file);
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  }
}

/** Those that are still in their place. Never throws: nobody waits for it. */
export async function removeFiles(stateDir: string, files: readonly Pick<StateFile, 'path'>[]): Promise<void> {
  for (const { path } of files) {
    const file = join(stateDir, path);
    if (await isRealFolder(stateDir, dirname(file))) await removeTree(file).catch(() => {});
  }
}

export async function linkSkills(stateDir: string, path: string, skills: HarnessTask['skills']): Promise<void> {
  if (skills.length === 0) return;
  await makeRealFolder(stateDir, path);
  const folder = join(stateDir, path);
  for (const skill of skills)
    await symlink(skill.folder, join(folder, basename(skill.folder))).catch((error: NodeJS.ErrnoException) => {
      // A conversation that goes on has them already; of two folders of one name the first counts.
      if (error.code !== 'EEXIST') throw error;
    });
}

/** Makes folders below one, and takes away what only leads to a folder: an agent in a container must not reach out of it by us. */
async function makeRealFolder(root: string, path: string): Promise<void> {
  let folder = root;
  for (const part of path.split('/').filter(each => each !== '.')) {
    folder = join(folder, part);
    const info = await lstat(folder).catch(() => undefined);
    if (info?.isDirectory() === true) continue;
    await rm(folder, { force: true });
    await mkdir(folder, { mode: 0o700 });
  }
}
