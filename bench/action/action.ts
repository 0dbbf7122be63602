/**
 * What a step costs before its run exists, for the committed bundle: from the start of the process to the first
 * request on the wire, and to the run's id in the file of the outputs. The starts take turns, and differences and
 * ratios are taken within a round, so that what else the machine does meets all of them. Each figure is a median.
 *
 * - `--before FOLDER` compares the run's id with an earlier `dist`: `git worktree add /tmp/old COMMIT`, then
 *   `--before /tmp/old/dist`.
 * - `--peer FILE` compares the first request with another action, by its main file. Repeatable. The peer gets the
 *   same variables as our step and the defaults of the nearest action.yml above it. GitHub's URLs and the proxy are a
 *   loopback server. A peer that ignores both reaches the network.
 * - `--peer-env NAME=VALUE` sets a variable for all peers, such as an input that one requires: `INPUT_PROMPT=Hi`.
 *   Repeatable. `{server}` becomes the URL of the loopback server. `NODE_USE_ENV_PROXY=1` keeps on loopback what Node
 *   itself sends, but delays the start.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { BenchOptions, Measurement, Ratio } from '../main.ts';
import { median } from '../quantile.ts';
import { openRunServer, openSilentServer } from './loopback-servers.ts';
import { mainEntry, startProcess, stepVariables, timeStart, writeScript } from './step-process.ts';

const rounds = 15;
const warmUps = 2;
const latenciesMs = [5, 150];

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

type Outcome = number | string;
/** Gets an empty folder. Returns milliseconds, or why there are none. */
type Start = (folder: string) => Promise<Outcome>;

export async function measureAction(options: BenchOptions): Promise<Measurement> {
  const { before, peer: peers = [] } = options;
  const toRequest = (what: string) => `${what}, to its first request`;
  const toId = (what: string, latencyMs: number) => `${what}, to its run_id, answers after ${latencyMs} ms`;
  const starts = new Map<string, Start>([
    ['an empty Node process, to its end', timeEmptyProcess],
    [toRequest('step'), folder => timeToRequest(folder, () => ({}))],
    [
      toRequest('step after a push'),
      folder =>
        timeToRequest(folder, () => ({
          GITHUB_EVENT_NAME: 'push',
          GITHUB_EVENT_PATH: writeScript(folder, 'push.json', pushPayload),
        })),
    ],
  ]);
  for (const ms of latenciesMs) {
    starts.set(toId('step', ms), folder => timeToRunId(folder, mainEntry, ms));
    if (before === undefined) continue;
    starts.set(toId('before', ms), folder => timeToRunId(folder, join(resolve(before), 'main/index.js'), ms));
  }
  const peerVariables = readPeerVariables(options['peer-env'] ?? []);
  for (const file of peers) starts.set(toRequest(file), folder => timeToRequest(folder, peerVariables, resolve(file)));

  const { times, failures } = await takeTurns(starts, new Set(peers.map(toRequest)));
  const compare = (one: string, other: string, by: (one: number, other: number) => number) =>
    median((times.get(one) ?? []).map((ms, round) => by(ms, times.get(other)?.[round] ?? Number.NaN)));
  const aboveEmpty = (what: string): Ratio => ({
    name: `${what}, ms above an empty process`,
    value: compare(toRequest(what), 'an empty Node process, to its end', subtract),
    goal: 'at most 100',
  });
  const aboveBefore = (latencyMs: number): Ratio => ({
    name: `run_id, answers after ${latencyMs} ms, ms above before`,
    value: compare(toId('step', latencyMs), toId('before', latencyMs), subtract),
    goal: 'at most 25',
  });
  const toPeer = (file: string): Ratio => ({
    name: `first request, to ${file}`,
    value: compare(toRequest('step'), toRequest(file), (one, other) => one / other),
    goal: 'below 1',
  });
  return {
    what: `from the start of a process, medians of ${rounds} starts that take turns`,
    rows: [
      ...[...starts.keys()].map(name => [name, failures.get(name) ?? printMs(times.get(name) ?? [])] as const),
      ...(before === undefined ? [['an earlier dist', 'not compared; pass `-- --before FOLDER`'] as const] : []),
      ...(peers.length === 0 ? [['other actions', 'not compared; pass `-- --peer FILE`'] as const] : []),
    ],
    ratios: [
      aboveEmpty('step'),
      aboveEmpty('step after a push'),
      ...(before === undefined ? [] : latenciesMs.map(aboveBefore)),
      ...peers.filter(file => !failures.has(toRequest(file))).map(toPeer),
    ],
  };
}

