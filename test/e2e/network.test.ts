import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { runActionJob } from '../support/action-step.ts';
import { fenced, openTestServer, type TestServer } from '../support/test-server.ts';

type Fault = (incoming: IncomingMessage, forward: () => void, outgoing: ServerResponse) => void;

/** A proxy on the way to the server that does what `fault` says. */
async function openFaultyWay(target: TestServer, fault: Fault): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const forward = (answered?: () => void) => {
      const onward = request(
        new URL(incoming.url ?? '/', target.url),
        { method: incoming.method, headers: incoming.headers },
        response => {
          if (answered !== undefined) {
            response.resume();
            answered();
            return;
          }
          outgoing.writeHead(response.statusCode ?? 502, response.headers);
          response.pipe(outgoing);
        },
      );
      onward.on('error', () => outgoing.destroy());
      outgoing.on('close', () => onward.destroy());
      incoming.pipe(onward);
    };
    fault(incoming, () => forward(), Object.assign(outgoing, { loseAnswer: () => forward(() => outgoing.destroy()) }));
  });
  await new Promise<void>(ready => proxy.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

const isCreate = (incoming: IncomingMessage) =>
  incoming.method === 'POST' && /\/agent\/runs?$/.test(incoming.url ?? '');

test('an answer to the create that is lost makes no second run, and the step is green', async () => {
  const target = await openTestServer();
  let lost = 0;
  const url = await openFaultyWay(target, (incoming, forward, outgoing) => {
    if (isCreate(incoming) && lost < 2) {
      lost += 1;
      (outgoing as ServerResponse & { loseAnswer(): void }).loseAnswer();
    } else forward();
  });
  const { main } = await runActionJob({ url, key: target.key }, { prompt: fenced('echo once') });
  expect([lost, main.outputs.conclusion]).toEqual([2, 'succeeded']);
  expect((await target.client.runs.list()).runs).toHaveLength(1);
});

test('a third of all answers being 502 pages of a proxy fails no step', async () => {
  const target = await openTestServer();
  // A fixed sequence that looks random, so that no loop of the client falls in step with it.
  let seed = 7;
  const url = await openFaultyWay(target, (_incoming, forward, outgoing) => {
    seed = (seed * 48_271) % 2_147_483_647;
    if (seed % 3 > 0) forward();
    else outgoing.writeHead(502, { 'Content-Type': 'text/html' }).end('<html>bad gateway</html>');
  });
  const { main } = await runActionJob({ url, key: target.key }, { prompt: fenced('sleep 1; echo done') });
  expect([main.outputs.conclusion, main.outputs.result]).toEqual(['succeeded', 'done\n']);
  expect((await target.client.runs.list()).runs).toHaveLength(1);
}, 120_000);

test('connections that break in the middle of following fail no step', async () => {
  const target = await openTestServer();
  let polls = 0;
  const url = await openFaultyWay(target, (incoming, forward, outgoing) => {
    if (incoming.method === 'GET') polls += 1;
    if (incoming.method === 'GET' && polls % 3 === 1) outgoing.destroy();
    else forward();
  });
  const { main } = await runActionJob({ url, key: target.key }, { prompt: fenced('sleep 1; echo done') });
  expect(main.outputs.conclusion).toBe('succeeded');
}, 120_000);

test('a server without our features is followed by plain polling', async () => {
  const target = await openTestServer();
  const url = await openFaultyWay(target, (incoming, _forward, outgoing) => {
    if (incoming.url?.includes('/events')) {
      outgoing.writeHead(404, { 'Content-Type': 'application/json' }).end('{}');
      return;
    }
    const onward = request(
      new URL(incoming.url ?? '/', target.url),
      { method: incoming.method, headers: { ...incoming.headers, prefer: '' } },
      response => {
        const { 'agent-run-features': _features, ...headers } = response.headers;
        outgoing.writeHead(response.statusCode ?? 502, headers);
        response.pipe(outgoing);
      },
    );
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  const { main } = await runActionJob({ url, key: target.key }, { prompt: fenced('echo done') });
  expect([main.outputs.conclusion, main.outputs.result]).toEqual(['succeeded', 'done\n']);
  expect(main.log.some(line => line.text.includes('does not send the log of the agent'))).toBe(true);
}, 120_000);
