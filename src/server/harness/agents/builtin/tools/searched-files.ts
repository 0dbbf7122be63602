import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { skippedFolders } from './list-tool.ts';

interface FoundFiles {
  /** Relative to the folder, sorted. */
  readonly files: readonly string[];
  readonly isCut: boolean;
}

const filesMax = 20_000;

/**
 * The files below a folder: with git, those that are not ignored; otherwise all outside .git and node_modules. Links
 * are not followed.
 */
export async function findFiles(folder: string, env: Readonly<Record<string, string>>): Promise<FoundFiles> {
  const files = (await askGit(folder, env)) ?? (await walk(folder));
  files.sort();
  return { files: files.slice(0, filesMax), isCut: files.length > filesMax };
}

async function askGit(cwd: string, env: Readonly<Record<string, string>>): Promise<string[] | undefined> {
  try {
    const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
    const { stdout } = await promisify(execFile)('git', args, {
      cwd,
      env,
      maxBuffer: 64 * 1024 * 1024,
      timeout: 20_000,
    });
    return [...new Set(stdout.split('\0').filter(name => name !== ''))];
  } catch {
    // Git is missing, or this is not a checkout.
    return undefined;
  }
}

async function walk(root: string): Promise<string[]> {
  const found: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined && found.length <= filesMax; folder = folders.pop()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isFile()) found.push(path);
      else if (entry.isDirectory() && !skippedFolders.includes(entry.name)) folders.push(path);
    }
  }
  return found;
}
