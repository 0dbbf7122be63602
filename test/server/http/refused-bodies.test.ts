/** Rejected bodies of any size cost bounded work and get a short answer. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { sizes } from '../../../src/contract/tables/sizes.ts';
import { checkValue } from '../../../src/server/config/fault-text.ts';
import { createTestServer } from '../../../src/testing/index.ts';
import { readAnswer } from '../../support/answer.ts';
import { openHttpApp } from '../../support/http-app.ts';
import { waitUntil } from '../../support/wait-until.ts';

const list = (value: string, count: number) => `[${Array.from({ length: count }, () => value).join(',')}]`;
const map = (count: number, name = 'k') =>
  `{${Array.from({ length: count }, (_, index) => `"${name}${index}":1`).join(',')}}`;
const levels = (count: number) => `${'['.repeat(count)}${']'.repeat(count)}`;
const long = 'x'.repeat(1_900_000);

test.each([
  ['attachments', `{"prompt":"x","attachments":${list('1', 6)}}`, 'attachments: must have at most 5 entries'],
  ['images', `{"prompt":"x","images":${list('1', 6)}}`, 'images: must have at most 5 entries'],
  ['skills', `{"config":{"skills":${list('1', 257)}}}`, 'config.skills: must have at most 256 entries'],
  [
    'arguments of an MCP server',
    `{"prompt":"x","config":{"mcp_servers":{"a":{"args":${list('1', 257)}}}}}`,
    'config.mcp_servers.a.args: must have at most 256 entries',
  ],
  ['values', `{"prompt":"x","new":${list('1', 900_000)}}`, 'body: must have at most 10000 values'],
  ['objects', `{"prompt":"x","new":${list('{}', 600_000)}}`, 'body: must have at most 10000 values'],
  ['names', `{"prompt":"x",${map(150_000).slice(1)}`, 'body: must have at most 10000 values'],
  ['levels', `{"prompt":"x","new":${levels(900_000)}}`, 'body: must not be nested deeper than 100 levels'],
  [
    'levels before a name that nothing can have',
    `{"a":${levels(10_000)},"b":{"__proto__":1}}`,
    'body: must not be nested deeper than 100 levels',
  ],
])('too many %s are rejected in one sentence', async (_name, body, sentence) => {
  const app = await openHttpApp();
  const answer = await app.call('POST', '/agent/runs', { body });
  expect([answer.status, (await readAnswer(answer)).detail]).toEqual([400, sentence]);
});

test('commas, brackets and quotes in a string do not count', async () => {
  const app = await openHttpApp();
  const prompt = `${',{["\\'.repeat(20_000)}\\`;
  expect((await app.call('POST', '/agent/runs', { body: { prompt } })).status).toBe(200);
});

test.each([
  ['metadata', `{"prompt":"x","metadata":${map(5000)}}`, 5000],
  ['names of metadata', `{"prompt":"x","metadata":${map(5000, 'a b')}}`, 5000],
  ['variables', `{"prompt":"x","config":{"mcp_servers":{"a":{"env":${map(5000)}}}}}`, 5000],
  ['MCP servers', `{"prompt":"x","config":{"mcp_servers":${map(5000)}}}`, 5000],
])('%s with thousands of faults reports twenty and the number of others', async (_name, body, count) => {
  const app = await openHttpApp();
  const text = await (await app.call('POST', '/agent/runs', { body })).text();
  const { issues, detail } = JSON.parse(text) as { issues: unknown[]; detail: string };
  expect(issues).toHaveLength(20);
  expect(detail.endsWith(`; and ${count - 20} more`), detail.slice(-80)).toBe(true);
  expect(text.length).toBeLessThan(10_000);
});

test.each([
  ['a title', { prompt: 'x', title: long }],
  ['a skill', { skill: long }],
  ['a key of metadata', { prompt: 'x', metadata: { [long]: 'x' } }],
  ['an id of a conversation', { prompt: 'x', conversation_id: long }],
  ['an environment', { prompt: 'x', config: { environment_id: long.slice(0, 200_000) } }],
  ['a harness', { prompt: 'x', config: { harness: { type: long.slice(0, 200_000) } } }],
  ['a name that nothing can have', `{"prompt":"x","${long}":{"__proto__":1}}`],
])('the answer to a megabyte of %s does not repeat it', async (_name, body) => {
  const app = await openHttpApp();
  const answer = await app.call('POST', '/agent/runs', { body });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect((await answer.text()).length).toBeLessThan(25_000);
});

test('texts are computed only for reported faults', () => {
  let looks = 0;
  const element = z.number();
  // zod prints a part of a schema through this method.
  element._zod.toJSONSchema = () => {
    looks += 1;
    return { type: 'number' };
  };
  const checked = checkValue(z.object({ a: z.array(element) }), { a: Array.from({ length: 5000 }, () => 'x') });
  expect(checked).toMatchObject({ count: 5000, faults: { length: 20 } });
  expect(looks).toBeLessThanOrEqual(20);
});

test('hundreds of states in a query get a short answer', async () => {
  const app = await openHttpApp();
  const answer = await app.call('GET', `/agent/runs?${'state=DONE&'.repeat(1000)}state=${'x'.repeat(4000)}`);
  const text = await answer.text();
  expect([answer.status, text.length < 10_000]).toEqual([400, true]);
  expect(text).toContain('and 981 more');
});

async function openServer() {
  const lines: string[] = [];
  const server = await createTestServer({ limits: { body_bytes: 1_000_000 }, log: line => lines.push(line) });
  onTestFinished(() => server.stop());
  return { server, lines };
}

/** Sends the whole body before reading an answer. */
const pythonClient = `
import sys, urllib.request, urllib.error
request = urllib.request.Request(sys.argv[1], b'{"prompt":"' + b'x' * int(sys.argv[2]) + b'"}', {
    'Authorization': 'Bearer ' + sys.argv[3], 'Content-Type': 'application/json'})
try:
    urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode())
`;
const hasPython = await promisify(execFile)('/usr/bin/python3', ['--version']).then(
  () => true,
  () => false,
);
if (!hasPython) console.warn('skipped: /usr/bin/python3, whose client sends all before it reads, is not there');

