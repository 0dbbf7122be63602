import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { checkCall, checkReach } from '../../../src/server/doctor/endpoint-check.ts';
import { type ModelApi, modelApis } from '../../../src/server/harness/agents/adapter.ts';
import { startModelServer } from '../../../src/testing/index.ts';

const apiKey = 'key-of-the-doctor';
const asked = (api: ModelApi, root: string, key: string | undefined = apiKey) => ({
  subject: 'harness fast: model',
  endpoint: { api, root, apiKey: key },
  model: 'm-1',
  title: 'Some Agent',
});

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A raw endpoint. */
async function startEndpoint(
  answer: (
    request: IncomingMessage,
    body: string,
  ) => { status: number; body?: object | string; headers?: Record<string, string> },
): Promise<string> {
  return await listen(async (request, response) => {
    const { status, body = '', headers = {} } = answer(request, await text(request));
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

test.each(modelApis)('a question in %s is answered with a few tokens', async api => {
  await using model = await startModelServer([{ text: 'ok' }], { apiKey });
  expect(await checkCall(asked(api, model.url))).toEqual({
    subject: 'harness fast: model',
    status: 'ok',
    text: `m-1 at ${model.url} answered`,
  });
  expect(model.requests).toMatchObject([{ api, model: 'm-1', isKeyRight: true, maxTokens: 16, tools: [] }]);
});

test.each(modelApis)('a wrong key in %s is reported and not shown', async api => {
  await using model = await startModelServer(() => ({ text: 'never' }), { apiKey });
  const finding = await checkCall(asked(api, model.url, 'another-key-of-mine'));
  expect(finding).toMatchObject({
    status: 'fail',
    remedy: 'Check the key in `endpoint.key` of the harness',
  });
  expect(finding.text).toContain(`the model endpoint ${model.url} refused the key`);
  expect(JSON.stringify(finding)).not.toContain('another-key-of-mine');
});

test('a missing model is named', async () => {
  await using model = await startModelServer(() => ({ text: 'never' }), { apiKey, models: ['m-2'] });
  const finding = await checkCall(asked('openai-chat', model.url));
  expect(finding).toMatchObject({ status: 'fail', text: expect.stringContaining('does not know the model m-1') });
});

test('a key that an endpoint repeats is redacted', async () => {
  const root = await startEndpoint(({ headers }) => ({
    status: 500,
    body: { error: { message: `cannot serve ${headers.authorization}` } },
  }));
  const finding = await checkCall(asked('openai-responses', root));
  expect(finding.text).toContain('cannot serve Bearer ***');
  expect(JSON.stringify(finding)).not.toContain(apiKey);
});

test('a model that wants max_completion_tokens is asked with it', async () => {
  const bodies: string[] = [];
  const root = await startEndpoint((_request, body) => {
    bodies.push(body);
    if (body.includes('max_completion_tokens')) return { status: 200, body: {} };
    return { status: 400, body: { error: { message: "use 'max_completion_tokens' instead" } } };
  });
  expect(await checkCall(asked('openai-chat', root))).toMatchObject({ status: 'ok' });
  expect(bodies.length).toBe(2);
  expect(bodies[1]).not.toContain('"max_tokens"');
});

test('an endless answer is read only up to a limit', async () => {
  let written = 0;
  const root = await listen((_request, response) => {
    response.writeHead(500);
    const chunk = '{'.repeat(64 * 1024);
    const more = () => {
      written += 1;
      if (!response.destroyed && written < 2000) response.write(chunk, more);
    };
    more();
  });
  expect(await checkCall(asked('openai-chat', root))).toMatchObject({ status: 'fail' });
  // Buffers hold a few MiB. The whole answer would be 125.
  expect(written).toBeLessThan(1000);
});

test('a key does not follow a redirect', async () => {
  const keys: unknown[] = [];
  const other = await startEndpoint(({ headers }) => {
    keys.push(headers.authorization);
    return { status: 200, body: {} };
  });
  const root = await startEndpoint(() => ({ status: 307, headers: { location: other } }));
  expect(await checkCall(asked('openai-chat', root))).toMatchObject({
    status: 'fail',
    text: expect.stringContaining('redirects (status 307)'),
  });
  expect(keys).toEqual([]);
});

test('the reach check sends no key and accepts any answer', async () => {
  const seen: string[] = [];
  const root = await startEndpoint(({ method, headers }) => {
    seen.push(`${method} ${JSON.stringify(headers)}`);
    return { status: 404 };
  });
  expect(await checkReach(asked('anthropic', root))).toMatchObject({
    status: 'ok',
    text: `${root} answers; the key and the model are checked only with --call`,
  });
  expect(seen).toEqual([expect.stringMatching(/^GET /)]);
  expect(seen[0]).not.toContain(apiKey);
});

test.each([
  ['looked for', checkReach],
  ['asked', checkCall],
])('a missing endpoint is an error when it is %s', async (_name, check) => {
  const root = await startEndpoint(() => ({ status: 200 }));
  const closed = createServer();
  const { promise, resolve } = Promise.withResolvers<void>();
  closed.listen(0, '127.0.0.1', resolve);
  await promise;
  const port = (closed.address() as AddressInfo).port;
  await new Promise(done => closed.close(done));
  const finding = await check(asked('gemini', root.replace(/\d+$/, String(port))));
  expect(finding).toMatchObject({
    status: 'fail',
    text: expect.stringContaining('could not be reached, or the connection broke: connect ECONNREFUSED'),
    remedy: 'Check the network, and `endpoint.url` of the harness if it is set',
  });
});

test('a redirect to another origin is a warning, one within the origin is not', async () => {
  const look = async (location: string) => {
    const root = await listen((_request, response) => response.writeHead(301, { location }).end());
    return { root, ...(await checkReach(asked('anthropic', root))) };
  };
  const away = await look('https://models.example.com/secret');
  expect(away).toMatchObject({
    status: 'warn',
    text: `${away.root} is reachable but redirects to https://models.example.com (status 301)`,
    remedy: expect.stringContaining('`endpoint.url`'),
  });
  expect((await look('/docs')).status).toBe('ok');
});
