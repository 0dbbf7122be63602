import type { Measurement } from '../main.ts';
import { median } from '../quantile.ts';
import { printRequest, RawConnection } from './raw-connection.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

const connections = 64;
const rounds = 5;
const creates = 600;

interface Cost {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
}

/** Durable creates over a port, against bare `node:http` with the same tables, and against commits without a flush. */
export async function measureCreates(): Promise<Measurement> {
  await using served = await startServerProcess('served.ts');
  await using unflushed = await startServerProcess('served.ts', ['no-flush']);
  await using bare = await startServerProcess('bare-server.ts');
  const [ours, oursUnflushed, bares]: [Cost[], Cost[], Cost[]] = [[], [], []];
  for (const server of [served, unflushed]) await fillPlace(server);
  for (let round = -1; round < rounds; round += 1) {
    const costs = [await createMany(bare), await createMany(served), await createMany(unflushed)] as const;
    // The first round warms up.
    if (round < 0) continue;
    bares.push(costs[0]);
    ours.push(costs[1]);
    oursUnflushed.push(costs[2]);
  }
  const ratio = (others: readonly Cost[], of: keyof Cost) =>
    median(ours.map((cost, round) => cost[of] / (others[round]?.[of] ?? Number.NaN)));
  const print = (costs: readonly Cost[]) => {
    const perSecond = median(costs.map(cost => cost.perSecond));
    const cpu = median(costs.map(cost => cost.cpuMicroseconds));
    return `${Math.round(perSecond)} a second, ${Math.round(cpu)} µs CPU each`;
  };
  return {
    what: `durable creates, ${connections} connections, medians of ${rounds} rounds of ${creates}`,
    rows: [
      ['bare node:http, same tables', print(bares)],
      ['the server', print(ours)],
      ['the server, synchronous=OFF', print(oursUnflushed)],
    ],
    ratios: [
      { name: 'creates a second, to bare', value: ratio(bares, 'perSecond'), goal: 'at least 0.35' },
      { name: 'creates a second, to synchronous=OFF', value: ratio(oursUnflushed, 'perSecond'), goal: 'at least 0.7' },
      { name: 'CPU a create, to bare', value: ratio(bares, 'cpuMicroseconds'), goal: undefined },
    ],
  };
}

/** A run that takes the only place, so that no create starts a program. */
async function fillPlace({ port }: ServerProcess): Promise<void> {
  const connection = await RawConnection.open(port);
  const { status } = await connection.send(create('```sh\nsleep 600\n```'));
  if (status !== 200) throw new Error(`a create was answered with ${status}`);
  connection.close();
}

async function createMany(server: ServerProcess): Promise<Cost> {
  const open = await Promise.all(Array.from({ length: connections }, () => RawConnection.open(server.port)));
  const text = create('```sh\necho done\n```');
  let left = creates;
  const cpuBefore = await server.cpuMs();
  const startedAt = performance.now();
  await Promise.all(
    open.map(async connection => {
      while (left > 0) {
        left -= 1;
        const { status } = await connection.send(text);
        if (status !== 200) throw new Error(`a create was answered with ${status}`);
      }
    }),
  );
  const tookMs = performance.now() - startedAt;
  const cpuMs = (await server.cpuMs()) - cpuBefore;
  for (const connection of open) connection.close();
  return { perSecond: (creates / tookMs) * 1000, cpuMicroseconds: (cpuMs / creates) * 1000 };
}

function create(prompt: string): string {
  return printRequest({ method: 'POST', path: '/agent/runs', body: { prompt } });
}
