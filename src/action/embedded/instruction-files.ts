/**
 * Puts other instruction files into a checkout while an agent works in it, and its own files back afterwards. Git does
 * not see the difference: the index skips the files of the checkout, and `info/exclude` has the new ones. So neither a
 * patch nor a commit of the agent contains them.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rmdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { readPlainFile } from '../../border/files.ts';
import { makeFolderWithin, readEntries, removeTree } from '../../border/folders.ts';
import { instructionFiles, instructionFolders, isInstruction, type TreeFile } from '../github/base-files.ts';

export interface Checkout {
  readonly root: string;
  readonly gitDir: string;
  readonly head: string;
  /** Where it was cloned from. '' if that is unknown. */
  readonly origin: string;
  readonly searchPath: string;
}

export interface Replacement {
  readonly replaced: readonly string[];
  /** Files that the other side does not have. */
  readonly hidden: readonly string[];
  readonly added: readonly string[];
  /** Throws if a file cannot be put back. */
  undo(): Promise<void>;
}

const entriesMax = 10_000;
const listingBytesMax = 64 * 1024 * 1024;
const excludeBytesMax = 1024 * 1024;

/** The repository that a folder is in, and those directly below it. */
export async function findCheckouts(folder: string, searchPath: string): Promise<readonly Checkout[]> {
  const { entries } = await readEntries(folder, entriesMax);
  const below = entries
    .filter(entry => entry.isDirectory() && existsSync(join(folder, entry.name, '.git')))
    .map(({ name }) => join(folder, name));
  const found = await Promise.all([folder, ...below].map(each => openCheckout(each, searchPath)));
  return found.filter(checkout => checkout !== undefined);
}

/** Undefined without git, or if the folder is in no repository with a commit. */
async function openCheckout(folder: string, searchPath: string): Promise<Checkout | undefined> {
  const at = { root: folder, searchPath };
  try {
    const told = await runGit(at, ['rev-parse', '--show-toplevel', '--absolute-git-dir', 'HEAD']);
    const [root = '', gitDir = '', head = ''] = told.split('\n');
    const origin = await runGit(at, ['config', '--get', 'remote.origin.url']).catch(() => '');
    return { root, gitDir, head, origin: origin.trim(), searchPath };
  } catch {
    return undefined;
  }
}

/** The tracked instruction files. Throws git's error. */
export async function listInstructions(checkout: Checkout): Promise<readonly TreeFile[]> {
  const names = [...instructionFiles, ...instructionFolders, ...instructionFolders.map(name => `${name}/**`)];
  const specs = names.map(name => `:(top,icase,glob)**/${name}`);
  const told = await runGit(checkout, ['ls-files', '--stage', '-z', '--full-name', '--', ...specs]);
  return told.split('\0').flatMap(line => {
    const [, mode, sha, path] = /^(\d+) (\w+) \d\t(.+)$/s.exec(line) ?? [];
    return mode && sha && path ? [{ path, mode, sha }] : [];
  });
}

/** `own` are to be replaced by the files of `other`. Throws git's and the file system's errors. */
export async function replaceFiles(
  checkout: Checkout,
  own: readonly TreeFile[],
  other: readonly (TreeFile & { readonly bytes: Buffer })[],
): Promise<Replacement> {
  const { root, gitDir } = checkout;
  const aside = await mkdtemp(join(gitDir, 'agent-run-'));
  const moved: { readonly path: string; readonly to: string }[] = [];
  const written: string[] = [];
  const tracked = new Set(own.map(({ path }) => path));
  const exclude = await openExclude(gitDir);
  const undo = async () => {
    const faults: unknown[] = [];
    const attempt = (work: Promise<void>) => work.catch((error: unknown) => void faults.push(error));
    for (const path of written) await attempt(removeFile(root, path));
    for (const { path, to } of moved) await attempt(putBack(root, path, to));
    await attempt(skip(checkout, '--no-skip-worktree', moved));
    await attempt(exclude.restore());
    if (faults.length > 0) throw faults[0];
    await removeTree(aside);
  };
  try {
    for (const [index, { path }] of own.entries()) {
      const to = join(aside, String(index));
      if (await moveFile(join(root, path), to)) moved.push({ path, to });
    }
    for (const { path } of moved) await removeEmptyFolders(root, path);
    await skip(checkout, '--skip-worktree', moved);
    const isMoved = new Set(moved.map(({ path }) => path));
    const wanted = other.filter(({ path }) => isMoved.has(path) || !tracked.has(path));
    await exclude.add(wanted.filter(({ path }) => !tracked.has(path)).map(({ path }) => path));
    for (const file of wanted) if (await writeNew(root, file)) written.push(file.path);
  } catch (error) {
    await undo();
    throw error;
  }
  const isWritten = new Set(written);
  return {
    replaced: written.filter(path => tracked.has(path)),
    hidden: moved.map(({ path }) => path).filter(path => !isWritten.has(path)),
    added: written.filter(path => !tracked.has(path)),
    undo,
  };
}

