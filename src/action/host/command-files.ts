/**
 * The files through which a step talks back to its runner: outputs, state, the job's summary. A value is always written between delimiters that
 * nobody can guess, so that no text forges another output, and never as `name=value`.
 * Source: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
import { closeSync, constants, openSync, statSync } from 'node:fs';
import { appendWhole } from './append-whole.ts';
import { type KeptFiles, keepFiles, type RunnerFile } from './kept-files.ts';

/** The variable that names a file. */
export type CommandFile = Extract<RunnerFile, 'GITHUB_OUTPUT' | 'GITHUB_STATE' | 'GITHUB_STEP_SUMMARY'>;

export interface CommandFiles {
  /** Throws CommandFileError when it cannot be written safely or not at all; the file then holds nothing of the pair. */
  appendPair(file: 'GITHUB_OUTPUT' | 'GITHUB_STATE', name: string, value: string): void;
  /** Throws CommandFileError; the file then holds nothing of the text. */
  appendText(file: 'GITHUB_STEP_SUMMARY', text: string): void;
  /** Bytes still free below `limitBytes`. */
  roomOf(file: 'GITHUB_STEP_SUMMARY', limitBytes: number): number;
  /** From now on what others write to the runner's files is taken out by `restore`; but not to those whose variables `except` names. */
  keep(except: readonly string[]): void;
  /** Puts back what is not as the step left it; returns the variables of the files that others had changed. Throws what the file system says. */
  restore(): readonly string[];
}

/** A command file that cannot be written. The message names the variable, the path, and what to do. */
export class CommandFileError extends Error {
  override readonly name = 'CommandFileError';
}

// The reader takes CRLF for a line's end on Windows alone, and would take the CR at the end of a value for a part of it.
const lineEnd = process.platform === 'win32' ? '\r\n' : '\n';

/** `random` answers with a UUID, another one each time. */
export function createCommandFiles(
  readVariable: (name: string) => string | undefined,
  random: () => string = () => crypto.randomUUID(),
): CommandFiles {
  let last = '';
  const drawDelimiter = (file: CommandFile, texts: readonly string[]) => {
    const drawn = drawRandom(file, random);
    // Two of the same are no accident: whoever writes a value could know the next one.
    const isRepeated = drawn === (last === '' ? drawRandom(file, random) : last);
    last = drawn;
    const delimiter = `agent_run_${drawn}`;
    if (isRepeated || texts.some(text => text.includes(delimiter)))
      throw brokenRandom(file, 'it repeats earlier values');
    return delimiter;
  };
  let kept: KeptFiles | undefined;
  const append = (file: CommandFile, text: string) => {
    const path = pathOf(file, readVariable);
    try {
      // Another one that cannot be written throws when it is put back.
      if (kept?.has(file)) kept.append(file, text);
      // Halves of surrogate pairs, which UTF-8 does not have, become U+FFFD.
      else appendNow(path, text);
    } catch (error) {
      const remedy = isDiskFull(error)
        ? 'free disk space on the runner in an earlier step'
        : 'earlier steps must not remove or replace it';
      throw new CommandFileError(
        `${file}: ${path} cannot be written (${error instanceof Error ? error.message : error}); ${remedy}`,
        { cause: error },
      );
    }
  };
  const sizeOf = (file: CommandFile) => {
    if (kept?.has(file)) return kept.sizeOf(file);
    const path = readVariable(file) ?? '';
    return path === '' ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  };
  const gapOf = (file: CommandFile) => (sizeOf(file) > 0 ? '\n\n' : '');
  return {
    appendPair(file, name, value) {
      if (!/^[A-Za-z_][\w-]*$/.test(name))
        throw new CommandFileError(
          `${file}: ${JSON.stringify(name)} is not a valid name; use letters, digits, - and _, starting with a letter or _`,
        );
      const delimiter = drawDelimiter(file, [name, value]);
      append(file, [`${name}<<${delimiter}`, value, delimiter, ''].join(lineEnd));
    },
    appendText(file, text) {
      // An agent that may write there too ends its last line, or does not.
      append(file, `${gapOf(file)}${text}`);
    },
    keep(except) {
      kept = keepFiles(readVariable, except);
    },
    restore: () => kept?.restore() ?? [],
    roomOf: (file, limitBytes) => Math.max(0, limitBytes - sizeOf(file) - gapOf(file).length),
  };
}

/** A pipe that stands there, and that nobody reads, is a fault and holds up nobody. */
function appendNow(path: string, text: string): void {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0 } = constants;
  const fd = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK);
  try {
    appendWhole(fd, path, Buffer.from(text));
  } finally {
    closeSync(fd);
  }
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

function pathOf(file: CommandFile, readVariable: (name: string) => string | undefined): string {
  const path = readVariable(file) ?? '';
  if (path !== '') return path;
  throw new CommandFileError(
    `${file} is not set, so the step cannot pass anything to the runner; the action needs GitHub Actions runner 2.327.1 or later, or a compatible one`,
  );
}

function drawRandom(file: CommandFile, random: () => string): string {
  let drawn: string;
  try {
    drawn = random();
  } catch (error) {
    throw brokenRandom(file, error instanceof Error ? error.message : String(error), error);
  }
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(drawn)) throw brokenRandom(file, 'it did not return a UUID');
  return drawn;
}

function brokenRandom(file: CommandFile, reason: string, cause?: unknown): CommandFileError {
  return new CommandFileError(
    `${file} was not written: the random source of this machine fails (${reason}), and without it one value could forge another; fix the machine's random device`,
    { cause },
  );
}
