import { lstat, mkdir, opendir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { copyPlainFile } from '../../border/files.ts';
import { RunFailure } from '../run-failure.ts';

interface TreeCopy {
  readonly from: string;
  /** Created if missing. Existing files are not replaced. */
  readonly to: string;
  /** An absolute path to leave out, so that the copy does not contain itself. */
  readonly except: string;
  readonly signal: AbortSignal;
  /** Undefined: no limit. */
  readonly room?: CopyRoom | undefined;
}

/** What may still be copied; counted down. */
interface CopyRoom {
  entries: number;
  bytes: number;
  /** The message if there is more. */
  readonly fault: string;
}

export const skippedFolders: readonly string[] = ['.git', 'node_modules'];

/**
 * Copies a folder without .git and node_modules. Symlinks stay symlinks; sockets, pipes and devices are left out.
 * Throws RunFailure when out of room, or the signal's reason.
 */
export async function copyTree({ from, to, except, signal, room }: TreeCopy): Promise<void> {
  await mkdir(to, { recursive: true });
  for await (const entry of await opendir(from)) {
    signal.throwIfAborted();
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (skippedFolders.includes(entry.name) || source === except) continue;
    take(room, { entries: 1 });
    if (entry.isDirectory()) await copyTree({ from: source, to: target, except, signal, room });
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (entry.isFile()) await copyPlain(source, target, { signal, room });
  }
}

/** If an agent works there, a listed file may have been replaced meanwhile. */
async function copyPlain(
  source: string,
  target: string,
  { signal, room }: Pick<TreeCopy, 'signal' | 'room'>,
): Promise<void> {
  const bytesMax = room?.bytes ?? Number.POSITIVE_INFINITY;
  const bytes = await copyPlainFile(source, { to: target, bytesMax, keepsMode: true, signal });
  if (bytes !== undefined) take(room, { bytes: bytes === 'too large' ? bytesMax + 1 : bytes });
  else if ((await lstat(source).catch(() => undefined))?.isFile() === true) throw new Error(`${source} cannot be read`);
}

function take(room: CopyRoom | undefined, { entries = 0, bytes = 0 }: Partial<Pick<CopyRoom, 'entries' | 'bytes'>>) {
  if (room === undefined) return;
  room.entries -= entries;
  room.bytes -= bytes;
  if (room.entries < 0 || room.bytes < 0) throw new RunFailure('environment_setup_failed', room.fault);
}
