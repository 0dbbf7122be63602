/** A step of a committed action as a process, without a runner around it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parse } from 'yaml';
import { inputVariable } from '../../src/testing/action/step-inputs.ts';

const root = resolve(import.meta.dirname, '../..');

export const mainEntry = join(root, 'dist/main/index.js');

type Variables = Readonly<Record<string, string>>;

export function startProcess(script: string, env: Variables): ChildProcess {
  const cwd = env.GITHUB_WORKSPACE;
  const child = spawn(process.execPath, [script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout?.resume();
  child.stderr?.resume();
  return child;
}

const patienceSeconds = 10;

/**
 * Starts a step and kills it once it has come so far. Returns how many milliseconds that took, or why it did not come
 * to it.
 */
export async function timeStart(start: {
  readonly entry: string;
  readonly env: Variables;
  /** By `performance.now()`. */
  readonly reached: Promise<number>;
}): Promise<number | string> {
  const startedAt = performance.now();
  const child = startProcess(start.entry, start.env);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', chunk => {
      output += chunk;
    });
  const exited = once(child, 'exit');
  const outcome = await Promise.race([
    start.reached,
    // By then all of its output is there.
    once(child, 'close').then(([code]) => `none before it ended with exit code ${code}: ${findError(output)}`),
    setTimeout(patienceSeconds * 1000, `none within ${patienceSeconds} s`, { ref: false }),
  ]);
  child.kill('SIGKILL');
  await exited;
  return typeof outcome === 'number' ? outcome - startedAt : outcome;
}

/** The first line that looks like an error, or the last one. */
function findError(output: string): string {
  const lines = output.trim().split('\n');
  return lines.find(line => /error\b.*:/i.test(line)) ?? lines.at(-1) ?? '';
}

export function writeScript(folder: string, name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** What a runner gives to a step: every input of the action with its default, the files, the names of job and run. */
export function stepVariables({
  folder,
  inputs,
  entry = mainEntry,
}: {
  readonly folder: string;
  readonly inputs: Variables;
  /** A file of the action. The inputs are those of the nearest action.yml above it, or else ours. */
  readonly entry?: string;
}): Variables {
  const values = { ...readDefaults(entry), ...inputs };
  const file = (name: string, text = '') => writeScript(folder, name, text);
  return {
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [inputVariable(name), value])),
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
    RUNNER_OS: 'Linux',
    RUNNER_TEMP: folder,
    RUNNER_TOOL_CACHE: folder,
  };
}

/** What the expressions in defaults come to, by a part of their text. */
const evaluated: Variables = { 'github.token': 'none', 'toJSON(matrix)': 'null', 'strategy.job-index': '0' };

function readDefaults(entry: string): Variables {
  const { inputs } = parse(readFileSync(findMetadata(dirname(entry)) ?? join(root, 'action.yml'), 'utf8')) as {
    inputs?: Readonly<Record<string, { readonly default?: unknown } | null>>;
  };
  const evaluate = (expression: string) =>
    Object.entries(evaluated).find(([part]) => expression.includes(part))?.[1] ?? '';
  return Object.fromEntries(
    Object.entries(inputs ?? {}).map(([name, input]) => [
      name,
      String(input?.default ?? '').replace(/\$\{\{.*?\}\}/gs, evaluate),
    ]),
  );
}

function findMetadata(folder: string): string | undefined {
  const found = ['action.yml', 'action.yaml'].map(name => join(folder, name)).find(existsSync);
  if (found !== undefined) return found;
  return dirname(folder) === folder ? undefined : findMetadata(dirname(folder));
}
