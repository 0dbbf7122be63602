/**
 * The program that outlives a killed server for a moment: it reads orders from standard input and, when that ends without a goodbye,
 * kills every process and removes every container of the runs it watches. Started by watchdog-link.ts with the server's id as its only argument, in a session of its own, so that
 * Ctrl-C in the server's terminal does not reach it.
 */
import { createInterface } from 'node:readline';
import { systemClock } from '../../../base/clock.ts';
import { closeDebuggerDoor } from '../../../base/process/debugger-door.ts';
import { removeContainers } from '../containers/container-removal.ts';
import { readProcessTable } from './process-table.ts';
import { sweep } from './sweep.ts';
import { parseOrder, type WatchedRun } from './watchdog-orders.ts';

const serverId = process.argv[2] ?? '';
const watched = new Map<string, WatchedRun>();
let dismissed = false;

// Whoever ends the server by a signal to everything around it must not end its watchdog first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
closeDebuggerDoor();
process.title = `agent-run watchdog of ${serverId}`;

try {
  for await (const line of createInterface({ input: process.stdin })) {
    const order = parseOrder(line);
    if (order.kind === 'watch') watched.set(order.runId, order);
    else if (order.kind === 'drop') watched.delete(order.runId);
    else dismissed = true;
  }
} catch {
  // A pipe that breaks, or a line cut short, tells the same as one that ends.
}
if (!dismissed) {
  const markers = [...watched.keys()].map(runId => ({ serverId, runId }));
  const runs = [...watched.values()];
  const leaders = runs.map(run => run.leader).filter(leader => leader !== undefined);
  const folders = runs.map(run => run.folder);
  // What begins there from now on is of somebody who came after the server, such as the next step of a job.
  const until = findNewest();
  const orphans = runs.flatMap(run => (run.orphans === undefined ? [] : [{ ...run.orphans, until }]));
  // The clients of containers first, so that none makes another one.
  await sweep({ markers, leaders, folders, orphans }, { quietMs: 500, budgetMs: 60_000 }, systemClock).catch(() => {});
  for (const [runId, { engine }] of watched)
    if (engine !== undefined)
      await removeContainers(engine, { serverId, runId }, { clock: systemClock, quietMs: 1000 }).catch(() => {});
}
process.exit();

/** When the newest process of all began. */
function findNewest(): string | undefined {
  try {
    return String(Math.max(...readProcessTable().map(({ startTicks }) => Number(startTicks))));
  } catch {
    return undefined;
  }
}
