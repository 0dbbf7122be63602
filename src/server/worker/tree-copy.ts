import { createWriteStream } from 'node:fs';
import { chmod, lstat, mkdir, opendir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openPlainFile } from '../../base/plain-file.ts';

interface TreeCopy {
  readonly from: string;
  /** Made when it is not there; what is in it may be replaced. */
  readonly to: string;
  /** An absolute path that is left out: the copy must not hold itself. */
  readonly except: string;
  readonly signal: AbortSignal;
}

const skippedNames: readonly string[] = ['.git', 'node_modules'];

/** Copies a folder without .git and node_modules. Links stay links; sockets, pipes and devices are left out. */
export async function copyTree({ from, to, except, signal }: TreeCopy): Promise<void> {
  await mkdir(to, { recursive: true });
  for await (const entry of await opendir(from)) {
    signal.throwIfAborted();
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (skippedNames.includes(entry.name) || source === except) continue;
    if (entry.isDirectory()) await copyTree({ from: source, to: target, except, signal });
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (entry.isFile()) await copyPlain(source, target);
  }
}

/** What was a file when it was listed may be something else by now, where an agent works there. */
async function copyPlain(source: string, target: string): Promise<void> {
  const file = await openPlainFile(source);
  if (file === undefined) {
    const isFile = (await lstat(source).catch(() => undefined))?.isFile() ?? false;
    if (isFile) throw new Error(`${source} cannot be read`);
    return;
  }
  try {
    const { mode } = await file.stat();
    await pipeline(file.createReadStream({ autoClose: false }), createWriteStream(target));
    await chmod(target, mode & 0o7777);
  } finally {
    await file.close();
  }
}
