import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutorCommand, ExecutorEnd, ExecutorRequest } from '../executor/executor.ts';
import type { RunFolder } from './run-folder.ts';
import { TextTail } from './text-tail.ts';

export interface GitParts {
  readonly folder: RunFolder;
  readonly searchPath: string;
  /** Executes a program as a process of the run; throws when the run is given up or reaches its time limit. */
  readonly execute: (command: ExecutorCommand, onOutput: ExecutorRequest['onOutput']) => Promise<ExecutorEnd>;
}

/** Runs git in the workspace, with no configuration but ours and that of the repository; `output` is the end of both streams. */
export async function runGit(
  { execute, folder, searchPath }: GitParts,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly end: ExecutorEnd; readonly output: string }> {
  const config = join(folder.state, 'gitconfig');
  // The folder is named in the server's configuration, so that it may be another user's.
  await writeFile(config, '[safe]\n\tdirectory = *\n');
  const output = new TextTail(16 * 1024);
  const command: ExecutorCommand = {
    argv: ['git', ...args],
    cwd: folder.workspace,
    env: {
      PATH: searchPath,
      HOME: folder.home,
      LC_ALL: 'C',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: config,
      GIT_TERMINAL_PROMPT: '0',
      GIT_NO_LAZY_FETCH: '1',
      ...env,
    },
    stdin: '',
  };
  const end = await execute(command, async (_stream, chunk) => output.push(Buffer.from(chunk).toString()));
  return { end, output: output.text };
}
