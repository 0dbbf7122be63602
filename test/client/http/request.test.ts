import { expect, test } from 'vitest';
import {
  ConfigurationError,
  type FetchOptions,
  type Method,
  type RawRequestOptions,
} from '../../../src/client/index.ts';
import { sizes } from '../../../src/contract/tables/sizes.ts';
import { createClient, createRun, failureOf, runId } from '../fixtures.ts';
import { answerEmpty, answerJson, answerProblem, reset, startScriptedServer } from '../scripted-server.ts';

const fine = answerJson({ ok: true });

test.each([
  ['get', 'GET', undefined],
  ['delete', 'DELETE', undefined],
  ['delete', 'DELETE', { a: 1 }],
  ['post', 'POST', { a: 1 }],
  ['post', 'POST', undefined],
  ['put', 'PUT', ['a', null]],
  ['patch', 'PATCH', 'text'],
] as const)('%s sends a %s with the body %j', async (verb, method, body) => {
  await using server = await startScriptedServer([fine]);
  const { client } = createClient(server.url);
  expect(await client[verb]('/some/thing', { body, query: { a: 1 }, headers: { 'X-A': 'b' } })).toEqual({ ok: true });
  const sent = body === undefined ? '' : JSON.stringify(body);
  expect(server.requests[0]).toMatchObject({ method, path: '/some/thing?a=1', body: sent, headers: { 'x-a': 'b' } });
  expect(server.requests[0]?.headers['content-type']).toBe(body === undefined ? undefined : 'application/json');
});

test('HEAD and a response without a body give undefined', async () => {
  await using server = await startScriptedServer([answerEmpty(200), answerEmpty(204)]);
  const { client } = createClient(server.url);
  expect(await client.request('HEAD', '/x')).toBeUndefined();
  expect(await client.delete('/x')).toBeUndefined();
});

test("the query of a call overrides the client's, in documented calls too", async () => {
  await using server = await startScriptedServer([
    fine,
    answerJson(createRun('QUEUED')),
    answerJson({ runs: [createRun('QUEUED')], page_info: { has_next_page: true, next_cursor: 'c' } }),
    answerJson({ runs: [], page_info: { has_next_page: false } }),
  ]);
  const { client } = createClient(server.url, { defaultQuery: { team: 'a', keep: ['b', 'c'], drop: 1 } });
  await client.get('/x', { query: { team: 'd', drop: undefined, deep: { e: { f: null } } } });
  await client.runs.retrieve(runId, { query: { team: 'd' } });
  const page = await client.runs.list({ state: ['FAILED', 'ERROR'] }, { query: { own: 'é' } });
  await page.getNextPage();
  expect(server.requests.map(({ path }) => path)).toEqual([
    '/x?team=d&keep=b&keep=c&deep%5Be%5D%5Bf%5D=',
    `/agent/runs/${runId}?team=d&keep=b&keep=c&drop=1`,
    '/agent/runs?team=a&keep=b&keep=c&drop=1&own=%C3%A9&state=FAILED&state=ERROR',
    '/agent/runs?team=a&keep=b&keep=c&drop=1&own=%C3%A9&state=FAILED&state=ERROR&cursor=c',
  ]);
});

test("fetchOptions reach fetch, a call's override the client's, and neither override the client", async () => {
  const inits: RequestInit[] = [];
  const fetch = async (_url: string, init: RequestInit) => {
    inits.push(init);
    return Response.json(createRun('QUEUED'));
  };
  const { client } = createClient('https://a.example.com', {
    fetch,
    fetchOptions: { keepalive: true, cache: 'no-store', signal: undefined },
  });
  await client.runs.retrieve(runId, { fetchOptions: { cache: 'reload', tls: { ca: 'own' } } });
  expect(inits[0]).toMatchObject({
    method: 'GET',
    redirect: 'manual',
    body: null,
    keepalive: true,
    cache: 'reload',
    tls: { ca: 'own' },
  });
  expect(inits[0]?.signal).toBeInstanceOf(AbortSignal);
});

test('the type of fetchOptions excludes what the client sets itself', () => {
  const own = { method: 'PUT', headers: {}, body: 'x', signal: AbortSignal.timeout(1), redirect: 'follow' } as const;
  // @ts-expect-error
  const method: FetchOptions = { method: own.method };
  // @ts-expect-error
  const headers: FetchOptions = { headers: own.headers };
  // @ts-expect-error
  const body: FetchOptions = { body: own.body };
  // @ts-expect-error
  const signal: FetchOptions = { signal: own.signal };
  // @ts-expect-error
  const redirect: FetchOptions = { redirect: own.redirect };
  for (const fetchOptions of [method, headers, body, signal, redirect])
    expect(() => createClient('https://a.example.com', { fetchOptions })).toThrow(
      /^fetchOptions must not contain "\w+", which the client sets/,
    );
});

