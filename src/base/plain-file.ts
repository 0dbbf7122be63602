/**
 * Files that a program of a run may have put in their place: links that lead out of its container, pipes that nobody writes to. Opening such a pipe
 * in the usual way waits for its other end, on one of the four threads that everything to do with files goes through: four of them, and the server stands still.
 */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { findShortage } from './shortage.ts';

/** For reading; undefined where there is no such file, or something else than a plain one. A link at the end of the path is not followed. */
export async function openPlainFile(path: string): Promise<FileHandle | undefined> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const file = await open(path, flags).catch((error: unknown) => {
    // The file may well be there.
    if (findShortage(error) !== undefined) throw error;
    return undefined;
  });
  const info = await file?.stat().catch(() => undefined);
  if (info?.isFile() === true) return file;
  await file?.close();
  return undefined;
}

/** Its text; undefined where there is none, or more than `bytesMax` of it. */
export async function readPlainFile(path: string, bytesMax: number): Promise<string | undefined> {
  const file = await openPlainFile(path);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    if (size > bytesMax) return undefined;
    const bytes = Buffer.alloc(size);
    let end = 0;
    for (let read = 1; end < size && read > 0; end += read)
      read = (await file.read(bytes, end, size - end, end)).bytesRead;
    return new TextDecoder().decode(bytes.subarray(0, end));
  } finally {
    await file.close();
  }
}
