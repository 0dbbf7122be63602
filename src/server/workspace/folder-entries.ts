import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { findShortage } from '../../base/shortage.ts';

/** Folders that no search enters. */
export const skippedFolders: readonly string[] = ['.git', 'node_modules'];

/**
 * What is in a folder, by name, and no more than `max` of it: a program can make as many files as it likes, and all of them at once hold the server
 * up. `isWhole` says whether that is all; of a folder that cannot be read it is none. In a larger one it is no matter which come first.
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
    if (findShortage(error) !== undefined) throw error;
    // It is gone, or nobody's to read.
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { entries, isWhole };
}
