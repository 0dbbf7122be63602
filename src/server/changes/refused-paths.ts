/**
 * Paths that git refuses: files that it may not read, names and encodings that it does not take, content that a partial clone has not fetched.
 * git gives up at some of them; it is then asked again without that path, so that one path never costs the others.
 */

import {
  checkGit,
  GitFault,
  type GitMore,
  type GitOutcome,
  type GitParts,
  listRaw,
  runGit,
} from '../workspace/run-git.ts';
import type { KeptText, PatchFile } from './patch-file.ts';

type Env = NonNullable<GitMore['env']>;

/** Bounds how often git is asked again. */
const askedAgainMax = 20;
/** Bounds the paths on a command line. Older gits take none from a file. */
const argumentsMax = 100;

/**
 * Brings the index up to date with the working tree, but for the paths in `without`. Answers what git said of each path that it could not read.
 * Throws GitFault.
 */
export async function addAll(parts: GitParts, env: Env, without: readonly string[]): Promise<readonly string[]> {
  const left = [...without];
  const refused: string[] = [];
  // Files outside of a sparse checkout are changes like all others. Gits before 2.34 do not know the option, and need none.
  let sparse: readonly string[] = ['--sparse'];
  for (;;) {
    const paths = ['.', ...left.map(excludePath)];
    const isFew = paths.length <= argumentsMax;
    const told = isFew ? ['--', ...paths] : ['--pathspec-from-file=-', '--pathspec-file-nul'];
    const outcome = await runGit(parts, ['add', '--all', '--ignore-errors', ...sparse, ...told], {
      env,
      // What it makes of line ends is not to stop it.
      config: [['core.safecrlf', 'false']],
      stdin: isFew ? '' : paths.join('\0'),
    });
    const exitCode = outcome.end.kind === 'ended' ? outcome.end.exitCode : undefined;
    const said = readRefused(outcome.output);
    if (exitCode === 0 || (exitCode === 1 && said.length > 0)) return [...refused, ...said];
    if (exitCode === 129 && sparse.length > 0) {
      sparse = [];
      continue;
    }
    const { path, words } = findFatal(outcome.output);
    if (path === '' || left.includes(path) || refused.length === askedAgainMax)
      checkGit(outcome, 'git cannot read the working tree');
    left.push(path);
    refused.push(words);
  }
}

/**
 * Keeps what `args` print of two trees, without the paths whose content git does not have. Answers what it said of those. Throws GitFault.
 */
export async function keepComparison(
  parts: GitParts,
  args: readonly string[],
  { env, trees, file, bytesMax }: KeptComparison,
): Promise<{ readonly text: KeptText; readonly refused: readonly string[] }> {
  const left: string[] = [];
  const refused: string[] = [];
  for (;;) {
    let outcome: GitOutcome | undefined;
    try {
      const paths = left.length === 0 ? [] : ['--', '.', ...left.map(excludePath)];
      const text = await file.keep(async onStdout => {
        outcome = await runGit(parts, [...args, ...trees, ...paths], { env, onStdout });
        checkGit(outcome, 'git cannot compare');
      }, bytesMax);
      return { text, refused };
    } catch (error) {
      const [id] = /\b[0-9a-f]{40,64}\b/.exec(outcome?.output ?? '') ?? [];
      if (!(error instanceof GitFault) || id === undefined || left.length >= askedAgainMax) throw error;
      const raw = await listRaw(parts, ['diff-tree', '-r', '-z', '--raw', '--no-renames', ...trees], env, id);
      const paths = raw.map(({ path }) => path).filter(path => !left.includes(path));
      if (paths.length === 0) throw error;
      left.push(...paths);
      refused.push(...paths.map(path => `${path}: its content ${id.slice(0, 7)} is not in the repository`));
    }
  }
}

interface KeptComparison {
  readonly env: Env;
  readonly trees: readonly [string, string];
  readonly file: PatchFile;
  readonly bytesMax: number;
}

function excludePath(path: string): string {
  return `:(top,exclude,literal)${path}`;
}

/** Git's messages about the paths it skipped. Of most it says twice that there is a fault. */
function readRefused(output: string): readonly string[] {
  return output.split('\n').flatMap(line => {
    const [, words] =
      /^(?:error: (?!unable to (?:index file|add) )|warning: (?=could not open directory ))(.+)/.exec(line) ?? [];
    return words === undefined ? [] : [words];
  });
}

/** The path that git gave up at, and its words, in the sentences of its conversions. */
function findFatal(output: string): { readonly path: string; readonly words: string } {
  const [, words = '', filtered, quoted = ''] =
    /^fatal: ((?:(.+): clean filter '|[^'\n]*'(.+?)'(?= if | from |: |$)).*)/m.exec(output) ?? [];
  return { path: filtered ?? quoted, words };
}
