import { lstat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** Whether each folder from `root` down to `path` is one, and no link to another: then what is done below it stays there. `root` itself is trusted. */
export async function isRealFolder(root: string, path: string): Promise<boolean> {
  let folder = root;
  for (const part of relative(root, path)
    .split(sep)
    .filter(each => each !== '')) {
    folder = join(folder, part);
    if ((await lstat(folder).catch(() => undefined))?.isDirectory() !== true) return false;
  }
  return true;
}
