import { execFile } from 'node:child_process';
import { lstat, rm } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Removes a file or folder whatever a program did to it: folders without permissions, nested deeper than a path can be long, or with more files
 * than Node can remove without standing still (150,000 of them hold it up for seconds), so that a program does it. Links are not followed.
 */
export async function removeTree(path: string, searchPath = '/usr/bin:/bin'): Promise<void> {
  const info = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (info === undefined) return;
  if (!info.isDirectory()) return await rm(path, { force: true });
  const run = promisify(execFile);
  // A sentence for each of many files is no reason to stop, nor to be repeated.
  const options = { env: { PATH: searchPath }, maxBuffer: Number.POSITIVE_INFINITY };
  const remove = async () => {
    await run('rm', ['-rf', '--', path], options).catch(async (error: NodeJS.ErrnoException) => {
      // Some systems keep their programs elsewhere.
      if (error.code === 'ENOENT') return await rm(path, { recursive: true, force: true });
      throw new Error(error.message.slice(0, 1000), { cause: error });
    });
  };
  try {
    await remove();
  } catch {
    await run('chmod', ['-R', 'u+rwx', '--', path], options).catch(() => {});
    await remove();
  }
}
