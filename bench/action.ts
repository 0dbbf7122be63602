/**
 * What a step costs before it does anything: from the start of the process to the create on the wire, for the committed bundle, in milliseconds more
 * than a Node process with nothing in it. Beside it, what loading GitHub's toolkit alone would cost. They take turns, and the differences are
 * taken within a round, so that what else the machine does meets both; each figure is a median.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Measurement } from './main.ts';
import { mainEntry, median, startProcess, stepVariables, writeScript } from './step-process.ts';

const rounds = 15;
const warmUps = 2;

/** As long as what GitHub tells of a push of ten commits. */
const pushPayload = JSON.stringify({
  ref: 'refs/heads/main',
  after: 'ffac537e6cbbf934b08745a378932722df287a53',
  repository: { id: 1, full_name: 'octo-org/shop', default_branch: 'main', fork: false },
  sender: { login: 'octocat', type: 'User' },
  commits: Array.from({ length: 10 }, (_, number) => ({
    id: `${number}`.repeat(40),
    message: 'A change. '.repeat(40),
  })),
});

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
    const env = stepVariables(folder, {
      prompt: 'Look around.',
      base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      api_key: 'a-key-of-a-bench',
    });
    const push = {
      ...env,
      GITHUB_EVENT_NAME: 'push',
      GITHUB_EVENT_PATH: writeScript(folder, 'push.json', pushPayload),
    };
    const ways = {
      empty: () => timeToExit(empty),
      step: () => timeToPost({ entry: mainEntry, env, posted }),
      push: () => timeToPost({ entry: mainEntry, env: push, posted }),
      toolkit: () => timeToExit(toolkit),
    };
    const times = { empty: [] as number[], step: [] as number[], push: [] as number[], toolkit: [] as number[] };
    for (let round = -warmUps; round < rounds; round += 1)
      for (const name of ['empty', 'step', 'push', 'toolkit'] as const) {
        const ms = await ways[name]();
        if (round >= 0) times[name].push(ms);
      }
    const print = (ms: readonly number[]) => `${median(ms).toFixed(1)} ms`;
    const above = (name: 'step' | 'push' | 'toolkit') =>
      median(times[name].map((ms, round) => ms - (times.empty[round] ?? 0)));
    return {
      what: `from the start of a process, medians of ${rounds} starts that take turns`,
      rows: [
        ['an empty Node process, to its end', print(times.empty)],
        ['the step, to its POST on the wire', print(times.step)],
        ['the step after a push, to its POST on the wire', print(times.push)],
        ["import('@actions/core'), to its end", print(times.toolkit)],
      ],
      ratios: [
        { name: 'step, ms above an empty process', value: above('step'), goal: 'at most 100' },
        { name: 'step after a push, ms above an empty process', value: above('push'), goal: 'at most 100' },
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
  const child = startProcess(script, {});
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
  const child = startProcess(step.entry, step.env);
  const exited = once(child, 'exit');
  const arrivedAt = await Promise.race([arrived, exited.then(() => undefined)]);
  if (arrivedAt === undefined) throw new Error('the step ended without a POST; `npm run build` and try again');
  child.kill('SIGKILL');
  await exited;
  return arrivedAt - startedAt;
}
