import { createWriteStream } from 'node:fs';
import { chmod, lstat, mkdir, opendir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openPlainFile } from '../../base/plain-file.ts';
import { RunFailure } from '../run-failure.ts';

interface TreeCopy {
  readonly from: string;
  /** Made when it is not there; what is in it may be replaced. */
  readonly to: string;
  /** An absolute path that is left out: the copy must not hold itself. */
  readonly except: string;
  readonly signal: AbortSignal;
  /** Where there is a bound to what is copied. */
  readonly room?: CopyRoom | undefined;
}

/** What may still be copied; counted down. */
interface CopyRoom {
  entries: number;
  bytes: number;
  /** What is told where there is more. */
  readonly fault: string;
}

const skippedNames: readonly string[] = ['.git', 'node_modules'];

/** Copies a folder without .git and node_modules. Links stay links; sockets, pipes and devices are left out. Throws RunFailure where there is no room, or the signal's reason. */
export async function copyTree({ from, to, except, signal, room }: TreeCopy): Promise<void> {
  await mkdir(to, { recursive: true });
  for await (const entry of await opendir(from)) {
    signal.throwIfAborted();
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (skippedNames.includes(entry.name) || source === except) continue;
    take(room, { entries: 1 });
    if (entry.isDirectory()) await copyTree({ from: source, to: target, except, signal, room });
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (entry.isFile()) await copyPlain(source, target, { signal, room });
  }
}

/** What was a file when it was listed may be something else by now, where an agent works there. */
async function copyPlain(
  source: string,
  target: string,
  { signal, room }: Pick<TreeCopy, 'signal' | 'room'>,
): Promise<void> {
  const file = await openPlainFile(source);
  if (file === undefined) {
    const isFile = (await lstat(source).catch(() => undefined))?.isFile() ?? false;
    if (isFile) throw new Error(`${source} cannot be read`);
    return;
  }
  try {
    const { mode, size } = await file.stat();
    take(room, { bytes: size });
    // What is written to it meanwhile was not counted.
    const reading = file.createReadStream({ autoClose: false, start: 0, end: Math.max(size - 1, 0) });
    await pipeline(reading, createWriteStream(target), { signal });
    await chmod(target, mode & 0o7777);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    await file.close();
  }
}

function take(room: CopyRoom | undefined, { entries = 0, bytes = 0 }: Partial<Pick<CopyRoom, 'entries' | 'bytes'>>) {
  if (room === undefined) return;
  room.entries -= entries;
  room.bytes -= bytes;
  if (room.entries < 0 || room.bytes < 0) throw new RunFailure('environment_setup_failed', room.fault);
}
