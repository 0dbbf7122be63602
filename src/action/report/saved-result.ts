import { randomUUID } from 'node:crypto';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf } from '../../base/cause.ts';
import { makeFolder } from '../../border/folders.ts';

/** The file of the result cannot be written. */
export class ResultFileError extends Error {
  override readonly name = 'ResultFileError';
}

interface ResultFile {
  /** Absolute, or relative to the working folder. Folders on the way are made. */
  readonly path: string;
  readonly text: string;
}

/** Writes the whole result as UTF-8, so that a reader finds all of it or what was there before. Throws ResultFileError, with what to do. */
export async function writeResultFile({ path, text }: ResultFile): Promise<void> {
  if (/[/\\]$/.test(path) || (await isFolder(path)))
    throw new ResultFileError(`\`result_file\`: ${JSON.stringify(path)} is a folder. Give the path of a file`);
  // Beside the file, for a rename works within one file system only.
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await makeFolder(dirname(path));
    await writeFile(draft, text, { flag: 'wx' });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    const why = messageOf(error);
    throw new ResultFileError(
      `\`result_file\`: ${JSON.stringify(path)} cannot be written (${why}). Give a path that this step can write to`,
      { cause: error },
    );
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // That it is not there is no matter, and any other reason comes up when it is written.
    return false;
  }
}