/** False if there is no such file, as in a sparse checkout. */
async function moveFile(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return false;
    throw error;
  }
}

/** False for a file of an earlier step, and below a link or a file, which could lead elsewhere. */
async function writeNew(root: string, { path, mode, bytes }: TreeFile & { readonly bytes: Buffer }): Promise<boolean> {
  const target = join(root, path);
  try {
    await makeFolderWithin(root, dirname(target));
    if (mode === '120000') await symlink(bytes, target);
    else await writeFile(target, bytes, { flag: 'wx', mode: mode === '100755' ? 0o755 : 0o644 });
    return true;
  } catch {
    return false;
  }
}

async function removeFile(root: string, path: string): Promise<void> {
  await removeTree(join(root, path));
  await removeEmptyFolders(root, path);
}

/** An empty folder of settings would still be seen. */
async function removeEmptyFolders(root: string, path: string): Promise<void> {
  for (let folder = dirname(path); isInstruction(folder); folder = dirname(folder)) {
    const isRemoved = await rmdir(join(root, folder)).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}

async function putBack(root: string, path: string, from: string): Promise<void> {
  await makeFolderWithin(root, dirname(join(root, path)));
  await removeTree(join(root, path));
  await rename(from, join(root, path));
}

async function skip(
  checkout: Checkout,
  option: '--skip-worktree' | '--no-skip-worktree',
  files: readonly { readonly path: string }[],
): Promise<void> {
  const stdin = files.map(({ path }) => `${path}\0`).join('');
  if (stdin !== '') await runGit(checkout, ['update-index', option, '-z', '--stdin'], stdin);
}

/** The repository's own list of files that git does not add. */
async function openExclude(gitDir: string) {
  const path = join(gitDir, 'info', 'exclude');
  const before = await readPlainFile(path, excludeBytesMax);
  let isChanged = false;
  const write = async (text: string | undefined) => {
    await removeTree(path);
    if (text !== undefined) await writeFile(path, text, { flag: 'wx' });
  };
  return {
    async add(paths: readonly string[]) {
      if (paths.length === 0) return;
      isChanged = true;
      await makeFolderWithin(gitDir, dirname(path));
      const lines = paths.map(added => `/${added.replace(/[\\*?[\]! #]/g, '\\$&')}\n`);
      await write(`${before ?? ''}\n${lines.join('')}`);
    },
    async restore() {
      if (isChanged) await write(before);
    },
  };
}

const execute = promisify(execFile);

/** An agent may have changed the repository's settings, so those that name programs are overridden. */
async function runGit(
  { root, searchPath }: Pick<Checkout, 'root' | 'searchPath'>,
  args: readonly string[],
  stdin = '',
): Promise<string> {
  const settings = ['safe.directory=*', 'core.fsmonitor=false', 'core.hooksPath=/dev/null'];
  const running = execute('git', [...settings.flatMap(setting => ['-c', setting]), ...args], {
    cwd: root,
    env: { PATH: searchPath, LC_ALL: 'C', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
    maxBuffer: listingBytesMax,
  });
  // Git may end without reading it.
  running.child.stdin?.on('error', () => {}).end(stdin);
  return (await running).stdout;
}
