/**
 * A program that outlives a killed server for a moment. It reads orders from standard input. If that ends without a
 * goodbye, it kills every process and removes every container of the watched runs. watchdog-link.ts starts it with
 * the server's id as its only argument. It has its own session, so Ctrl-C in the server's terminal does not reach it.
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

// A signal sent to the server and everything around it must not end the watchdog first.
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
  // A broken pipe or a line cut short means the same as the end of input.
}
if (!dismissed) {
  const markers = [...watched.keys()].map(runId => ({ serverId, runId }));
  const runs = [...watched.values()];
  const leaders = runs.flatMap(run => run.leaders ?? []);
  const folders = runs.map(run => run.folder);
  // Processes that begin after this belong to someone else, such as the job's next step.
  const until = findNewest();
  const orphans = runs.flatMap(run => (run.orphans === undefined ? [] : [{ ...run.orphans, until }]));
  // Clients of containers go first, so that none makes another container.
  await sweep({ markers, leaders, folders, orphans }, { quietMs: 500, budgetMs: 60_000 }, systemClock).catch(() => {});
  for (const [runId, { engine }] of watched)
    if (engine !== undefined)
      await removeContainers(engine, { serverId, runId }, { clock: systemClock, quietMs: 1000 }).catch(() => {});
}
process.exit();

/** Start time of the newest process. */
function findNewest(): string | undefined {
  try {
    return String(Math.max(...readProcessTable().map(({ startTicks }) => Number(startTicks))));
  } catch {
    return undefined;
  }
}
