import { randomUUID } from 'node:crypto';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf } from '../../base/cause.ts';
import { makeFolder } from '../../border/folders.ts';

export class ResultFileError extends Error {
  override readonly name = 'ResultFileError';
}

interface ResultFile {
  /** Absolute, or relative to the working directory. Missing parent folders are created. */
  readonly path: string;
  readonly text: string;
}

/** A reader sees either the whole file or the previous one. Throws ResultFileError with the remedy. */
export async function writeResultFile({ path, text }: ResultFile): Promise<void> {
  if (/[/\\]$/.test(path) || (await isFolder(path)))
    throw new ResultFileError(`\`result_file\`: ${JSON.stringify(path)} is a folder. Give the path of a file`);
  // In the same folder, because a rename cannot cross file systems.
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
    // A missing file is fine. Any other reason appears when the file is written.
    return false;
  }
}
