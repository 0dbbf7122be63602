import { type ToolSet, tool } from 'ai';
import * as z from 'zod';
import { findProgram } from '../../../../executor/program-file.ts';
import type { AgentSpec } from '../../adapter.ts';
import { editFile } from './edit-tool.ts';
import { listFolder } from './list-tool.ts';
import { createPlaces } from './places.ts';
import { readFileLines } from './read-tool.ts';
import { searchFiles } from './search-tool.ts';
import { runShell, timeoutSeconds } from './shell-tool.ts';
import { writeWholeFile } from './write-tool.ts';

type Workplace = Pick<AgentSpec, 'workspace' | 'skills' | 'tempDir'>;

const path = z.string().min(1).describe('Relative to the workspace, or absolute');

/** The agent's own tools. Each returns or throws a text for the model. */
export async function createTools(
  { workspace, skills, tempDir }: Workplace,
  env: Readonly<Record<string, string>>,
): Promise<ToolSet> {
  const places = await createPlaces(workspace, [tempDir, ...skills.map(({ folder }) => folder)]);
  const shell = findProgram('bash', env.PATH ?? '') ?? '/bin/sh';
  return {
    shell: tool({
      description:
        'Run a command with the shell in the workspace and wait for it. Standard input is empty. Long output is cut in the middle.',
      inputSchema: z.object({
        command: z.string().min(1),
        timeout_seconds: z
          .number()
          .positive()
          .max(timeoutSeconds.most)
          .optional()
          .describe(`Time limit of the command; default ${timeoutSeconds.usual}`),
      }),
      execute: (input, { abortSignal }) => runShell({ shell, workspace, env }, input, abortSignal),
    }),
    read: tool({
      description: 'Read a text file. Each line starts with its number.',
      inputSchema: z.object({
        path,
        offset: z.int().min(1).optional().describe('The first line to read, from 1'),
        limit: z.int().min(1).optional().describe('How many lines to read'),
      }),
      execute: input => readFileLines(places, input),
    }),
    write: tool({
      description: 'Create a file, or replace it completely. Missing folders are created.',
      inputSchema: z.object({ path, content: z.string() }),
      execute: input => writeWholeFile(places, input),
    }),
    edit: tool({
      description: 'Replace text in a file. The old text must match exactly, and only once unless replace_all is set.',
      inputSchema: z.object({
        path,
        old_text: z.string(),
        new_text: z.string(),
        replace_all: z.boolean().optional(),
      }),
      execute: input => editFile(places, input),
    }),
    list: tool({
      description: 'List a folder. Names of folders end in a slash.',
      inputSchema: z.object({
        path: path.optional(),
        depth: z.int().min(1).max(10).optional().describe('How many levels; default 1'),
      }),
      execute: input => listFolder(places, input),
    }),
    search: tool({
      description: 'Find lines in files with a JavaScript regular expression. Files that git ignores are left out.',
      inputSchema: z.object({
        pattern: z.string().min(1),
        path: path.optional().describe('A folder or a file; default the workspace'),
        glob: z.string().optional().describe('Such as *.ts or src/**/*.ts'),
        ignore_case: z.boolean().optional(),
      }),
      execute: (input, { abortSignal }) => searchFiles(places, input, env, abortSignal),
    }),
  };
}
