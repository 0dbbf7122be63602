/** A step of the committed action as a process, without a runner around it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

const root = resolve(import.meta.dirname, '..');

export const mainEntry = join(root, 'dist/main/index.js');

export function startProcess(script: string, env: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout?.resume();
  child.stderr?.resume();
  return child;
}

export function writeScript(folder: string, name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** What a runner gives to a step: every input with its default, the files, the names of job and run. */
export function stepVariables(
  folder: string,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { inputs } = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as {
    inputs: Readonly<Record<string, { readonly default?: string }>>;
  };
  const evaluated: Readonly<Record<string, string>> = { matrix_context: 'null', job_index: '0', github_token: 'none' };
  const values = Object.entries(inputs).map(([name, { default: value = '' }]) => [name, value] as const);
  const file = (name: string, text = '') => writeScript(folder, name, text);
  return {
    ...Object.fromEntries(
      Object.entries({ ...Object.fromEntries(values), ...evaluated, ...given }).map(([name, value]) => [
        `INPUT_${name.toUpperCase()}`,
        value,
      ]),
    ),
    GITHUB_ACTIONS: 'true',
    GITHUB_OUTPUT: file('output'),
    GITHUB_STATE: file('state'),
    GITHUB_STEP_SUMMARY: file('summary'),
    GITHUB_EVENT_NAME: 'workflow_dispatch',
    GITHUB_EVENT_PATH: file('event.json', '{}'),
    GITHUB_REPOSITORY: 'octo-org/shop',
    GITHUB_REPOSITORY_ID: '1',
    GITHUB_RUN_ID: '1658821493',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_WORKFLOW: 'CI',
    GITHUB_JOB: 'build',
    GITHUB_ACTION: '__run',
    GITHUB_ACTOR: 'octocat',
    GITHUB_REF: 'refs/heads/main',
    GITHUB_SHA: 'ffac537e6cbbf934b08745a378932722df287a53',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_API_URL: 'https://api.github.com',
    GITHUB_WORKSPACE: folder,
    RUNNER_TEMP: folder,
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
