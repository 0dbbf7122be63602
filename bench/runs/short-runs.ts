/**
 * Short runs at concurrency 8, against spawning the same commands, in turns. `--before FOLDER` compares with the
 * server of another checkout. Rates are medians of the batches, CPU times their means.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { BenchOptions, Measurement, Ratio } from '../main.ts';
import { median } from '../quantile.ts';
import { ownCheckout, type ServerProcess, startServer } from './checkout-server.ts';

const batches = 3;
const batchRuns = 96;
const concurrency = 8;
const command = ['/bin/bash', '-c', 'cat; echo done'] as const;
const containments = ['pid_namespace', 'process_group'] as const;

interface Cost {
  readonly perSecond: number;
  /** CPU time of one run. */
  readonly serverMs: number;
  readonly childrenMs: number;
}

export async function measureShortRuns({ before }: BenchOptions): Promise<Measurement> {
  const checkouts = { now: ownCheckout, ...(before === undefined ? {} : { before }) };
  await using servers = new AsyncDisposableStack();
  const tasks: Record<string, () => Promise<Cost>> = { 'spawning the same commands': spawnBatch };
  for (const containment of containments)
    for (const [when, checkout] of Object.entries(checkouts)) {
      const server = servers.use(await startServer({ checkout, containment, concurrency, command }));
      tasks[`${containment}, ${when}`] = () => measureBatch(server);
    }
  const costs: Record<string, Cost>[] = [];
  for (let batch = -1; batch < batches; batch += 1) {
    const measured: Record<string, Cost> = {};
    for (const [name, task] of Object.entries(tasks)) measured[name] = await task();
    if (batch >= 0) costs.push(measured);
  }
  const of = (name: string, key: keyof Cost) => costs.map(measured => measured[name]?.[key] ?? Number.NaN);
  const perSecond = (name: string) => median(of(name, 'perSecond'));
  const ratios = containments.flatMap((containment): readonly Ratio[] => {
    const [now, then] = [`${containment}, now`, `${containment}, before`];
    const gain = { name: `runs a second, ${containment}, now to before`, value: perSecond(now) / perSecond(then) };
    return [
      {
        name: `runs to spawns, ${containment}`,
        value: perSecond(now) / perSecond('spawning the same commands'),
        goal: undefined,
      },
      { name: `server CPU, ms a run, ${containment}`, value: mean(of(now, 'serverMs')), goal: 'below 20' },
      ...(before === undefined ? [] : [{ ...gain, goal: 'at least 2.5' }]),
    ];
  });
  const rows = Object.keys(tasks).map(name => {
    const cpu = `CPU: server ${mean(of(name, 'serverMs')).toFixed(1)} ms, children ${mean(of(name, 'childrenMs')).toFixed(1)} ms`;
    return [name, `${perSecond(name).toFixed(1)}/s, ${cpu}`] as const;
  });
  return { what: `${batches} batches of ${batchRuns} short runs at concurrency ${concurrency}`, rows, ratios };
}

async function measureBatch({ client: { runs }, readCpuMs }: ServerProcess): Promise<Cost> {
  const cpuBefore = readCpuMs();
  const startedAt = performance.now();
  const created = await Promise.all(Array.from({ length: batchRuns }, () => runs.create({ prompt: 'print' })));
  for (const { run_id } of created) {
    const run = await runs.wait(run_id);
    if (run.state !== 'SUCCEEDED') throw new Error(`a run ended ${run.state}: ${run.status_message?.message}`);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = readCpuMs();
  return {
    perSecond: batchRuns / seconds,
    serverMs: (cpu.server - cpuBefore.server) / batchRuns,
    childrenMs: (cpu.children - cpuBefore.children) / batchRuns,
  };
}

async function spawnBatch(): Promise<Cost> {
  const startedAt = performance.now();
  let left = batchRuns;
  const work = async () => {
    while (left-- > 0) {
      const child = spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'pipe'] });
      child.stdout.resume();
      child.stderr.resume();
      child.stdin.end('print');
      await once(child, 'close');
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const seconds = (performance.now() - startedAt) / 1000;
  return { perSecond: batchRuns / seconds, serverMs: 0, childrenMs: 0 };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
