/**
 * Files where an agent could have put something else: a link that leads out of its container, a pipe that nobody writes to. Opening such a pipe
 * in the usual way waits for its other end, on one of the four threads that everything to do with files goes through: four of them, and the server
 * stands still. `folders.ts` is the same for folders. Files of our own, and those that a person names, are used with `node:fs` as they are.
 */
import { closeSync, constants, createWriteStream, fstatSync, openSync, readSync } from 'node:fs';
import { chmod, type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { findShortage } from '../base/process/shortage.ts';

/** Windows has only the first one, and neither such pipes nor such links. */
const reading = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
const pieceBytes = 64 * 1024;

/** For reading; undefined if there is no such file, or something other than a plain one. A link at the end of the path is not followed. */
export async function openPlainFile(path: string): Promise<FileHandle | undefined> {
  const file = await open(path, reading).catch((error: unknown) => {
    // The file may well be there.
    if (findShortage(error) !== undefined) throw error;
    return undefined;
  });
  const info = await file?.stat().catch(() => undefined);
  if (info?.isFile() === true) return file;
  await file?.close();
  return undefined;
}

/** Its text; undefined if there is none, or more than `bytesMax` of it. */
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

/** Something other than a plain file of a size that can be read. The message is for the person who named it. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
  readonly kind: 'folder' | 'special' | 'too large';

  constructor(kind: FileFault['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** A descriptor for reading. Throws FileFault or the file system's error, also for a link at the end of the path. */
export function openPlainFileSync(path: string): number {
  const file = openSync(path, reading);
  const info = fstatSync(file);
  if (info.isFile()) return file;
  closeSync(file);
  throw info.isDirectory()
    ? new FileFault('folder', 'it is a folder. Name a file')
    : new FileFault('special', 'it is a device or a pipe. Name a regular file');
}

/** Throws the same, and FileFault if there is more than `bytesMax` of it. */
export function readPlainFileSync(path: string, bytesMax: number): Buffer {
  const file = openPlainFileSync(path);
  try {
    const pieces: Buffer[] = [];
    // Not by its size, which files of the kernel do not know.
    for (let left = bytesMax; ; ) {
      const piece = Buffer.alloc(pieceBytes);
      const length = readSync(file, piece);
      if (length === 0) return Buffer.concat(pieces);
      left -= length;
      if (left < 0)
        throw new FileFault('too large', `it is larger than the limit of ${bytesMax.toLocaleString('en')} bytes`);
      pieces.push(piece.subarray(0, length));
    }
  } finally {
    closeSync(file);
  }
}

interface PlainCopy {
  /** Nothing may be there yet. */
  readonly to: string;
  readonly bytesMax: number;
  /** Otherwise the copy is for its owner alone. @default false */
  readonly keepsMode?: boolean;
  readonly signal?: AbortSignal;
}

/** Copies a plain file and returns its size; undefined if there is none that can be read. Throws the file system's errors about the copy, or the signal's reason. */
export async function copyPlainFile(
  from: string,
  { to, bytesMax, keepsMode = false, signal }: PlainCopy,
): Promise<number | 'too large' | undefined> {
  const source = await openPlainFile(from);
  if (source === undefined) return undefined;
  try {
    const { size, mode } = await source.stat();
    if (size > bytesMax) return 'too large';
    // What is written to it meanwhile was not counted.
    const chunks = source.createReadStream({ autoClose: false, start: 0, end: Math.max(size - 1, 0) });
    const target = createWriteStream(to, { flags: 'wx', mode: 0o600 });
    await pipeline(chunks, target, { signal });
    if (keepsMode) await chmod(to, mode & 0o7777);
    return target.bytesWritten;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    await source.close();
  }
}
