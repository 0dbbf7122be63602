import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { readEntries } from '../../border/folders.ts';
import { skippedFolders } from '../workspace/tree-copy.ts';

/** `path` of actions/checkout is seldom deeper. */
const depthMax = 3;
const foldersMax = 2000;

/**
 * Repositories in a workspace, as relative folders: `.` alone if the workspace is one itself, otherwise those below
 * it, as actions/checkout makes them with `path`.
 */
export async function findRepositories(workspace: string): Promise<readonly string[]> {
  const found: string[] = [];
  let level = ['.'];
  let looked = 0;
  for (let depth = 0; depth <= depthMax; depth += 1) {
    const next: string[] = [];
    for (const folder of level) {
      if (++looked > foldersMax) return found;
      if ((await lstat(join(workspace, folder, '.git')).catch(() => undefined)) !== undefined) {
        found.push(folder);
        continue;
      }
      const { entries } = await readEntries(join(workspace, folder), foldersMax);
      for (const entry of entries)
        if (entry.isDirectory() && !skippedFolders.includes(entry.name)) next.push(join(folder, entry.name));
    }
    level = next;
  }
  return found;
}
