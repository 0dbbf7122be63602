import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { namePlace, type Places, resolvePlace } from './places.ts';
import { explainPath, ToolFault } from './tool-fault.ts';

export interface ListInput {
  readonly path?: string | undefined;
  readonly depth?: number | undefined;
}

const entriesMax = 1000;
/** Listed, but not searched. */
export const skippedFolders: readonly string[] = ['.git', 'node_modules'];

/** Lists a folder to the requested depth. Folders end with a slash. */
export async function listFolder(places: Places, { path = '.', depth = 1 }: ListInput): Promise<string> {
  const real = await resolvePlace(places, path, 'read');
  try {
    if (!(await stat(real)).isDirectory()) throw new ToolFault(`${path} is a file; use the read tool`);
    const found: string[] = [];
    await walk(real, '', depth, found);
    if (found.length === 0) return `${namePlace(places, real)} is empty`;
    const shown = found.slice(0, entriesMax).join('\n');
    return found.length <= entriesMax ? shown : `${shown}\n[there are more entries; list its folders one by one]`;
  } catch (error) {
    throw explainPath(error, path);
  }
}

async function walk(folder: string, prefix: string, depth: number, found: string[]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (found.length > entriesMax) return;
    const name = `${prefix}${entry.name}`;
    found.push(entry.isDirectory() ? `${name}/` : entry.isSymbolicLink() ? `${name} (link)` : name);
    if (!entry.isDirectory() || depth <= 1 || skippedFolders.includes(entry.name)) continue;
    await walk(join(folder, entry.name), `${name}/`, depth - 1, found).catch(() => {});
  }
}
