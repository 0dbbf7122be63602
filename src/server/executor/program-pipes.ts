/**
 * Gives a program a file and real pipes as standard streams. Node's own streams are sockets, and programs fail on
 * them: `echo x >/dev/stderr` fails on a socket, and bash mistakes a socket on standard input for a remote login and
 * reads the user's start-up files.
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
  /** Prefix of the path that both streams were opened with. It stays unique after the names are removed. */
  readonly name: string;
  /** Closes the program's ends in this process, once. A stream then ends when the last process that holds it ends. */
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
    // Non-blocking readers open first, so that the writers find them and do not block either.
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

/** Opens an unlinked file that holds `text`, positioned at its start. It has a name in `folder` for a moment. */
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
