/**
 * What a step costs before it does anything: from the start of the process to the create on the wire, for the committed bundle, in milliseconds more
 * than a Node process with nothing in it. Beside it, what loading GitHub's toolkit alone would cost. They take turns, and the differences are
 * taken within a round, so that what else the machine does meets both; each figure is a median.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import type { Measurement } from './main.ts';

const rounds = 15;
const warmUps = 2;
const root = resolve(import.meta.dirname, '..');

export async function measureAction(): Promise<Measurement> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-run-bench-'));
  const { server, posted } = await openSilentServer();
  try {
    const empty = writeScript(folder, 'empty.mjs', '');
    const toolkit = writeScript(
      folder,
      'toolkit.mjs',
      `import ${JSON.stringify(import.meta.resolve('@actions/core'))};`,
    );
    const env = stepVariables(folder, (server.address() as AddressInfo).port);
    const ways = {
      empty: () => timeToExit(empty),
      step: () => timeToPost({ entry: join(root, 'dist/main/index.js'), env, posted }),
      toolkit: () => timeToExit(toolkit),
    };
    const times = { empty: [] as number[], step: [] as number[], toolkit: [] as number[] };
    for (let round = -warmUps; round < rounds; round += 1)
      for (const name of ['empty', 'step', 'toolkit'] as const) {
        const ms = await ways[name]();
        if (round >= 0) times[name].push(ms);
      }
    const print = (ms: readonly number[]) => `${median(ms).toFixed(1)} ms`;
    const above = (name: 'step' | 'toolkit') => median(times[name].map((ms, round) => ms - (times.empty[round] ?? 0)));
    return {
      what: `from the start of a process, medians of ${rounds} starts that take turns`,
      rows: [
        ['an empty Node process, to its end', print(times.empty)],
        ['the step, to its POST on the wire', print(times.step)],
        ["import('@actions/core'), to its end", print(times.toolkit)],
      ],
      ratios: [
        { name: 'step, ms above an empty process', value: above('step'), goal: 'at most 100' },
        { name: '@actions/core, ms above an empty process', value: above('toolkit'), goal: undefined },
      ],
    };
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A server that takes every request and answers none. `posted` resolves when a create has arrived. */
async function openSilentServer(): Promise<{ readonly server: Server; readonly posted: () => Promise<number> }> {
  const server = createServer(request => request.resume());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const posted = async () => {
    for (;;) {
      const [request] = await once(server, 'request');
      if (request.method === 'POST') return performance.now();
    }
  };
  return { server, posted };
}

async function timeToExit(script: string): Promise<number> {
  const startedAt = performance.now();
  const child = start(script, {});
  await once(child, 'exit');
  return performance.now() - startedAt;
}

async function timeToPost(step: {
  readonly entry: string;
  readonly env: Readonly<Record<string, string>>;
  readonly posted: () => Promise<number>;
}): Promise<number> {
  const arrived = step.posted();
  const startedAt = performance.now();
  const child = start(step.entry, step.env);
  const exited = once(child, 'exit');
  const arrivedAt = await Promise.race([arrived, exited.then(() => undefined)]);
  if (arrivedAt === undefined) throw new Error('the step ended without a POST; `npm run build` and try again');
  child.kill('SIGKILL');
  await exited;
  return arrivedAt - startedAt;
}

function start(script: string, env: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout?.resume();
  child.stderr?.resume();
  return child;
}

function writeScript(folder: string, name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** What a runner gives to a step: every input with its default, the files, the names of job and run. */
function stepVariables(folder: string, port: number): Readonly<Record<string, string>> {
  const { inputs } = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as {
    inputs: Readonly<Record<string, { readonly default?: string }>>;
  };
  const evaluated: Readonly<Record<string, string>> = { matrix_context: 'null', job_index: '0', github_token: 'none' };
  const given = { prompt: 'Look around.', base_url: `http://127.0.0.1:${port}`, api_key: 'a-key-of-a-bench' };
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

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
