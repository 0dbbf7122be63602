/**
 * Servers for one start of a step. Each start gets its own, so that nothing of a killed process reaches the next one.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { headerNames, serverFeatures } from '../../src/contract/tables/headers.ts';
import { apiPrefix, routes } from '../../src/contract/tables/routes.ts';

/** Answers nothing. Plain HTTP, the CONNECT to a proxy and TLS all count as a request: its first bytes do. */
export async function openSilentServer() {
  const requested = Promise.withResolvers<number>();
  const server = createServer(socket => {
    socket.once('data', () => requested.resolve(performance.now()));
    // A killed process resets its connections.
    socket.on('error', () => {});
  });
  return {
    url: await listen(server),
    /** When, by `performance.now()`. */
    requested: requested.promise,
    [Symbol.dispose]: () => void server.close(),
  };
}

/** Answers creates like a server of this project, but runs nothing. Each answer comes after `latencyMs`. */
export async function openRunServer(latencyMs: number) {
  const runId = randomUUID();
  const answers: Readonly<Record<string, unknown>> = {
    [`POST ${apiPrefix}${routes.createRun.path}`]: { run_id: runId, task_id: runId, state: 'QUEUED' },
    [`GET ${apiPrefix}${routes.listRuns.path}`]: { runs: [], page_info: { has_next_page: false } },
  };
  const server = createHttpServer((request, response) => {
    const answer = answers[`${request.method} ${request.url?.split('?')[0]}`];
    const answerNow = () =>
      response
        .writeHead(answer === undefined ? 404 : 200, {
          'Content-Type': answer === undefined ? 'application/problem+json' : 'application/json',
          [headerNames.features]: serverFeatures.join(', '),
        })
        .end(JSON.stringify(answer ?? { title: 'Not found', status: 404 }));
    request.resume().once('end', () => setTimeout(answerNow, latencyMs));
  });
  const url = await listen(server);
  return {
    url,
    runId,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
