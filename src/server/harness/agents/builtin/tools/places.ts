/**
 * Where the tools for files may go. It keeps a model in its place that means well; one that does not has the shell tool, and what holds that back is the
 * server's containment.
 */
import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { explainPath, ToolFault } from './tool-fault.ts';

/** Real paths of folders. */
export interface Places {
  readonly workspace: string;
  /** May be read beside the workspace. */
  readonly readable: readonly string[];
}

const linksMax = 40;

export async function createPlaces(workspace: string, readable: readonly string[]): Promise<Places> {
  const found = await Promise.all(readable.map(folder => realpath(folder).catch(() => undefined)));
  return { workspace: await realpath(workspace), readable: found.filter(folder => folder !== undefined) };
}

/** The real path that a model means, relative to the workspace where it is not absolute; it need not be there. Throws ToolFault for one that leads out, also by links. */
export async function resolvePlace(
  { workspace, readable }: Places,
  path: string,
  use: 'read' | 'write',
): Promise<string> {
  if (path.includes('\0')) throw new ToolFault('a path must not contain NUL');
  let real: string;
  try {
    real = await followLinks(resolve(workspace, path));
  } catch (error) {
    throw explainPath(error, path);
  }
  const allowed = use === 'read' ? [workspace, ...readable] : [workspace];
  if (allowed.some(folder => isWithin(folder, real))) return real;
  const isReadable = readable.some(folder => isWithin(folder, real));
  throw new ToolFault(
    isReadable
      ? `${path} is read-only; files can be written only inside the workspace ${workspace}`
      : `${path} is outside the workspace ${workspace}; this tool works only inside it`,
  );
}

/** As people name a path: relative where it is in the workspace. */
export function namePlace({ workspace }: Places, real: string): string {
  return isWithin(workspace, real) ? relative(workspace, real) || '.' : real;
}

export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** `realpath`, also of what is not there, and of a link to it. */
async function followLinks(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  if (dirname(path) === path) return path;
  const parent = await followLinks(dirname(path), links);
  const place = join(parent, basename(path));
  const link = await lstat(place).then(
    stats => stats.isSymbolicLink(),
    () => false,
  );
  if (!link) return place;
  if (links >= linksMax) throw new ToolFault(`${path} is a symlink loop`);
  return await followLinks(resolve(parent, await readlink(place)), links + 1);
}
