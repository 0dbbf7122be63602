/**
 * The program that outlives a killed server for a moment: it reads orders from standard input and, when that ends without a goodbye,
 * kills every process of the runs it watches. Started by watchdog-link.ts with the server's id as its only argument, in a session of its own, so that
 * Ctrl-C in the server's terminal does not reach it.
 */
import { createInterface } from 'node:readline';
import { systemClock } from '../../base/clock.ts';
import type { Leader } from './run-processes.ts';
import { sweep } from './sweep.ts';
import { parseOrder } from './watchdog-orders.ts';

const serverId = process.argv[2] ?? '';
const watched = new Map<string, Leader | undefined>();
let dismissed = false;

// Whoever ends the server by a signal to everything around it must not end its watchdog first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.title = `agent-run watchdog of ${serverId}`;

try {
  for await (const line of createInterface({ input: process.stdin })) {
    const order = parseOrder(line);
    if (order.kind === 'watch') watched.set(order.runId, order.leader);
    else if (order.kind === 'drop') watched.delete(order.runId);
    else dismissed = true;
  }
} catch {
  // A pipe that breaks, or a line cut short, tells the same as one that ends.
}
if (!dismissed) {
  const markers = [...watched.keys()].map(runId => ({ serverId, runId }));
  const leaders = [...watched.values()].filter(leader => leader !== undefined);
  await sweep({ markers, leaders }, { quietMs: 500, budgetMs: 60_000 }, systemClock);
}
process.exit();
