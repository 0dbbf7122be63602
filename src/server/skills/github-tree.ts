/**
 * One commit of a repository on a host, without history and without a working tree, so nothing in it is executed,
 * converted or linked. The file names are fetched first, then the contents of the requested files, all at once.
 */

import { type HostParts, runHostGit } from '../workspace/git-host.ts';
import { checkGit, GitFault, listGit, runGit } from '../workspace/run-git.ts';
import { skippedFolders } from '../workspace/tree-copy.ts';
import { GitHubFault, readHostFault } from './github-fault.ts';
import { depthMax } from './skill-search.ts';

/** An empty folder, which becomes a bare repository. */
export interface TreeParts extends HostParts {
  readonly url: string;
}

export interface TreeFile {
  readonly path: string;
  readonly id: string;
  readonly isExecutable: boolean;
}

export interface FetchedFile extends TreeFile {
  readonly size: number;
}

export interface ReadFile extends Pick<TreeFile, 'path' | 'isExecutable'> {
  readonly base64: string;
}

export const filesMax = 100;
const fetching = ['fetch', '--quiet', '--filter=blob:none', '--no-tags', '--no-recurse-submodules'];

/** The last commit of the default branch. All of these throw GitHubFault, GitFault, and errors of `execute`. */
export async function readHead(parts: TreeParts): Promise<string> {
  const listed = await askHost(parts, ['ls-remote', '--', parts.url, 'HEAD']);
  const [, commit] = /^([0-9a-f]{40,64})\tHEAD$/m.exec(listed) ?? [];
  if (commit === undefined) throw new GitHubFault('resource_not_found', 'it has no commits');
  return commit;
}

/** Fetches the names of all files. */
export async function fetchTree(parts: TreeParts, commit: string): Promise<void> {
  checkGit(await runGit(parts, ['init', '--quiet', '--bare', '--template=']), 'git cannot make a repository');
  await askHost(parts, [...fetching, '--depth=1', '--', parts.url, commit]);
}

/** Every SKILL.md by its path, at any depth. */
export async function listTreeSkills(parts: TreeParts, commit: string): Promise<readonly TreeFile[]> {
  const isKept = (entry: string) => /[\t/]SKILL\.md$/.test(entry) && isUsable(entry);
  const entries = await listGit(parts, ['ls-tree', '-r', '-z', '--full-tree', commit], { isKept });
  return entries.flatMap(parseFile).toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Whether a search of a whole repository finds it, as in a checkout. */
export function isNearTop({ path }: Pick<TreeFile, 'path'>): boolean {
  return path.split('/').length <= depthMax + 1;
}

/**
 * The files of a folder, by their paths in it: at most `filesMax` of `fileCount`. `leftOut` are links and submodules.
 */
export async function listTreeFolder(parts: TreeParts, commit: string, folder: string) {
  let fileCount = 0;
  let leftOut = 0;
  const entries = await listGit(
    parts,
    ['ls-tree', '-r', '-z', '--full-tree', `${commit}:${folder === '.' ? '' : folder}`],
    {
      isKept(entry) {
        if (!isUsable(entry)) return false;
        const isFile = parseFile(entry).length > 0;
        if (isFile) fileCount += 1;
        else leftOut += 1;
        return isFile && fileCount <= filesMax;
      },
    },
  );
  return { files: entries.flatMap(parseFile), fileCount, leftOut };
}

/** Fetches the contents of files. */
export async function fetchFiles(parts: TreeParts, files: readonly TreeFile[]): Promise<readonly FetchedFile[]> {
  if (files.length === 0) return [];
  const ids = new Set(files.map(({ id }) => id));
  await askHost(parts, [...fetching, '--no-write-fetch-head', '--', parts.url, ...ids]);
  const asked = { stdin: printIds(files), separator: '\n', isKept: () => true } as const;
  const sizes = await listGit(parts, ['cat-file', '--batch-check=%(objectsize)'], asked);
  if (sizes.some(size => !/^\d+$/.test(size))) throw new GitFault('git did not get all files');
  return files.map((file, index) => ({ ...file, size: Number(sizes[index]) }));
}

export async function readFiles(parts: TreeParts, files: readonly FetchedFile[]): Promise<readonly ReadFile[]> {
  const chunks: Uint8Array[] = [];
  const onStdout = (chunk: Uint8Array) => void chunks.push(chunk);
  const read = await runGit(parts, ['cat-file', '--batch=%(objectsize)'], { stdin: printIds(files), onStdout });
  checkGit(read, 'git cannot read what it fetched');
  const all = Buffer.concat(chunks);
  let next = 0;
  return files.map(({ path, isExecutable, size }) => {
    // A line with its size, the file, and a line end.
    const start = next + `${size}\n`.length;
    next = start + size + 1;
    return { path, isExecutable, base64: all.toString('base64', start, start + size) };
  });
}

async function askHost(parts: TreeParts, args: readonly string[]): Promise<string> {
  const outcome = await runHostGit(parts, parts.url, args);
  if (outcome.end.kind === 'ended' && outcome.end.exitCode === 0) return outcome.output;
  const { host } = new URL(parts.url);
  throw readHostFault(outcome, host, parts.git.hosts[host] !== undefined);
}

/** Parses an entry such as `100644 blob ID\tPATH`. Undefined for a link or a submodule. */
function parseFile(entry: string): readonly TreeFile[] {
  const [, mode = '', id = '', path = ''] = /^(\d+) blob (\w+)\t(.+)$/s.exec(entry) ?? [];
  return /^100\d{3}$/.test(mode) ? [{ path, id, isExecutable: mode === '100755' }] : [];
}

/** False for paths that git itself refuses, and for paths in `.git` or `node_modules`. */
function isUsable(entry: string): boolean {
  const parts = entry.slice(entry.indexOf('\t') + 1).split('/');
  return parts.every(part => !/^\.{0,2}$|\\/.test(part) && !skippedFolders.includes(part.toLowerCase()));
}

function printIds(files: readonly TreeFile[]): string {
  return files.map(({ id }) => `${id}\n`).join('');
}
