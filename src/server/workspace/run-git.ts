import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removeTree } from '../../border/folders.ts';
import type { ExecutorCommand, ExecutorEnd, ExecutorRequest } from '../executor/executor.ts';
import { describeCause } from '../harness/ending-text.ts';
import { TextTail } from '../output/text-tail.ts';
import type { RunFolder } from './run-folder.ts';

export interface GitParts {
  readonly folder: RunFolder;
  /** Where git works. @default the workspace */
  readonly cwd?: string;
  readonly searchPath: string;
  /** Executes a program as a process of the run. Throws when the run is given up or reaches its time limit. */
  readonly execute: (command: ExecutorCommand, onOutput: ExecutorRequest['onOutput']) => Promise<ExecutorEnd>;
}

export interface GitMore {
  readonly env?: Readonly<Record<string, string>>;
  /** Settings that override those of the repository. They are in the environment of this one process. */
  readonly config?: readonly (readonly [string, string])[];
  /** Standard input for git. */
  readonly stdin?: string;
  /** Receives standard output, which is then not kept. */
  readonly onStdout?: (chunk: Uint8Array) => void | Promise<void>;
}

export interface GitOutcome {
  readonly end: ExecutorEnd;
  /** The end of both streams. */
  readonly output: string;
}

/** A git command failed. The message says which one, and why in git's words. */
export class GitFault extends Error {
  override readonly name = 'GitFault';
}

/** Longest entry of a listing, in UTF-16 units. A path on Linux has at most 4096 bytes. */
const entryMax = 64 * 1024;
/** Limit on the kept entries of a listing. A repository has at most some hundred submodules. */
const keptMax = 20_000;
/** Limit on the kept part of a whole listing, in UTF-16 units. */
const keptUnitsMax = 16 * 1024 * 1024;
/** Limit on both streams together. */
export const outputBytesMax = 16 * 1024;

/** Git starts no program that a repository names, and does nothing in the background. */
const usualConfig: NonNullable<GitMore['config']> = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['submodule.recurse', 'false'],
];

/** Runs git in the workspace, with our configuration and that of the repository only. */
export async function runGit(
  { execute, folder, cwd = folder.workspace, searchPath }: GitParts,
  args: readonly string[],
  { env = {}, config = [], stdin = '', onStdout }: GitMore = {},
): Promise<GitOutcome> {
  const file = join(folder.state, 'gitconfig');
  // An agent may have replaced it with a pipe, and a write would wait for its reader.
  await removeTree(file);
  // The folder is named in the server's configuration, so it may belong to another user.
  await writeFile(file, '[safe]\n\tdirectory = *\n', { flag: 'wx', mode: 0o600 });
  const output = new TextTail(outputBytesMax);
  const command: ExecutorCommand = {
    argv: ['git', ...args],
    cwd,
    env: {
      PATH: searchPath,
      HOME: folder.home,
      LC_ALL: 'C',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: file,
      GIT_TERMINAL_PROMPT: '0',
      GIT_NO_LAZY_FETCH: '1',
      GIT_NO_REPLACE_OBJECTS: '1',
      // The data folder may be inside a checkout, whose settings must not apply.
      ...(folder.hasOwnWorkspace ? { GIT_CEILING_DIRECTORIES: dirname(folder.root) } : {}),
      ...env,
      ...printConfig([...usualConfig, ...config]),
    },
    stdin,
  };
  const end = await execute(command, async (stream, chunk) => {
    if (stream === 'stdout' && onStdout !== undefined) await onStdout(chunk);
    else output.push(Buffer.from(chunk).toString());
  });
  return { end, output: output.text };
}

/** Git's output, or undefined if it fails. */
export async function askGit(parts: GitParts, args: readonly string[], more?: GitMore): Promise<string | undefined> {
  const { end, output } = await runGit(parts, args, more);
  return end.kind === 'ended' && end.exitCode === 0 ? output : undefined;
}

/** Git's output. Throws GitFault if it fails. */
export function checkGit({ end, output }: GitOutcome, what: string): string {
  if (end.kind === 'not_started') throw new GitFault(`${what}. ${end.message}`);
  if (end.exitCode !== 0) throw new GitFault(`${what}${describeCause(output, 'git')}`);
  return output;
}

/**
 * Entries of a `-z` listing that match. An agent decides what its repository lists, so the number of entries and
 * their lengths are limited. Throws GitFault, also when a limit is exceeded.
 */
export async function listGit(
  parts: GitParts,
  args: readonly string[],
  {
    isKept,
    separator = '\0',
    ...more
  }: Pick<GitMore, 'env' | 'config' | 'stdin'> & {
    readonly isKept: (entry: string, index: number) => boolean;
    readonly separator?: '\0' | '\n';
  },
): Promise<readonly string[]> {
  const kept: string[] = [];
  const decoder = new TextDecoder();
  let index = 0;
  let rest = '';
  let units = 0;
  let isTooMuch = false;
  const onStdout = (chunk: Uint8Array): void => {
    if (isTooMuch) return;
    const entries = `${rest}${decoder.decode(chunk, { stream: true })}`.split(separator);
    rest = (entries.pop() ?? '').slice(0, entryMax);
    for (const entry of entries) {
      if (!isKept(entry, index++)) continue;
      // A slice would keep the whole chunk in memory.
      kept.push(Buffer.from(entry.slice(0, entryMax)).toString());
      units += Math.min(entry.length, entryMax);
      isTooMuch = kept.length > keptMax || units > keptUnitsMax;
      if (isTooMuch) return;
    }
  };
  const outcome = await runGit(parts, args, { ...more, onStdout });
  if (isTooMuch)
    throw new GitFault(
      `git ${args[0]} reports more than ${keptMax} entries or ${keptUnitsMax / 1024 / 1024} MiB, which is more than is read`,
    );
  checkGit(outcome, `git ${args[0]} failed`);
  return kept;
}

function printConfig(config: NonNullable<GitMore['config']>): Readonly<Record<string, string>> {
  const pairs = config.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(config.length), ...Object.fromEntries(pairs) };
}
