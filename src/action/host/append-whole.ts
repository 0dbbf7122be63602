import { fstatSync, ftruncateSync, truncateSync, writeSync } from 'node:fs';

/**
 * Adds all of it to the file, or nothing: of a pair that a full disk cut in half the open delimiter would swallow what is written next, and fail the step.
 * `fd` is open to append. Throws what the file system says.
 */
export function appendWhole(fd: number, path: string, bytes: Uint8Array): void {
  const before = fstatSync(fd);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
  } catch (error) {
    // A pipe or a device keeps what it was given.
    if (before.isFile()) cutTo(before.size, fd, path);
    throw error;
  }
}

function cutTo(size: number, fd: number, path: string): void {
  try {
    // What is open to append on Windows has no right to make the file shorter.
    if (process.platform === 'win32') truncateSync(path, size);
    else ftruncateSync(fd, size);
  } catch {
    // That it could not be written is what is told.
  }
}
