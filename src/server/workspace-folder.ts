import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { ConfigError } from './config-schema.ts';

/**
 * Refuses a folder for runs to work in that holds the data folder or lies in it: a run that cleans up its folder must not reach the database,
 * and what the server removes must not be anybody's work. Neither folder need exist. Throws ConfigError.
 */
export function refuseSharedFolder(workspace: string, dataDir: string): void {
  const [work, data] = [findRealPath(workspace), findRealPath(dataDir)];
  const remedy = 'give another folder with --data (setting `data`), outside of the workspace';
  if (isWithin(work, data))
    throw new ConfigError([`workspace: the data folder ${dataDir} lies in the workspace ${workspace}; ${remedy}`]);
  if (isWithin(data, work))
    throw new ConfigError([`workspace: ${workspace} lies in the data folder ${dataDir}; ${remedy}`]);
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
