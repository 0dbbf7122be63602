/**
 * Gives a program a file and real pipes as standard streams. Node's own streams are sockets, and programs fail on
 * them: `echo x >/dev/stderr` fails on a socket, and bash mistakes a socket on standard input for a remote login and
 * reads the user's start-up files.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, rmSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { PipeStock } from './pipe-stock.ts';

interface ProgramPipes {
  /** The program's ends, for `spawn`. */
  readonly stdio: ['ignore' | number, number, number];
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** What /proc shows for the streams, wherever they are open. */
  readonly names: readonly string[];
  /** Closes the program's ends in this process, once. A stream then ends when the last process that holds it ends. */
  release(): void;
}

/** Opens the streams. Standard input has a name in `folder` only until this returns. */
export async function openProgramPipes(
  stdin: string,
  { folder, stock }: { readonly folder: string; readonly stock: PipeStock },
): Promise<ProgramPipes> {
  const { out, err } = await stock.take(folder);
  const ends = [out.writing, err.writing];
  try {
    const input = stdin === '' ? undefined : openNamelessFile(stdin, folder);
    if (input !== undefined) ends.push(input);
    return {
      stdio: [input ?? 'ignore', out.writing, err.writing],
      stdout: new Socket({ fd: out.reading, readable: true, writable: false }),
      stderr: new Socket({ fd: err.reading, readable: true, writable: false }),
      names: [out.name, err.name],
      release() {
        for (const fd of ends) closeSync(fd);
      },
    };
  } catch (error) {
    for (const fd of [...ends, out.reading, err.reading]) closeSync(fd);
    throw error;
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