test.skipIf(!hasPython)('a client that sends its whole body before reading gets 413', async () => {
  const { server } = await openServer();
  for (const bytes of [1_100_000, 30_000_000]) {
    const args = ['-c', pythonClient, `${server.baseUrl}/agent/runs`, String(bytes), server.apiKey];
    const { stdout } = await promisify(execFile)('/usr/bin/python3', args);
    expect(stdout).toMatch(/^413 .*the body must be at most 1000000 bytes/);
  }
});

test('a far too large body is not read to its end, with or without a length', async () => {
  const { server } = await openServer();
  const url = new URL(`${server.baseUrl}/agent/runs`);
  const authorization = { Authorization: `Bearer ${server.apiKey}` };
  const told = http.request(url, { method: 'POST', headers: { ...authorization, 'Content-Length': 10_000_000_000 } });
  onTestFinished(() => void told.destroy());
  told.on('error', () => {});
  told.write('{');
  const [answer] = (await once(told, 'response')) as [http.IncomingMessage];
  expect([answer.statusCode, answer.headers.connection]).toEqual([413, 'close']);
  const untold = http.request(url, { method: 'POST', headers: authorization });
  onTestFinished(() => void untold.destroy());
  const over = new Promise<unknown>(resolve => untold.on('response', resolve).on('error', resolve));
  const piece = Buffer.alloc(1024 * 1024, 'x');
  let sent = 0;
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  while (!isOver && sent < 500) {
    sent += 1;
    const drained = new Promise(resolve => untold.write(piece, resolve));
    await Promise.race([drained, over]);
  }
  expect(sent).toBeLessThan(500);
});

test('a client that disconnects in the middle of its body logs no error', async () => {
  const { server, lines } = await openServer();
  const { hostname, port, pathname } = new URL(`${server.baseUrl}/agent/runs`);
  const socket = net.connect(Number(port), hostname);
  const head = `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${server.apiKey}`;
  socket.write(`${head}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"prompt":`);
  await waitUntil(() => server.requests.length === 1);
  socket.destroy();
  await waitUntil(() => lines.some(line => line.includes('method=POST')));
  expect(lines.filter(line => / (warn|error) /.test(line))).toEqual([]);
  expect(lines.find(line => line.includes('method=POST'))).toMatch(/ debug request method=POST .* status=400 /);
});

test('the sizes in these tests match the table', () => {
  const { jsonValues, jsonLevels, attachments, configListEntries } = sizes;
  expect({ jsonValues, jsonLevels, attachments, configListEntries }).toEqual({
    jsonValues: 10_000,
    jsonLevels: 100,
    attachments: 5,
    configListEntries: 256,
  });
});
