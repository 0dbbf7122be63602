/**
 * How long an idle server takes from the request that creates a run to the start of its program, against a bare spawn
 * of the same program. `--before FOLDER` compares with the server of another checkout, in turns.
 */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import type { BenchOptions, Measurement, Ratio } from '../main.ts';
import { median } from '../quantile.ts';
import { ownCheckout, type ServerProcess, startServer } from './checkout-server.ts';

const rounds = 25;
const warmUps = 3;
/** Time for what a server does after a run's end. */
const pauseMs = 50;
/** Prints when it began, in nanoseconds since the epoch. */
const command = ['/bin/date', '+%s%N'] as const;
const containments = ['pid_namespace', 'process_group'] as const;

export async function measureSpawn({ before }: BenchOptions): Promise<Measurement> {
  const checkouts = { now: ownCheckout, ...(before === undefined ? {} : { before }) };
  await using servers = new AsyncDisposableStack();
  const starts: Record<string, () => Promise<number>> = { 'bare spawn': timeBareSpawn };
  for (const [when, checkout] of Object.entries(checkouts))
    for (const containment of containments) {
      const server = servers.use(await startServer({ checkout, containment, concurrency: 4, command }));
      starts[`${containment}, ${when}`] = () => timeRun(server);
    }
  const names = Object.keys(starts);
  const all: Record<string, number>[] = [];
  for (let round = -warmUps; round < rounds; round += 1) {
    const times: Record<string, number> = {};
    for (const name of names) {
      await setTimeout(pauseMs);
      times[name] = (await starts[name]?.()) ?? 0;
    }
    if (round >= 0) all.push(times);
  }
  const above = (name: string) => (times: Record<string, number>) => (times[name] ?? 0) - (times['bare spawn'] ?? 0);
  return {
    what: `from the request that creates a run to its program's start, medians of ${rounds} rounds`,
    rows: names.map(name => {
      const of = (times: Record<string, number>) => times[name] ?? 0;
      const more = name === 'bare spawn' ? '' : `, ${median(all.map(above(name))).toFixed(1)} above bare spawn`;
      return [name, `${median(all.map(of)).toFixed(1)} ms${more}`];
    }),
    ratios: containments.flatMap((containment): readonly Ratio[] => {
      const now = median(all.map(above(`${containment}, now`)));
      return [
        { name: `ms above bare spawn, ${containment}`, value: now, goal: undefined },
        ...(before === undefined
          ? []
          : [
              {
                name: `ms above bare spawn, ${containment}, now to before`,
                value: now / median(all.map(above(`${containment}, before`))),
                goal: 'at most 0.5',
              },
            ]),
      ];
    }),
  };
}

async function timeBareSpawn(): Promise<number> {
  const startedAt = nowMs();
  const child = spawn(command[0], command.slice(1), { stdio: ['ignore', 'pipe', 'ignore'] });
  return Number(await text(child.stdout)) / 1e6 - startedAt;
}

async function timeRun({ client }: ServerProcess): Promise<number> {
  const startedAt = nowMs();
  const { run_id } = await client.runs.create({ prompt: 'begin' });
  const run = await client.runs.wait(run_id);
  const begunAt = Number(run.result?.text ?? '');
  if (!(begunAt > 0)) throw new Error(`the run ended ${run.state}: ${run.status_message?.message}`);
  return begunAt / 1e6 - startedAt;
}

function nowMs(): number {
  return performance.timeOrigin + performance.now();
}