test('a number in a header is sent as text, and redacted like one', async () => {
  await using server = await startScriptedServer(answerProblem(400, 'invalid_request', { detail: 'no 1234567890' }));
  const { client } = createClient(server.url, { defaultHeaders: { 'X-Api-Key': 1234567890 as never } });
  const error = (await failureOf(client.runs.retrieve(runId))) as Error;
  expect(server.requests[0]?.headers['x-api-key']).toBe('1234567890');
  expect(error.message).toContain('no ***');
});

test.each(['post', 'patch'] as const)(
  'a %s with an idempotencyKey is retried with it, without one only if not carried out',
  async verb => {
    await using server = await startScriptedServer([reset, fine, reset, answerProblem(429, 'rate_limited'), fine]);
    const { client } = createClient(server.url);
    expect(await client[verb]('/x', { body: {}, idempotencyKey: 'key-of-call' })).toEqual({ ok: true });
    expect(await failureOf(client[verb]('/x', { body: {} }))).toMatchObject({ fault: 'closed' });
    expect(await client[verb]('/x', { body: {} })).toEqual({ ok: true });
    expect(server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([
      'key-of-call',
      'key-of-call',
      undefined,
      undefined,
      undefined,
    ]);
  },
);

const circle: Record<string, unknown> = { name: 'secret-prompt' };
circle.self = circle;

test.each<[string, Method, RawRequestOptions, RegExp]>([
  ['a circle', 'POST', { body: circle }, /^the body cannot be sent as JSON: .*circular/],
  ['a big integer', 'POST', { body: { count: 5n } }, /^the body cannot be sent as JSON: .*BigInt/],
  ['a function', 'POST', { body: () => 'secret-prompt' }, /^the body cannot be sent as JSON: it is a function$/],
  ['a symbol', 'POST', { body: Symbol('secret-prompt') }, /it is a symbol$/],
  ['a body of a GET', 'GET', { body: {} }, /^a GET request cannot have a body$/],
  ['a line break in a header', 'GET', { headers: { 'X-Token': 'secret-prompt\nX-Evil: 1' } }, /^the header "X-Token"/],
  ['a zero byte in a header', 'GET', { headers: { 'X-Token': 'secret-prompt\0' } }, /^the header "X-Token"/],
  ['letters that no header has', 'GET', { headers: { 'X-Token': 'secret-prompt ✓' } }, /^the header "X-Token"/],
  ['the name of a header', 'GET', { headers: { 'X Token': 'secret-prompt' } }, /^the header "X Token"/],
  ['no name of a header', 'GET', { headers: { '': 'secret-prompt' } }, /^the header ""/],
  ['a method', 'get' as Method, {}, /^the method must be one of GET, HEAD, PUT, DELETE, POST, PATCH, not "get"/],
  ['a method of Object', 'toString' as Method, {}, /^the method must be one of .*, not "toString"/],
  ['an idempotency key', 'POST', { idempotencyKey: 'a b' }, /^idempotencyKey must be 1 to 255/],
  ['a time', 'GET', { timeoutMs: Number.NaN }, /^timeoutMs must be .*, not NaN/],
])(
  '%s that cannot be sent rejects with an error that names it, and nothing is sent',
  async (_name, method, options, message) => {
    await using server = await startScriptedServer([]);
    const promise = createClient(server.url).client.request(method, '/x', options);
    const error = (await failureOf(promise)) as Error;
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain('secret-prompt');
    expect(server.requests).toHaveLength(0);
  },
);

test.each(['/a/./b', '/a/../b', '/a/%2e%2E/b', '/a/.%2e'])('the path %s rejects, and nothing is sent', async path => {
  await using server = await startScriptedServer([]);
  expect(await failureOf(createClient(server.url).client.get(path))).toBeInstanceOf(ConfigurationError);
  expect(server.requests).toHaveLength(0);
});

test('an idempotency key is as long as the contract allows', async () => {
  await using server = await startScriptedServer([fine]);
  const { client } = createClient(server.url);
  const longest = 'k'.repeat(sizes.idempotencyKeyCharacters);
  expect(await client.post('/x', { idempotencyKey: longest })).toEqual({ ok: true });
  expect(await failureOf(client.post('/x', { idempotencyKey: `${longest}k` }))).toBeInstanceOf(ConfigurationError);
  expect(server.requests[0]?.headers['idempotency-key']).toBe(longest);
});

test('a prompt that is not JSON makes no run', async () => {
  await using server = await startScriptedServer([]);
  const { client } = createClient(server.url);
  const body = { prompt: 'p', metadata: { count: 5n } } as never;
  expect(await failureOf(client.runs.create(body))).toBeInstanceOf(ConfigurationError);
  expect(server.requests).toHaveLength(0);
});
