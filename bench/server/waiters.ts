import { setTimeout as pause } from 'node:timers/promises';
import type { Measurement } from '../main.ts';
import { quantile } from '../quantile.ts';
import { printRequest, type RawAnswer, RawConnection } from './raw-connection.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

const waiterCount = 5000;
const runCount = 440;
/** Within the 50 s of a wait. */
const idleMs = 10_000;

/** Held requests: what they cost while nothing happens, and how soon each learns of the end of its run. */
export async function measureWaiters(): Promise<Measurement> {
  const bare = await measureBare();
  await using server = await startServerProcess('served.ts');
  const control = await RawConnection.open(server.port);
  const runIds: string[] = [];
  // The first takes the only place, so that the others stay queued and a cancel ends them at once.
  await createRun(control, '```sh\nsleep 600\n```');
  for (let count = 0; count <= runCount; count += 1) runIds.push(await createRun(control, '```sh\ntrue\n```'));
  const [lone = '', ...many] = runIds;
  const held = await holdRequests(server, runIds);
  const idlePart = await measureIdle(server);
  const cancel = (runId: string) => printRequest({ method: 'POST', path: `/agent/runs/${runId}/cancel` });
  await control.send(cancel(lone));
  const alone = await Promise.all(held.filter(({ runId }) => runId === lone).map(({ answer }) => answer));
  const others = held.filter(({ runId }) => runId !== lone);
  const cpuBefore = await server.cpuMs();
  const cancelling = await openConnections(server, many.length);
  await Promise.all(many.map((runId, index) => cancelling[index]?.send(cancel(runId))));
  const together = await Promise.all(others.map(({ answer }) => answer));
  const wakeCpuMs = (await server.cpuMs()) - cpuBefore;
  for (const connection of [control, ...cancelling, ...held.map(waiter => waiter.connection)]) connection.close();
  const [aloneMs, togetherMs] = [alone.map(delayMs), together.map(delayMs)];
  return {
    what: `${waiterCount} long polls on ${runCount} runs, from the end of a run to each of its waiters`,
    rows: [
      ['idle, bare held requests', printPart(bare.idlePart)],
      ['idle, the server', printPart(idlePart)],
      ['one run ends, slowest of its waiters', `${Math.max(...aloneMs)} ms`],
      [`${runCount} runs end, p50`, `${quantile(togetherMs, 0.5)} ms`],
      [`${runCount} runs end, p99`, `${quantile(togetherMs, 0.99)} ms`],
      [`${runCount} runs end, CPU`, `${Math.round(wakeCpuMs)} ms`],
      ['bare, all answered, p99', `${bare.p99Ms} ms`],
    ],
    ratios: [
      { name: 'idle, percent of a core', value: idlePart * 100, goal: 'below 3' },
      { name: 'p99 of all, ms', value: quantile(togetherMs, 0.99), goal: 'below 500' },
      {
        name: 'p99 of all to the slowest of one',
        value: quantile(togetherMs, 0.99) / Math.max(...aloneMs, 1),
        goal: undefined,
      },
      { name: 'p99 of all to bare', value: quantile(togetherMs, 0.99) / bare.p99Ms, goal: undefined },
    ],
  };
}

async function measureBare(): Promise<{ readonly idlePart: number; readonly p99Ms: number }> {
  await using server = await startServerProcess('bare-server.ts');
  const held = await holdRequests(server, ['any']);
  const idlePart = await measureIdle(server);
  const control = await RawConnection.open(server.port);
  await control.send('POST /end HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  const answers = await Promise.all(held.map(({ answer }) => answer));
  for (const connection of [control, ...held.map(waiter => waiter.connection)]) connection.close();
  return { idlePart, p99Ms: Math.max(1, quantile(answers.map(delayMs), 0.99)) };
}

/** As many requests for each run. */
async function holdRequests(server: ServerProcess, runIds: readonly string[]) {
  const connections = await openConnections(server, waiterCount);
  return connections.map((connection, index) => {
    const runId = runIds[index % runIds.length] ?? '';
    return { runId, connection, answer: connection.send(waitRequest(runId)) };
  });
}

/** Few at a time, because a busy server resets connections that overflow its backlog. */
async function openConnections({ port }: ServerProcess, count: number): Promise<readonly RawConnection[]> {
  const opened: RawConnection[] = [];
  while (opened.length < count)
    opened.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(100, count - opened.length) }, () => RawConnection.open(port)),
      )),
    );
  return opened;
}

/** The part of a core that the server takes while nothing happens. */
async function measureIdle(server: ServerProcess): Promise<number> {
  // All requests have arrived.
  await pause(3000);
  const cpuBefore = await server.cpuMs();
  const startedAt = performance.now();
  await pause(idleMs);
  return ((await server.cpuMs()) - cpuBefore) / (performance.now() - startedAt);
}

function waitRequest(runId: string): string {
  return printRequest({
    method: 'GET',
    path: `/agent/runs/${runId}`,
    headers: { 'If-None-Match': '"1"', Prefer: 'wait=50' },
  });
}

async function createRun(connection: RawConnection, prompt: string): Promise<string> {
  const { body } = await connection.send(printRequest({ method: 'POST', path: '/agent/runs', body: { prompt } }));
  return (JSON.parse(body) as { run_id: string }).run_id;
}

function delayMs({ status, body, atMs }: RawAnswer): number {
  if (status !== 200) throw new Error(`a waiter was answered with ${status}`);
  return atMs - Date.parse((JSON.parse(body) as { finished_at: string }).finished_at);
}

function printPart(part: number): string {
  return `${(part * 100).toFixed(1)} % of a core`;
}
