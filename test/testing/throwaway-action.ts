import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { createFakeRunner, type FakeRunner, type FakeRunnerOptions } from '../../src/testing/index.ts';
import { createTempFolder } from '../support/temp-folder.ts';

/** An action for one test. Its programs may use `say(line)`, `put('OUTPUT', text)`, `fs` and `child_process`. */
export interface ThrowawayAction {
  readonly main: string;
  readonly post?: string;
  readonly inputs?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly runs?: Readonly<Record<string, unknown>>;
}

const prelude = `
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
const say = line => fs.writeSync(1, line + '\\n');
const put = (name, text) => fs.appendFileSync(process.env['GITHUB_' + name], text);
`;

/** The folder of the action. */
export function writeAction(action: ThrowawayAction): string {
  const folder = createTempFolder();
  const post = action.post === undefined ? {} : { post: 'post.mjs' };
  const metadata = {
    name: 'throwaway',
    description: 'for one test',
    inputs: action.inputs ?? {},
    runs: { using: 'node24', main: 'main.mjs', ...post, ...action.runs },
  };
  writeFileSync(join(folder, 'action.yml'), stringify(metadata));
  writeFileSync(join(folder, 'main.mjs'), prelude + action.main);
  if (action.post !== undefined) writeFileSync(join(folder, 'post.mjs'), prelude + action.post);
  return folder;
}

/** A runner for an action that is written for the test. Closed after the test. */
export async function openRunner(
  action: ThrowawayAction,
  options: Omit<FakeRunnerOptions, 'actionDir'> = {},
): Promise<FakeRunner> {
  const runner = await createFakeRunner({ actionDir: writeAction(action), ...options });
  onTestFinished(() => runner.close());
  return runner;
}
