import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findProgram } from '../../../executor/program-file.ts';
import type { Command } from '../agents-folder.ts';

/**
 * The npm next to the Node that runs this, otherwise the one on the PATH. This Node runs it if it is JavaScript.
 * Undefined if there is none.
 */
export async function findNpm(searchPath: string): Promise<Command | undefined> {
  const folder = dirname(process.execPath);
  const places = [
    join(folder, 'npm'),
    join(folder, '../lib/node_modules/npm/bin/npm-cli.js'),
    join(folder, 'node_modules/npm/bin/npm-cli.js'),
    findProgram('npm', searchPath),
  ];
  for (const place of places) {
    const file = place === undefined ? undefined : await realpath(place).catch(() => undefined);
    if (file === undefined) continue;
    return file.endsWith('.js') ? [process.execPath, file] : [file];
  }
  return undefined;
}
