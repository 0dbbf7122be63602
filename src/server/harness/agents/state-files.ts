/**
 * The files of an agent program in its state folder. An earlier run of the conversation may have put links there, so
 * no file is written or removed through a link.
 */
import { symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isRealFolder, makeRealFolder, removeTree } from '../../../border/folders.ts';
import type { HarnessTask } from '../harness.ts';

interface StateFile {
  /** Below the state folder. */
  readonly path: string;
  readonly text: string;
}

/** They may contain keys and headers of MCP servers. */
export async function placeFiles(stateDir: string, files: readonly StateFile[]): Promise<void> {
  for (const { path, text } of files) {
    const file = join(stateDir, path);
    await makeRealFolder(stateDir, dirname(file));
    await removeTree(file);
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  }
}

/** Removes those that are still in place. Never throws, because the call is not awaited. */
export async function removeFiles(stateDir: string, files: readonly Pick<StateFile, 'path'>[]): Promise<void> {
  for (const { path } of files) {
    const file = join(stateDir, path);
    if (await isRealFolder(stateDir, dirname(file))) await removeTree(file).catch(() => {});
  }
}

export async function linkSkills(stateDir: string, path: string, skills: HarnessTask['skills']): Promise<void> {
  if (skills.length === 0) return;
  const folder = join(stateDir, path);
  await makeRealFolder(stateDir, folder);
  for (const skill of skills)
    await symlink(skill.folder, join(folder, basename(skill.folder))).catch((error: NodeJS.ErrnoException) => {
      // A continued conversation already has them. If two folders have one name, the first counts.
      if (error.code !== 'EEXIST') throw error;
    });
}
