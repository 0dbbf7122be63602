/**
 * Lists of servers with a thousand and with many runs, in turns. A filter matches the same share of the runs at every
 * size, so the pages are equal. The thousand are listed twice a round: their difference is noise.
 * `--runs 1000000` takes that many instead of 100,000; filling takes about a minute then.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createLog, createServer, listen, readServerConfig } from '../../src/server/index.ts';
import type { BenchOptions, Measurement, Ratio } from '../main.ts';
import { quantile } from '../quantile.ts';
import { baseUrl, key } from './direct-server.ts';
import { fillStore, leastRuns } from './filled-store.ts';

const rounds = 100;
const scanRounds = 3;
const scansAtOnce = 4;
/** Goal for lists of many runs against the same of few. Noise above it hides whether it is reached. */
const most = 1.5;

/** Lists that an index has in their order, or whose filter matches few runs of any server. */
const indexed: Readonly<Record<string, string>> = {
  'no filter': '',
  'state=FAILED': 'state=FAILED',
  'name, one in 20': 'name=nightly-7',
  'model_id, one in 5': 'model_id=model-2',
  'creator, one in 10': 'creator=key-3',
  'source, one in 5': 'source=CLI',
  'skill_spec, one in 50': 'skill_spec=octo-org%2Fshop%3Askill-7',
  'environment_id, one in 10': 'environment_id=environment-4',
  'metadata, one in 20': 'metadata[team]=team-7',
  'metadata, one run': 'metadata[pull_request]=500',
  'sort_by=title': 'sort_by=title&sort_order=asc',
  'sort_by=agent': 'sort_by=agent&sort_order=asc',
  'created_at of one creator': 'creator=key-3&sort_by=created_at',
  'q that many match': 'q=checkout',
  'creator without a run': 'creator=nobody&q=checkout&sort_by=title',
};

/** Lists that have to look at every run. */
const scans: Readonly<Record<string, string>> = {
  'q without a match': 'q=nothing+of+the+kind',
  'q without a match, sort_by=title': 'q=nothing+of+the+kind&sort_by=title',
  'artifact_type without a match': 'artifact_type=PULL_REQUEST',
};

interface FilledServer {
  list(query: string): Promise<void>;
  fetch(request: Request): Response | Promise<Response>;
  setAddress(url: string): void;
  close(): Promise<void>;
}

export async function measureLists(options: BenchOptions): Promise<Measurement> {
  const runs = Number(options.runs ?? 100_000);
  const few = await openFilledServer(leastRuns);
  console.error(`filling ${runs} runs`);
  const many = await openFilledServer(runs);
  try {
    const times = Object.entries(indexed).map(([name, query]) => ({
      name,
      query,
      few: [] as number[],
      many: [] as number[],
      again: [] as number[],
    }));
    for (let round = -5; round < rounds; round += 1)
      for (const time of times) {
        const took: number[] = [];
        for (const server of [few, many, few]) took.push(await timeMs(() => server.list(time.query)));
        for (const [index, list] of [time.few, time.many, time.again].entries()) {
          if (round === 0) list.length = 0;
          list.push(took[index] ?? Number.NaN);
        }
      }
    const health = await watchHealth(many);
    const scanned: { readonly name: string; readonly seconds: number }[] = [];
    for (const [name, query] of Object.entries(scans)) {
      const took: number[] = [];
      for (let round = 0; round < scanRounds; round += 1) took.push(await timeMs(() => many.list(query)));
      scanned.push({ name, seconds: quantile(took, 0.5) / 1000 });
    }
    const scanning = await health.read();
    await Promise.all(Array.from({ length: scansAtOnce }, () => many.list(scans['q without a match'] ?? '')));
    const crowded = await health.read();
    await health.close();
    const print = (ms: readonly number[]) => `${quantile(ms, 0.5).toFixed(2)} / ${quantile(ms, 0.99).toFixed(2)} ms`;
    const largest = (part: number, size: 'many' | 'again') =>
      Math.max(...times.map(time => quantile(time[size], part) / quantile(time.few, part)));
    return {
      what: `lists of ${runs} runs against ${leastRuns}, ${rounds} rounds in turns: p50 / p99`,
      rows: [
        ...times.map(({ name, few, many }) => [name, `${print(few)}, with many runs ${print(many)}`] as const),
        ...scanned.map(({ name, seconds }) => [name, `${seconds.toFixed(2)} s`] as const),
        ['/healthz without lists', print(health.idle)],
        ['/healthz during one search', print(scanning)],
        [`/healthz during ${scansAtOnce} searches`, print(crowded)],
      ],
      ratios: [
        ...[0.5, 0.99].flatMap((part): readonly Ratio[] => {
          const ratios = times.map(({ few, many }) => quantile(many, part) / quantile(few, part));
          const noise = largest(part, 'again');
          const percentile = `p${part * 100}`;
          return [
            {
              name: `many runs to few, ${percentile}, median of ${times.length} lists`,
              value: quantile(ratios, 0.5),
              goal: `at most ${most}`,
            },
            {
              name: `many runs to few, ${percentile}, worst of them`,
              value: largest(part, 'many'),
              goal: noise < most ? `at most ${most}` : undefined,
            },
            { name: `few runs to themselves, ${percentile}, worst of them: noise`, value: noise, goal: undefined },
          ];
        }),
        ...scanned.map(({ name, seconds }) => ({ name: `${name}, seconds`, value: seconds, goal: 'at most 2' })),
        { name: '/healthz during one search, p99 in ms', value: quantile(scanning, 0.99), goal: 'below 20' },
        { name: '/healthz during searches, p99 in ms', value: quantile(crowded, 0.99), goal: 'below 20' },
      ],
    };
  } finally {
    await few.close();
    await many.close();
  }
}

/** Its runs stay as they are, because it is never started. */
async function openFilledServer(runs: number): Promise<FilledServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-run-bench-'));
  await fillStore(dataDir, runs);
  const config = readServerConfig({
    env: { PATH: process.env.PATH, AGENT_RUN_API_KEY: key, AGENT_RUN_DATA: dataDir },
    cwd: dataDir,
  });
  const server = await createServer(config, { log: createLog(line => console.error(line), 'error') });
  return {
    async list(query) {
      const headers = { Authorization: `Bearer ${key}` };
      const response = await server.fetch(new Request(`${baseUrl}/api/v1/agent/runs?${query}`, { headers }));
      const body = await response.text();
      if (response.status !== 200) throw new Error(`${query}: ${response.status} ${body}`);
    },
    fetch: request => server.fetch(request),
    setAddress: url => server.setAddress(url),
    async close() {
      await server.stop({ drainSeconds: 0 });
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Asks `/healthz` from a thread, so that what stops the server does not stop the question. */
async function watchHealth(server: FilledServer) {
  const listening = await listen(server, { host: '127.0.0.1', port: 0 });
  const thread = new Worker(new URL('./health-thread.ts', import.meta.url), { workerData: `${listening.url}/healthz` });
  const read = async (): Promise<readonly number[]> => {
    thread.postMessage('read');
    return (await once(thread, 'message'))[0] as readonly number[];
  };
  await read();
  await new Promise(resolve => setTimeout(resolve, 1000));
  return {
    idle: await read(),
    read,
    async close() {
      await thread.terminate();
      await listening.close();
    },
  };
}

async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
