/**
 * The standard streams of a program as a file and real pipes. Node's own are sockets, which programs stumble over: `echo x >/dev/stderr`
 * fails on one, and bash takes one on standard input for a remote login and reads the user's start-up files.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, rmSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';

interface ProgramPipes {
  /** The program's ends, for `spawn`. */
  readonly stdio: ['ignore' | number, number, number];
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** What both streams were opened as begins so, also now that the name is gone; nothing else ever does. */
  readonly name: string;
  /** Closes the program's ends on this side, once: what ends a stream then is the last process that has it. */
  release(): void;
}

/** Opens the streams. They have names in `folder` only until this returns. */
export async function openProgramPipes(stdin: string, folder: string): Promise<ProgramPipes> {
  const name = join(folder, `.stream-${randomUUID()}`);
  const [outPath, errPath] = [`${name}-out`, `${name}-err`];
  const opened: number[] = [];
  const open = (path: string, flags: number) => {
    const fd = openSync(path, flags, 0o600);
    opened.push(fd);
    return fd;
  };
  try {
    await promisify(execFile)('mkfifo', ['-m', '600', outPath, errPath], { env: { PATH: '/usr/bin:/bin' } });
    // Readers that do not wait for a writer come first, so that the writers find them and do not wait either.
    const out = open(outPath, constants.O_RDONLY | constants.O_NONBLOCK);
    const err = open(errPath, constants.O_RDONLY | constants.O_NONBLOCK);
    const ends = [open(outPath, constants.O_WRONLY), open(errPath, constants.O_WRONLY)] as const;
    const input = stdin === '' ? undefined : openNamelessFile(stdin, folder);
    if (input !== undefined) opened.push(input);
    return {
      stdio: [input ?? 'ignore', ...ends],
      stdout: new Socket({ fd: out, readable: true, writable: false }),
      stderr: new Socket({ fd: err, readable: true, writable: false }),
      name: basename(name),
      release() {
        for (const fd of [input, ...ends]) if (fd !== undefined) closeSync(fd);
      },
    };
  } catch (error) {
    for (const fd of opened) closeSync(fd);
    throw error;
  } finally {
    for (const path of [outPath, errPath]) rmSync(path, { force: true });
  }
}

/** A file without a name that holds `text`, to be read from its start. The name that it has for a moment is in `folder`. */
export function openNamelessFile(text: string, folder: string): number {
  const path = join(folder, `.stream-${randomUUID()}-in`);
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    rmSync(path);
    const bytes = Buffer.from(text);
    // Writing at a position leaves the file's own position at 0, where the program begins to read.
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, at);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
