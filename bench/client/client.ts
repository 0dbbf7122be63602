/**
 * What a call through the client costs, against bare `fetch` with `json()` and against the published client of the
 * public service. They take turns in small batches; a ratio is the median of the rounds' ratios. Once with a `fetch`
 * that answers at once, so that only the client's own work shows, and once with the server in this process. Memory is
 * what the heap grew by over a batch, as `process.memoryUsage()` says; rounds in which the garbage collector ran are
 * dropped.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import PublishedClient from 'oz-agent-sdk';
import { AgentRuns, type Fetch } from '../../src/client/index.ts';
import type { Measurement, Ratio } from '../main.ts';
import { median } from '../quantile.ts';
import { baseUrl, type DirectServer, key, openDirectServer } from '../server/direct-server.ts';

const rounds = 60;
const warmUps = 10;
const names = ['bare fetch', 'this client', 'oz-agent-sdk'] as const;
type Name = (typeof names)[number];
type Call = () => Promise<unknown>;

interface Cost {
  readonly microseconds: number;
  readonly bytes: number;
}
/** Of one round, in which all had their turn. */
type Round = Readonly<Record<Name, Cost>>;

export async function measureClient(): Promise<Measurement> {
  await using server = await openDirectServer();
  const runId = await finishRun(server);
  const run = await (await server.fetch(addressOf(runId), { headers: { Authorization: `Bearer ${key}` } })).text();
  const headers = {
    'Content-Type': 'application/json',
    'Agent-Run-Features': 'idempotency, wait, events, lease, result',
  };
  const fixed: Fetch = async () => new Response(run, { headers });
  const alone = await compareCalls(runId, fixed, 100);
  const served = await compareCalls(runId, server.fetch, 25);
  const rowsOf = (what: string, costs: readonly Round[]) =>
    names.map(name => [`${what}, ${name}`, printCost(costs.map(round => round[name]))] as const);
  return {
    what: `reading a run of ${run.length} bytes, medians of ${rounds} rounds`,
    rows: [...rowsOf('fixed answer', alone), ...rowsOf('server in process', served)],
    ratios: [
      ratioOf('time, server in process, to bare fetch', served, 'bare fetch', 'microseconds', 'at most 1.3'),
      ratioOf('time, server in process, to oz-agent-sdk', served, 'oz-agent-sdk', 'microseconds', 'below 1'),
      ratioOf('time, fixed answer, to bare fetch', alone, 'bare fetch', 'microseconds', undefined),
      ratioOf('time, fixed answer, to oz-agent-sdk', alone, 'oz-agent-sdk', 'microseconds', 'below 1'),
      ratioOf('memory, fixed answer, to oz-agent-sdk', alone, 'oz-agent-sdk', 'bytes', 'below 1'),
    ],
  };
}

/** The median of the ratios within each round: what else the machine does meets both. */
function ratioOf(name: string, costs: readonly Round[], other: Name, unit: keyof Cost, goal: Ratio['goal']): Ratio {
  return { name, value: median(costs.map(round => round['this client'][unit] / round[other][unit])), goal };
}

function printCost(costs: readonly Cost[]): string {
  const microseconds = median(costs.map(cost => cost.microseconds));
  const bytes = median(costs.map(cost => cost.bytes));
  return `${microseconds.toFixed(1)} µs, ${(bytes / 1024).toFixed(1)} KiB`;
}

function addressOf(runId: string): string {
  return `${baseUrl}/api/v1/agent/runs/${runId}`;
}

async function compareCalls(runId: string, fetch: Fetch, batch: number): Promise<readonly Round[]> {
  const client = new AgentRuns({ baseUrl, apiKey: key, fetch, logLevel: 'off' });
  const published = new PublishedClient({
    apiKey: key,
    baseURL: `${baseUrl}/api/v1`,
    fetch: (url, init) => fetch(String(url), init ?? {}),
  });
  const calls: Readonly<Record<Name, Call>> = {
    'bare fetch': async () => {
      const response = await fetch(addressOf(runId), { headers: { Authorization: `Bearer ${key}` } });
      return await response.json();
    },
    'this client': () => client.runs.retrieve(runId),
    'oz-agent-sdk': () => published.agent.runs.retrieve(runId),
  };
  const costs: Round[] = [];
  for (let round = -warmUps; round < rounds; round += 1) {
    const measured: Partial<Record<Name, Cost>> = {};
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(round + warmUps + turn) % names.length] ?? 'bare fetch';
      const cost = await measureBatch(calls[name], batch);
      if (cost !== undefined) measured[name] = cost;
    }
    if (round >= 0 && names.every(name => measured[name] !== undefined)) costs.push(measured as Round);
  }
  return costs;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
let collections = 0;
new PerformanceObserver(list => {
  collections += list.getEntries().length;
}).observe({ entryTypes: ['gc'] });
/** The observer is told a turn of the event loop later. */
const nextTurn = () => new Promise(resolve => setImmediate(resolve));

/** What one call costs; undefined where the garbage collector came between. */
async function measureBatch(call: Call, count: number): Promise<Cost | undefined> {
  collectGarbage();
  await nextTurn();
  await nextTurn();
  const collectionsBefore = collections;
  const heapBefore = process.memoryUsage().heapUsed;
  const startedAt = performance.now();
  for (let index = 0; index < count; index += 1) await call();
  const tookMs = performance.now() - startedAt;
  const grown = process.memoryUsage().heapUsed - heapBefore;
  await nextTurn();
  await nextTurn();
  if (collections !== collectionsBefore) return undefined;
  return { microseconds: (tookMs * 1000) / count, bytes: grown / count };
}

async function finishRun({ fetch }: DirectServer): Promise<string> {
  const client = new AgentRuns({ baseUrl, apiKey: key, fetch, logLevel: 'error' });
  const { run_id } = await client.runs.create({ prompt: '```sh\necho done\n```' });
  return (await client.runs.wait(run_id)).run_id;
}
