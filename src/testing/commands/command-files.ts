import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../base/cause.ts';
import type { SecretMasker } from '../log/secret-masker.ts';
import type { StepLog } from '../log/step-log.ts';
import { CommandFileError, parsePairs, parsePaths } from './command-file-format.ts';

/** A larger summary is dropped completely. */
const summaryLimitBytes = 1024 * 1024;

/** Variables that a step may not set for later steps. */
const refusedVariables = ['NODE_OPTIONS'];

/** The command files, by the word in their variable's name: GITHUB_OUTPUT, GITHUB_STEP_SUMMARY … */
export type CommandFiles = Readonly<Record<(typeof kinds)[number], string>>;
const kinds = ['path', 'env', 'step_summary', 'state', 'output'] as const;

/** Contents of a program's command files. */
interface CommandFileContents {
  /** Folders, in the order in which they were added. */
  readonly path: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  /** With secrets masked. '' if there is none or it was dropped. */
  readonly summary: string;
  readonly state: ReadonlyMap<string, string>;
  readonly outputs: ReadonlyMap<string, string>;
}

/** Empty files with new names, so that no process knows those of another. */
export function createCommandFiles(tempDir: string): CommandFiles {
  const folder = join(tempDir, '_runner_file_commands');
  mkdirSync(folder, { recursive: true });
  const suffix = randomUUID();
  const entries = kinds.map(kind => [kind, join(folder, `${kind}_${suffix}`)] as const);
  for (const [, path] of entries) closeSync(openSync(path, 'wx'));
  return Object.fromEntries(entries) as CommandFiles;
}

/**
 * Reads the files in the order of the real runner. A faulty one fails the step, and the part before the fault counts.
 */
export function readCommandFiles(
  files: CommandFiles,
  to: { readonly log: StepLog; readonly masker: SecretMasker },
): CommandFileContents {
  const path: string[] = [];
  const env = new Map<string, string>();
  const state = new Map<string, string>();
  const outputs = new Map<string, string>();
  let summary = '';
  const attempt = (kind: keyof CommandFiles, read: (file: string) => void) => {
    try {
      if (existsSync(files[kind])) read(files[kind]);
    } catch (error) {
      to.log.fail(`Unable to process file command '${kind}' successfully.`);
      to.log.fail(messageOf(error));
    }
  };
  attempt('path', file => path.push(...parsePaths(readText(file))));
  attempt('env', file => {
    for (const [name, value] of readPairs(file)) {
      if (refusedVariables.includes(name.toUpperCase()))
        to.log.annotate('error', `Can't store ${name.toUpperCase()} output parameter using '$GITHUB_ENV' command.`);
      else env.set(name, value);
    }
  });
  attempt('step_summary', file => {
    summary = readSummary(file, to);
  });
  attempt('state', file => {
    for (const [name, value] of readPairs(file)) state.set(name, value);
  });
  attempt('output', file => {
    for (const [name, value] of readPairs(file)) outputs.set(name, value);
  });
  return { path, env, summary, state, outputs };
}

function readSummary(file: string, to: { readonly log: StepLog; readonly masker: SecretMasker }): string {
  const { size } = statSync(file);
  if (size <= summaryLimitBytes) return to.masker.mask(readText(file));
  to.log.annotate(
    'error',
    `$GITHUB_STEP_SUMMARY upload aborted, supports content up to a size of ${kibibytes(summaryLimitBytes)}k, got ${kibibytes(size)}k. For more information see: https://docs.github.com/actions/using-workflows/workflow-commands-for-github-actions#adding-a-markdown-summary`,
  );
  return '';
}

function* readPairs(file: string): Generator<readonly [string, string]> {
  for (const pair of parsePairs(readText(file), { crlf: process.platform === 'win32' })) {
    if (pair[0] === '') throw new CommandFileError("Value cannot be null. (Parameter 'name')");
    yield pair;
  }
}

/** As UTF-8, without a byte order mark. */
function readText(file: string): string {
  return new TextDecoder().decode(readFileSync(file));
}

function kibibytes(bytes: number): number {
  return Math.floor(bytes / 1024);
}
