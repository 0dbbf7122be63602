/** MCP servers over HTTP whose streams break, and those of the protocol's first version. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { McpServer } from '../../../../../src/server/harness/mcp-servers.ts';
import { eventsOf, logOf, runScript } from './loop-fixture.ts';

interface Message {
  readonly id?: number;
  readonly method: string;
}

const results: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'test', version: '1' },
  },
  'tools/list': { tools: [{ name: 'work', inputSchema: { type: 'object', properties: {} } }] },
  'tools/call': { content: [{ type: 'text', text: 'worked' }] },
};

function replyTo({ id, method }: Message): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: results[method] });
}

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<McpServer> {
  const server = createServer(answer);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/mcp`;
  return { type: 'http', name: 'remote', url, headers: { 'x-key': 'of-the-server' }, required: true };
}

/** Result of a run that calls the tool once. */
async function call(server: McpServer) {
  const began = performance.now();
  const { end, lines } = await runScript(
    [{ tools: [{ mcp: { server: 'remote', tool: 'work' } }] }, { text: 'Done.' }],
    {
      spec: { mcpServers: [server] },
    },
  );
  expect(end).toEqual({ kind: 'succeeded', text: 'Done.' });
  const [result] = eventsOf(lines, 'tool_result').map(({ data }) => data);
  return { result, log: logOf(lines), seconds: (performance.now() - began) / 1000 };
}

/** Outputs of a run that calls the tool `times` times, one after another. */
async function callAgain(server: McpServer, times: number) {
  const turn = { tools: [{ mcp: { server: 'remote', tool: 'work' } }] };
  const { end, lines } = await runScript([...Array<typeof turn>(times).fill(turn), { text: 'Done.' }], {
    spec: { mcpServers: [server], stepsMax: times + 1 },
  });
  expect(end).toEqual({ kind: 'succeeded', text: 'Done.' });
  return { outputs: eventsOf(lines, 'tool_result').map(({ data }) => data.output) };
}

const stream = { 'content-type': 'text/event-stream' };

/** Answers a call with a stream that ends after `first`. `resume` answers the client's attempt to continue. */
function breakOff(
  first: string,
  resume: (asked: { lastId: string; message: Message }, response: ServerResponse) => void,
) {
  let called: Message | undefined;
  return serve(async (request, response) => {
    const lastId = request.headers['last-event-id'];
    if (request.method === 'GET' && called !== undefined && typeof lastId === 'string')
      return resume({ lastId, message: called }, response);
    if (request.method !== 'POST') return response.writeHead(405).end();
    const message = JSON.parse(await text(request)) as Message;
    if (message.id === undefined) return response.writeHead(202).end();
    if (message.method !== 'tools/call')
      return response.writeHead(200, { 'content-type': 'application/json' }).end(replyTo(message));
    called = message;
    return response.writeHead(200, stream).end(first);
  });
}

test('a stream that ends before the result is resumed where it ended', async () => {
  const ids: string[] = [];
  const server = await breakOff('id: e1\nretry: 20\ndata: \n\n', ({ lastId, message }, response) => {
    ids.push(lastId);
    response.writeHead(200, stream);
    // Once more without a result.
    if (ids.length === 1) response.end('id: e2\ndata: \n\n');
    else response.end(`id: e3\ndata: ${replyTo(message)}\n\n`);
  });
  expect(await call(server)).toMatchObject({ result: { output: 'worked', is_error: false }, log: '' });
  expect(ids).toEqual(['e1', 'e2']);
});

test.each([
  ['names no event to go on from', ': nothing\n\n', 200],
  ['answers 404 when it is asked to go on', 'id: e1\nretry: 20\ndata: \n\n', 404],
  ['answers 405 when it is asked to go on', 'id: e1\nretry: 20\ndata: \n\n', 405],
  ['is gone when it is asked to go on', 'id: e1\nretry: 20\ndata: \n\n', 0],
])('a call whose stream ends and whose server %s fails within seconds', async (_name, first, status) => {
  const server = await breakOff(first, (_asked, response) => {
    if (status === 0) response.destroy();
    else response.writeHead(status).end();
  });
  const { result, seconds } = await call(server);
  expect(result).toMatchObject({
    is_error: true,
    output: expect.stringContaining('its stream ended without an answer'),
  });
  expect(seconds).toBeLessThan(20);
});

