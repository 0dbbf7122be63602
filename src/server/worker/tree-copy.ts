import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';

interface TreeCopy {
  readonly from: string;
  /** Made when it is not there; what is in it may be replaced. */
  readonly to: string;
  /** An absolute path that is left out: the copy must not hold itself. */
  readonly except: string;
  readonly signal: AbortSignal;
}

const skippedNames: readonly string[] = ['.git', 'node_modules'];

/** Copies a folder without .git and node_modules. Links stay links; sockets, pipes and devices are left out. */
export async function copyTree({ from, to, except, signal }: TreeCopy): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    signal.throwIfAborted();
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (skippedNames.includes(entry.name) || source === except) continue;
    if (entry.isDirectory()) await copyTree({ from: source, to: target, except, signal });
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (entry.isFile()) await copyFile(source, target, constants.COPYFILE_FICLONE);
  }
}
