import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { explainFolder } from '../../base/process/folder-fault.ts';

/** Finds or makes the data folder, private to its owner. Throws with a sentence if it is not a writable folder. */
export function openDataFolder(folder: string): void {
  try {
    makeFolders(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(
      `the data folder ${folder} cannot be used: ${explainFolder(error)}; choose another folder with --data`,
      {
        cause: error,
      },
    );
  }
  closeToOthers(folder);
}

/** The folder contains prompts, results and links, and the modes of its files do not restrict readers. */
function closeToOthers(folder: string): void {
  const { mode } = statSync(folder);
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  if ((mode & 0o1000) !== 0)
    throw new Error(
      `the data folder ${folder} is shared by all users of this machine; choose another with --data, or run chmod 700 ${folder} if it is only for the server`,
    );
  try {
    chmodSync(folder, 0o700);
  } catch (error) {
    throw new Error(`other users of this machine can open the data folder ${folder}; run chmod 700 ${folder}`, {
      cause: error,
    });
  }
}

/** Makes one level at a time. Node's `recursive` never returns in a folder that accepts no entries, such as /proc. */
function makeFolders(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found !== undefined) throw new Error(`${folder} is a file`);
  makeFolders(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}
