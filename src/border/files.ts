/**
 * Reads files that an agent may have replaced with a link out of its container, or with a pipe without a writer. A
 * normal open of such a pipe blocks one of Node's four file system threads; four of them stop the server. folders.ts
 * does the same for folders. This project's own files, and files that a user names, are opened with `node:fs`
 * directly.
 */
import { closeSync, constants, createWriteStream, fstatSync, openSync, readSync } from 'node:fs';
import { chmod, type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { findShortage } from '../base/process/shortage.ts';

/** Windows has only O_RDONLY, and neither such pipes nor such links. */
const reading = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
const pieceBytes = 64 * 1024;

/** Opens for reading; undefined unless the path is a regular file. A link at the end of the path is not followed. */
export async function openPlainFile(path: string): Promise<FileHandle | undefined> {
  const file = await open(path, reading).catch((error: unknown) => {
    // The file may exist, but the process is short of resources.
    if (findShortage(error) !== undefined) throw error;
    return undefined;
  });
  const info = await file?.stat().catch(() => undefined);
  if (info?.isFile() === true) return file;
  await file?.close();
  return undefined;
}

/** The file's text; undefined if there is no regular file, or it has more than `bytesMax`. */
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

/** The path is not a regular file, or the file is too large. The message is for the person who named it. */
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

/** Throws like `openPlainFileSync`, and FileFault if the file has more than `bytesMax`. */
export function readPlainFileSync(path: string, bytesMax: number): Buffer {
  const file = openPlainFileSync(path);
  try {
    const pieces: Buffer[] = [];
    // Ignores the reported size, which is 0 for files of the kernel.
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
  /** Must not exist yet. */
  readonly to: string;
  readonly bytesMax: number;
  /** Whether the copy keeps its mode; otherwise only its owner can access it. @default false */
  readonly keepsMode?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Copies a regular file and returns its size; undefined if none can be read. Throws the signal's reason, and file
 * system errors of the copy.
 */
export async function copyPlainFile(
  from: string,
  { to, bytesMax, keepsMode = false, signal }: PlainCopy,
): Promise<number | 'too large' | undefined> {
  const source = await openPlainFile(from);
  if (source === undefined) return undefined;
  try {
    const { size, mode } = await source.stat();
    if (size > bytesMax) return 'too large';
    // Excludes data that was added after the size check.
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