test('a lost call after many streamed ones is reported without traces of the others', async () => {
  let calls = 0;
  const server = await serve(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const message = JSON.parse(await text(request)) as Message;
    if (message.id === undefined) return response.writeHead(202).end();
    if (message.method === 'tools/call') calls += 1;
    return response.writeHead(200, stream).end(calls > 30 ? ': nothing\n\n' : `data: ${replyTo(message)}\n\n`);
  });
  const { outputs } = await callAgain(server, 31);
  expect(outputs).toEqual([...Array(30).fill('worked'), expect.stringMatching(/its stream ended without an answer$/)]);
});

test('an earlier call’s error is not the reason of a later failure, and reasons are bounded', async () => {
  let calls = 0;
  const server = await serve(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const message = JSON.parse(await text(request)) as Message;
    if (message.id === undefined) return response.writeHead(202).end();
    if (message.method === 'tools/call') calls += 1;
    const invalid = `data: ${JSON.stringify({ jsonrpc: '2.0', ['x'.repeat(20_000)]: 1 })}\n\n`;
    if (calls === 0) return response.writeHead(200, stream).end(`data: ${replyTo(message)}\n\n`);
    return response.writeHead(200, stream).end(calls === 1 ? invalid : ': nothing\n\n');
  });
  const { outputs } = await callAgain(server, 2);
  expect(outputs[0]).toMatch(/its stream ended without an answer: ./);
  expect(String(outputs[0]).length).toBeLessThan(11_000);
  expect(outputs[1]).toMatch(/its stream ended without an answer$/);
});

test('a server of the first protocol version is used through its event stream', async () => {
  let events: ServerResponse | undefined;
  const keys = new Set<unknown>();
  const server = await serve(async (request, response) => {
    keys.add(request.headers['x-key']);
    if (request.method === 'GET') {
      events = response.writeHead(200, stream);
      return response.write('event: endpoint\ndata: /messages\n\n');
    }
    if (request.url !== '/messages') return response.writeHead(405).end();
    const message = JSON.parse(await text(request)) as Message;
    response.writeHead(202).end();
    if (message.id !== undefined) events?.write(`event: message\ndata: ${replyTo(message)}\n\n`);
    return undefined;
  });
  expect(await call(server)).toMatchObject({ result: { output: 'worked', is_error: false }, log: '' });
  expect(keys).toEqual(new Set(['of-the-server']));
});

test('a broken event stream of such a server fails the call within seconds', async () => {
  let events: ServerResponse | undefined;
  const server = await serve(async (request, response) => {
    if (request.method === 'GET') {
      events = response.writeHead(200, stream);
      return response.write('event: endpoint\ndata: /messages\n\n');
    }
    if (request.url !== '/messages') return response.writeHead(405).end();
    const message = JSON.parse(await text(request)) as Message;
    response.writeHead(202).end();
    if (message.method === 'tools/call') events?.destroy();
    else if (message.id !== undefined) events?.write(`event: message\ndata: ${replyTo(message)}\n\n`);
    return undefined;
  });
  const { result, seconds } = await call(server);
  expect(result).toMatchObject({ is_error: true });
  expect(seconds).toBeLessThan(20);
});

test('a response outside the protocol is reported with its status', async () => {
  const server = await serve((request, response) => {
    request.resume();
    response.writeHead(401).end('no such key: of-the-server');
  });
  const { end } = await runScript([], { spec: { mcpServers: [server] } });
  expect(end).toMatchObject({
    kind: 'failed',
    fault: 'mcp_server',
    message: 'remote: it answered with status 401: Error POSTing to endpoint: no such key: of-the-server',
  });
});
