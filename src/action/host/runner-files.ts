/** The step's outputs, state and summary. GitHub's toolkit writes them. */
import { statSync, truncateSync } from 'node:fs';
import { saveState, setOutput, summary as summaryOfToolkit } from '@actions/core';
import { messageOf } from '../../base/cause.ts';
import { type KeptFiles, keepFiles } from './kept-files.ts';

export type WrittenFile = 'GITHUB_OUTPUT' | 'GITHUB_STATE' | 'GITHUB_STEP_SUMMARY';

/** All writes throw CommandFileError. The file then has nothing of the failed write. */
export interface RunnerFiles {
  setOutput(name: string, value: string): void;
  saveState(name: string, value: string): void;
  appendSummary(markdown: string): Promise<void>;
  /** Bytes of the summary still free below `limitBytes`. */
  summaryRoom(limitBytes: number): number;
  /** From now on, `restore` removes what others write, except to the files whose variables are in `except`. */
  keep(except: readonly string[]): void;
  /** Returns the variables of the files that others changed. Throws the file system's error. */
  restore(): Promise<readonly string[]>;
}

/** A runner's file that cannot be written. The message has the variable, the path and the remedy. */
export class CommandFileError extends Error {
  override readonly name = 'CommandFileError';
}

export function openRunnerFiles(): RunnerFiles {
  let kept: KeptFiles | undefined;
  const write = <Answer>(file: WrittenFile, act: () => Answer) => {
    const writeAll = () => allOrNothing(file, act);
    return kept?.has(file) ? kept.write(file, writeAll) : writeAll();
  };
  return {
    setOutput: (name, value) => void write('GITHUB_OUTPUT', () => setOutput(name, value)),
    saveState: (name, value) => void write('GITHUB_STATE', () => saveState(name, value)),
    appendSummary: async markdown => {
      await write('GITHUB_STEP_SUMMARY', () => {
        // Earlier text, such as an agent's, may lack a final line feed.
        const gap = sizeOf('GITHUB_STEP_SUMMARY') > 0 ? '\n\n' : '';
        return summaryOfToolkit.emptyBuffer().addRaw(`${gap}${markdown}`).write();
      });
    },
    summaryRoom(limitBytes) {
      const size = sizeOf('GITHUB_STEP_SUMMARY');
      return Math.max(0, limitBytes - size - (size > 0 ? 2 : 0));
    },
    keep(except) {
      kept = keepFiles(name => process.env[name], except);
    },
    restore: async () => (await kept?.restore()) ?? [],
  };
}

function sizeOf(file: WrittenFile): number {
  return statSync(process.env[file] ?? '', { throwIfNoEntry: false })?.size ?? 0;
}

/** A full disk would leave half a value in the file. Its open delimiter would swallow the next write. */
function allOrNothing<Answer>(file: WrittenFile, act: () => Answer): Answer {
  const stats = statSync(process.env[file] ?? '', { throwIfNoEntry: false });
  // Opening a pipe would block until it has a reader.
  if (stats?.isFIFO()) throw explain(file, new Error('it is a pipe'));
  const undo = (error: unknown): never => {
    try {
      truncateSync(process.env[file] ?? '', stats?.size);
    } catch {
      // The error of the write matters.
    }
    throw explain(file, error);
  };
  try {
    const answer = act();
    return answer instanceof Promise ? (answer.catch(undo) as Answer) : answer;
  } catch (error) {
    return undo(error);
  }
}

function explain(file: WrittenFile, error: unknown): CommandFileError {
  const path = process.env[file] ?? '';
  if (path === '') return new CommandFileError(`${file} is not set, so nothing was written`, { cause: error });
  const isDiskFull = error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
  const remedy = isDiskFull
    ? 'free disk space on the runner in an earlier step'
    : 'earlier steps must not remove or replace it';
  const why = messageOf(error);
  return new CommandFileError(`${file}: ${path} cannot be written (${why}); ${remedy}`, { cause: error });
}
