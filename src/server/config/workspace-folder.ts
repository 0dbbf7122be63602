import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { ConfigError } from './config-schema.ts';

/**
 * Refuses a folder for runs to work in that holds the data folder or lies in it: a run that cleans up its folder must not reach the database,
 * and what the server removes must not be anybody's work. Neither folder need exist. Throws ConfigError.
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

/** A path without links, as far as it exists. */
function findRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (dirname(path) === path) throw error;
    return join(findRealPath(dirname(path)), basename(path));
  }
}
