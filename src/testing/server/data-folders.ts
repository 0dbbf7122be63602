/**
 * The data folders of test servers. A program that exits without stopping its servers leaves none behind, unless a
 * signal kills it.
 */
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = new Set<string>();

export async function createDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-run-testing-'));
  // One listener for all, because Node warns about many.
  if (folders.size === 0) process.on('exit', removeAll);
  folders.add(folder);
  return folder;
}

export async function removeDataFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  folders.delete(folder);
  if (folders.size === 0) process.off('exit', removeAll);
}

function removeAll(): void {
  for (const folder of folders) {
    try {
      // A run may still be writing files.
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // The program is exiting, so nobody can be told.
    }
  }
}
