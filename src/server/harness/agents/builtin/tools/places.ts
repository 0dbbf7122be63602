/**
 * Where the file tools may work. This guides a well-meaning model. Any other model has the shell tool, which only the
 * server's containment restricts.
 */
import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { explainPath, ToolFault } from './tool-fault.ts';

/** Real paths of folders. */
export interface Places {
  readonly workspace: string;
  /** Readable in addition to the workspace. */
  readonly readable: readonly string[];
}

const linksMax = 40;

export async function createPlaces(workspace: string, readable: readonly string[]): Promise<Places> {
  const found = await Promise.all(readable.map(folder => realpath(folder).catch(() => undefined)));
  return { workspace: await realpath(workspace), readable: found.filter(folder => folder !== undefined) };
}

/**
 * The real path that a model means. Relative paths start at the workspace, and the file need not exist. Throws
 * ToolFault for a path that leads out, also through links.
 */
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

/** The path for people: relative if it is inside the workspace. */
export function namePlace({ workspace }: Places, real: string): string {
  return isWithin(workspace, real) ? relative(workspace, real) || '.' : real;
}

export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** `realpath` that also accepts missing files, and links to them. */
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
