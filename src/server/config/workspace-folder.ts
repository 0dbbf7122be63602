import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { ConfigError } from './config-schema.ts';

/**
 * Rejects a workspace that contains the data folder or is inside it. A run that cleans its folder must not delete the
 * database, and the server's cleanup must not delete anyone's work. Neither folder need exist. Throws ConfigError.
 */
export function refuseSharedFolder(workspace: string, dataDir: string): void {
  const [work, data] = [findRealPath(workspace), findRealPath(dataDir)];
  const remedy = 'choose a folder outside the workspace with --data (setting `data`)';
  if (isWithin(work, data))
    throw new ConfigError([`workspace: the data folder ${dataDir} is inside the workspace ${workspace}; ${remedy}`]);
  if (isWithin(data, work))
    throw new ConfigError([`workspace: ${workspace} is inside the data folder ${dataDir}; ${remedy}`]);
}

function isWithin(folder: string, path: string): boolean {
  return relative(folder, path).split(sep)[0] !== '..';
}

/** Resolves links as far as the path exists. */
function findRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (dirname(path) === path) throw error;
    return join(findRealPath(dirname(path)), basename(path));
  }
}