function subtract(one: number, other: number): number {
  return one - other;
}

function printMs(times: readonly number[]): string {
  return `${median(times).toFixed(1)} ms`;
}

/** A peer that fails gets no further turn. Throws if another start fails. */
async function takeTurns(starts: ReadonlyMap<string, Start>, peers: ReadonlySet<string>) {
  const times = new Map([...starts.keys()].map(name => [name, [] as number[]]));
  const failures = new Map<string, string>();
  for (let round = -warmUps; round < rounds; round += 1)
    // Back and forth, so that no start always follows the same one.
    for (const [name, start] of round % 2 === 0 ? [...starts] : [...starts].toReversed()) {
      if (failures.has(name)) continue;
      const folder = mkdtempSync(join(tmpdir(), 'agent-run-bench-'));
      try {
        const outcome = await start(folder);
        if (typeof outcome === 'string') {
          if (!peers.has(name)) throw new Error(`${name}: ${outcome}`);
          failures.set(name, outcome);
        } else if (round >= 0) times.get(name)?.push(outcome);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
  return { times, failures };
}

async function timeEmptyProcess(folder: string): Promise<number> {
  const script = writeScript(folder, 'empty.mjs', '');
  const startedAt = performance.now();
  await once(startProcess(script, {}), 'exit');
  return performance.now() - startedAt;
}

function inputsFor(url: string) {
  return { prompt: 'Look around.', base_url: url, api_key: 'a-key-of-a-bench' };
}

async function timeToRequest(
  folder: string,
  variables: (url: string) => Readonly<Record<string, string>>,
  peer?: string,
): Promise<Outcome> {
  using server = await openSilentServer();
  const { url, requested } = server;
  const step = peer === undefined ? { inputs: inputsFor(url), entry: mainEntry } : { inputs: {}, entry: peer };
  const env = { ...stepVariables({ folder, ...step }), ...variables(url) };
  return await timeStart({ entry: step.entry, env, reached: requested });
}

async function timeToRunId(folder: string, entry: string, latencyMs: number): Promise<Outcome> {
  using server = await openRunServer(latencyMs);
  const env = stepVariables({ folder, entry, inputs: inputsFor(server.url) });
  const output = join(folder, 'output');
  const written = Promise.withResolvers<number>();
  const watcher = watch(output, () => {
    const now = performance.now();
    if (readFileSync(output, 'utf8').includes(server.runId)) written.resolve(now);
  });
  try {
    return await timeStart({ entry, env, reached: written.promise });
  } finally {
    watcher.close();
  }
}

/** Throws on what is not NAME=VALUE. */
function readPeerVariables(pairs: readonly string[]): (url: string) => Readonly<Record<string, string>> {
  const given = pairs.map(pair => {
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (name === '') throw new Error(`--peer-env must be NAME=VALUE, not "${pair}"`);
    return [name, value] as const;
  });
  return url => ({
    GITHUB_API_URL: url,
    GITHUB_GRAPHQL_URL: `${url}/graphql`,
    GITHUB_SERVER_URL: url,
    ...Object.fromEntries(['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map(name => [name, url])),
    ...Object.fromEntries(given.map(([name, value]) => [name, value.replaceAll('{server}', url)])),
  });
}
