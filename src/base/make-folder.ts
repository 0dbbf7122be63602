import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and what is missing above it. Not with Node's own `recursive`: where nothing can be made, as in /proc, it tries without end.
 * Throws the errors of the file system.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const parent = dirname(path);
    if (!isMissing(error) || parent === path) return await expectFolder(path, error);
    await makeFolder(parent);
    await mkdir(path).catch((again: unknown) => expectFolder(path, again));
  }
}

/** Systems say different things of a folder that is there already. */
async function expectFolder(path: string, error: unknown): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) throw error;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
