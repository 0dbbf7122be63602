import { expect, test } from 'vitest';
import {
  AbortedError,
  AuthenticationError,
  BadRequestError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  ConnectionTimeoutError,
  InternalServerError,
  RateLimitError,
  UnexpectedResponseError,
} from '../../../src/client/index.ts';
import { apiKey, createClient, createRun, failureOf, runId } from '../fixtures.ts';
import {
  answerCutJson,
  answerEmpty,
  answerJson,
  answerProblem,
  answerText,
  breakOff,
  drip,
  findClosedPort,
  hang,
  type Reply,
  reset,
  startScriptedServer,
} from '../scripted-server.ts';

const fine = answerJson(createRun('QUEUED'));

test('a run is requested as JSON with the key and a retry count from 0', async () => {
  await using server = await startScriptedServer([fine]);
  const { client } = createClient(server.url);
  expect(await client.runs.retrieve(runId)).toEqual(createRun('QUEUED'));
  const [request] = server.requests;
  expect(request?.path).toBe(`/agent/runs/${runId}`);
  expect(request?.headers).toMatchObject({
    authorization: `Bearer ${apiKey}`,
    accept: 'application/json',
    'user-agent': expect.stringMatching(/^agent-run\//),
    'x-retry-count': '0',
  });
  expect(request?.headers).not.toHaveProperty('content-type');
});

test.each<[string, Reply]>([
  ['503', answerProblem(503, 'resource_unavailable')],
  ['502 with a page', answerText(502, '<h1>Bad gateway</h1>')],
  ['408', answerProblem(408, 'x')],
  ['425', answerProblem(425, 'x')],
  ['429', answerProblem(429, 'rate_limited')],
  ['409 that says so', answerProblem(409, 'conflict', { retryable: true })],
  ['a reset connection', reset],
  ['a body that breaks off', breakOff],
  ['a document that was cut', answerCutJson],
])('a GET that meets %s is retried, half to all of 0.5 s later', async (_name, trouble) => {
  await using server = await startScriptedServer([trouble, fine]);
  const { client, clock } = createClient(server.url);
  expect((await client.runs.retrieve(runId)).state).toBe('QUEUED');
  expect(server.requests.map(request => request.headers['x-retry-count'])).toEqual(['0', '1']);
  expect(clock.slept).toHaveLength(1);
  expect(clock.slept[0]).toBeGreaterThanOrEqual(250);
  expect(clock.slept[0]).toBeLessThanOrEqual(500);
});

test.each<[string, Reply, new (...args: never[]) => Error]>([
  ['400', answerProblem(400, 'invalid_request'), BadRequestError],
  ['401', answerProblem(401, 'authentication_required'), AuthenticationError],
  ['409 that says nothing', answerProblem(409, 'conflict'), ConflictError],
  ['501', answerProblem(501, 'x'), InternalServerError],
  ['505', answerProblem(505, 'x'), InternalServerError],
  [
    '500 that says retryable: false',
    answerProblem(500, 'environment_setup_failed', { retryable: false }),
    InternalServerError,
  ],
  ['503 with x-should-retry: false', answerProblem(503, 'x', {}, { 'x-should-retry': 'false' }), InternalServerError],
  ['a page of a proxy', answerText(200, '<html>Sign in</html>'), UnexpectedResponseError],
  ['an empty body', answerEmpty(204), UnexpectedResponseError],
  ['JSON of another service', answerJson({ ok: true }), UnexpectedResponseError],
])('a GET that meets %s is not retried', async (_name, trouble, type) => {
  await using server = await startScriptedServer([trouble, fine]);
  const { client } = createClient(server.url);
  expect(await failureOf(client.runs.retrieve(runId))).toBeInstanceOf(type);
  expect(server.requests).toHaveLength(1);
});

test.each<[string, Record<string, string>, number, number]>([
  ['retry-after-ms', { 'retry-after-ms': '1500', 'Retry-After': '9' }, 1500, 2000],
  ['seconds', { 'Retry-After': '3' }, 3000, 3500],
  [
    'a date, by the Date of the answer',
    { 'Retry-After': 'Tue, 01 Jan 2030 00:00:07 GMT', Date: 'Tue, 01 Jan 2030 00:00:00 GMT' },
    7000,
    7500,
  ],
  ['a day, which is capped', { 'Retry-After': '86400' }, 60_000, 60_000],
])('the wait is the one in %s', async (_name, headers, atLeastMs, atMostMs) => {
  await using server = await startScriptedServer([answerProblem(429, 'rate_limited', {}, headers), fine]);
  const { client, clock } = createClient(server.url);
  await client.runs.retrieve(runId);
  expect(clock.slept[0]).toBeGreaterThanOrEqual(atLeastMs);
  expect(clock.slept[0]).toBeLessThanOrEqual(atMostMs);
});

test('four retries, then the last error', async () => {
  await using server = await startScriptedServer(answerProblem(503, 'resource_unavailable', { detail: 'no place' }));
  const { client } = createClient(server.url);
  const error = await failureOf(client.runs.retrieve(runId));
  expect(error).toBeInstanceOf(InternalServerError);
  expect(server.requests).toHaveLength(5);
});

test('a 429 with a delay is tolerated for the total time', async () => {
  await using server = await startScriptedServer(answerProblem(429, 'rate_limited', {}, { 'Retry-After': '10' }));
  const { client, clock } = createClient(server.url, { totalTimeoutMs: 120_000 });
  expect(await failureOf(client.runs.retrieve(runId))).toBeInstanceOf(RateLimitError);
  expect(server.requests.length).toBeGreaterThan(8);
  expect(clock.monotonicMs()).toBeLessThanOrEqual(120_000);
});

test('a 429 without a delay uses up the retries', async () => {
  await using server = await startScriptedServer(answerProblem(429, 'rate_limited'));
  expect(await failureOf(createClient(server.url).client.runs.retrieve(runId))).toBeInstanceOf(RateLimitError);
  expect(server.requests).toHaveLength(5);
});

test('a call can set its own retries', async () => {
  await using server = await startScriptedServer(answerProblem(503, 'resource_unavailable'));
  const { client } = createClient(server.url);
  await failureOf(client.runs.retrieve(runId, { maxRetries: 1 }));
  expect(server.requests).toHaveLength(2);
  await failureOf(client.withOptions({ maxRetries: 0 }).runs.retrieve(runId));
  expect(server.requests).toHaveLength(3);
});

test('a wait beyond the total time is not started', async () => {
  await using server = await startScriptedServer(answerProblem(503, 'x', {}, { 'Retry-After': '30' }));
  const { client, clock } = createClient(server.url, { totalTimeoutMs: 20_000 });
  expect(await failureOf(client.runs.retrieve(runId))).toBeInstanceOf(InternalServerError);
  expect(clock.slept).toEqual([]);
});

test.each<[string, Reply]>([
  ['never answers', hang],
  ['never ends its body', drip],
])('an attempt on a server that %s ends at timeoutMs', async (_name, reply) => {
  await using server = await startScriptedServer([reply, fine]);
  const { client } = createClient(server.url, { timeoutMs: 149.2 });
  const error = await failureOf(client.runs.retrieve(runId, { maxRetries: 0 }));
  expect(error).toBeInstanceOf(ConnectionTimeoutError);
  expect((error as Error).message).toMatch(/127\.0\.0\.1:\d+: no complete answer within 150 ms$/);
  expect((await client.runs.retrieve(runId)).state).toBe('QUEUED');
});

test('the total time cuts an attempt short, and is shown in whole milliseconds', async () => {
  await using server = await startScriptedServer(hang);
  const { client } = createClient(server.url, { totalTimeoutMs: 149.5 });
  const error = await failureOf(client.runs.retrieve(runId));
  expect(error).toBeInstanceOf(ConnectionTimeoutError);
  expect((error as Error).message).toContain('150 ms in total');
});

test('a fetch that ignores signals cannot make a call hang', async () => {
  const { client } = createClient('http://127.0.0.1:9', {
    timeoutMs: 50,
    maxRetries: 0,
    fetch: () => new Promise(() => {}),
  });
  expect(await failureOf(client.runs.retrieve(runId))).toBeInstanceOf(ConnectionTimeoutError);
  const signal = AbortSignal.timeout(20);
  expect(await failureOf(client.runs.retrieve(runId, { signal, timeoutMs: 5000 }))).toBeInstanceOf(AbortedError);
});

test('the signal wins before the call, during an attempt and between two', async () => {
  await using server = await startScriptedServer([hang, answerProblem(503, 'x')]);
  const { client } = createClient(server.url);
  const reason = new Error('enough');
  const early = await failureOf(client.runs.retrieve(runId, { signal: AbortSignal.abort(reason) }));
  expect(early).toBeInstanceOf(AbortedError);
  expect((early as Error).cause).toBe(reason);
  expect(server.requests).toHaveLength(0);

  const during = new AbortController();
  setTimeout(() => during.abort(reason), 50);
  expect(await failureOf(client.runs.retrieve(runId, { signal: during.signal }))).toBeInstanceOf(AbortedError);

  const between = new AbortController();
  const clock = {
    now: () => 0,
    monotonicMs: () => 0,
    sleep: (_ms: number, signal?: AbortSignal) =>
      new Promise<void>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
        between.abort(reason);
      }),
  };
  const paused = client.withOptions({ clock }).runs.retrieve(runId, { signal: between.signal });
  expect(await failureOf(paused)).toBeInstanceOf(AbortedError);
  expect(server.requests).toHaveLength(2);
});

test('after only hang-ups over plain HTTP the error suggests https', async () => {
  await using silent = await startScriptedServer(reset);
  const error = await failureOf(createClient(silent.url).client.runs.retrieve(runId));
  expect(error).toMatchObject({ name: 'ConnectionError', fault: 'closed', neverLeft: false });
  expect((error as Error).message).toMatch(/; use https instead of http\?$/);
  await using known = await startScriptedServer((response, request) =>
    (known.requests.length === 1 ? fine : reset)(response, request),
  );
  const { client } = createClient(known.url);
  await client.runs.retrieve(runId);
  expect((await failureOf(client.runs.retrieve(runId))) as Error).toMatchObject({
    message: expect.not.stringContaining('https'),
  });
});

test('an answer that breaks off rules out a TLS port', async () => {
  const twoLengths: Reply = response => {
    response.socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 10\r\n\r\n{}');
  };
  const halfHead: Reply = response => {
    response.socket?.end('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 O');
  };
  for (const reply of [twoLengths, halfHead]) {
    await using server = await startScriptedServer(reply);
    const error = await failureOf(createClient(server.url, { maxRetries: 0 }).client.runs.retrieve(runId));
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).message).not.toContain('https');
  }
});

test('an error from a listener, thrown or rejected, does not fail the call', async () => {
  await using server = await startScriptedServer(answerProblem(503, 'x'));
  const throwNow = () => {
    throw new Error('mine');
  };
  const throwLater = async () => throwNow();
  for (const onRetry of [throwNow, throwLater])
    expect(await failureOf(createClient(server.url, { onRetry }).client.runs.retrieve(runId))).toBeInstanceOf(
      InternalServerError,
    );
});

test('a body over 64 MiB is rejected', async () => {
  const fetch = async () => {
    const response = new Response('{}', { headers: { 'content-length': String(65 * 1024 * 1024) } });
    return Object.defineProperty(response, 'body', { value: null });
  };
  const error = await failureOf(createClient('https://a.example.com', { fetch }).client.runs.retrieve(runId));
  expect(error).toBeInstanceOf(UnexpectedResponseError);
  expect((error as Error).message).toContain(`is longer than ${64 * 1024 * 1024} bytes`);
});

test('a key in the path of a call is redacted in its error and log lines', async () => {
  await using server = await startScriptedServer([answerProblem(503, 'x'), answerProblem(400, 'invalid_request')]);
  const { client, lines } = createClient(server.url);
  const error = (await failureOf(client.get(`/x/${apiKey}/y`))) as BadRequestError;
  expect(server.requests[0]?.path).toBe(`/x/${apiKey}/y`);
  expect(error.path).toBe('/x/***/y');
  expect(error.message).toContain('GET /x/***/y: 400');
  expect(lines.join('\n')).not.toContain(apiKey);
});

test('a refused connection is retried, names its host and is known to have done nothing', async () => {
  const port = await findClosedPort();
  const { client, clock } = createClient(`http://127.0.0.1:${port}`);
  const error = await failureOf(client.post('/agent/runs', { body: {} }));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ fault: 'refused', neverLeft: true, host: `127.0.0.1:${port}` });
  expect((error as Error).message).toBe(`POST /agent/runs: 127.0.0.1:${port}: connection refused (ECONNREFUSED)`);
  expect((error as Error).cause).toBeInstanceOf(TypeError);
  expect(clock.slept).toHaveLength(4);
});

test('an error for a host without a reachable address names each attempt', async () => {
  const refuse = (code: string, address: string): Error =>
    Object.assign(new Error(`connect ${code} ${address}`), { code, syscall: 'connect' });
  // As Node makes it.
  const cause = Object.assign(
    new AggregateError([refuse('ETIMEDOUT', '2001:db8::1:443'), refuse('ECONNREFUSED', '192.0.2.1:443')]),
    { code: 'ETIMEDOUT' },
  );
  const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
  const { client } = createClient('https://agents.example.com', { fetch });
  const error = await failureOf(client.get('/agent/runs'));
  expect(error).toMatchObject({ name: 'ConnectionError', fault: 'timeout', neverLeft: true });
  expect((error as Error).message).toBe(
    'GET /agent/runs: agents.example.com: timed out waiting for an answer (ETIMEDOUT: connect ETIMEDOUT 2001:db8::1:443; connect ECONNREFUSED 192.0.2.1:443)',
  );
});

test('an unresolved name is retried, and the error names it', async () => {
  await using server = await startScriptedServer([fine]);
  let failures = 0;
  // What Node's fetch throws. A real resolver would need the network.
  const fetch = async (url: string, init: RequestInit) => {
    failures += 1;
    if (failures <= 2)
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN', syscall: 'getaddrinfo' }),
      });
    return globalThis.fetch(url, init);
  };
  const { client } = createClient(server.url, { fetch });
  expect((await client.runs.retrieve(runId)).state).toBe('QUEUED');
  failures = -10_000;
  const broken = client.withOptions({
    fetch: async () => {
      throw new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } });
    },
  });
  expect(await failureOf(broken.runs.retrieve(runId))).toMatchObject({
    fault: 'unresolved',
    message: expect.stringContaining('name does not resolve'),
  });
});

// What Deno's fetch throws has no code, and quotes the whole address.
const sending =
  'error sending request for url (https://agents.example.com/agent/runs?q=private): client error (Connect): ';
test.each([
  [`${sending}tcp connect error: Connection refused (os error 111)`, 'refused', true],
  [`${sending}dns error: failed to lookup address information: Name or service not known`, 'unresolved', true],
  [`${sending}received corrupt message of type InvalidContentType`, 'tls', true],
  [`${sending}invalid peer certificate: UnknownIssuer`, 'certificate', true],
  [`${sending}invalid peer certificate: certificate not valid for name "127.0.0.1"`, 'certificate', true],
  [`${sending}invalid peer certificate: Other(OtherError(CaUsedAsEndEntity))`, 'certificate', true],
  [`${sending}invalid peer certificate: Expired`, 'certificate', true],
  [`${sending}something new`, 'other', true],
  ['Connection reset by peer (os error 104)', 'closed', false],
  ['error reading a body from connection', 'closed', false],
  [
    'error sending request from 127.0.0.1:47702 for http://agents.example.com/?q=private (127.0.0.1:35267): client error (SendRequest): connection closed before message completed',
    'closed',
    false,
  ],
])('a failure with "%s" counts as %s', async (words, fault, neverLeft) => {
  const fetch = async () => {
    throw new TypeError('fetch failed', { cause: new Error(words) });
  };
  const { client } = createClient('https://agents.example.com', { fetch, maxRetries: 0 });
  const error = (await failureOf(client.runs.list({ q: 'private' }))) as ConnectionError;
  expect(error).toMatchObject({ name: 'ConnectionError', fault, neverLeft });
  expect(error.message).not.toContain('private');
});

test('an untrusted certificate is not retried, and the error has a remedy', async () => {
  let calls = 0;
  const fetch = async () => {
    calls += 1;
    throw new TypeError('fetch failed', {
      cause: Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
    });
  };
  const { client } = createClient('https://agents.example.com', { fetch });
  expect(await failureOf(client.runs.retrieve(runId))).toMatchObject({
    fault: 'certificate',
    message: expect.stringMatching(/agents\.example\.com.*NODE_EXTRA_CA_CERTS/),
  });
  expect(calls).toBe(1);
});

test.each([
  ['POST', 1],
  ['PATCH', 1],
  ['GET', 2],
  ['PUT', 2],
  ['DELETE', 2],
] as const)('a %s of unknown outcome is sent %i time(s)', async (method, times) => {
  await using server = await startScriptedServer([answerProblem(503, 'x'), answerJson({})]);
  const { client } = createClient(server.url);
  await client.request(method, '/x').catch(() => {});
  expect(server.requests).toHaveLength(times);
});

test('a POST is retried if it was refused unread or the caller allows it', async () => {
  await using server = await startScriptedServer([
    answerProblem(429, 'rate_limited'),
    answerJson({ a: 1 }),
    reset,
    answerJson({ a: 2 }),
  ]);
  const { client } = createClient(server.url);
  expect(await client.post('/x', { body: { b: 1 } })).toEqual({ a: 1 });
  expect(await client.post('/x', { body: { b: 1 }, idempotencyKey: 'k-1' })).toEqual({ a: 2 });
  expect(server.requests[0]).toMatchObject({ body: '{"b":1}', headers: { 'content-type': 'application/json' } });
});

test('a raw request reads JSON, text and an empty body', async () => {
  const plain = answerText(200, '\ufeffhello', { 'Content-Type': 'text/plain; charset=utf-8' });
  await using server = await startScriptedServer([answerJson([1]), answerEmpty(204), plain, answerText(200, '<p>')]);
  const { client } = createClient(server.url);
  expect(await client.get('/x', { query: { a: ['1', '2'] } })).toEqual([1]);
  expect(server.requests[0]?.path).toBe('/x?a=1&a=2');
  expect(await client.delete('/x')).toBeUndefined();
  expect(await client.get('/x', { as: 'text' })).toBe('\ufeffhello');
  expect(await failureOf(client.get('/x'))).toBeInstanceOf(UnexpectedResponseError);
  expect(await failureOf(client.get('/../x'))).toBeInstanceOf(ConfigurationError);
});

test('no error or log line contains a query', async () => {
  await using server = await startScriptedServer([answerProblem(503, 'x'), answerProblem(400, 'invalid_request')]);
  const { client, lines } = createClient(server.url);
  const error = (await failureOf(client.get('/agent/runs?q=private', { query: { creator: 'private' } }))) as Error;
  expect(server.requests[0]?.path).toBe('/agent/runs?q=private&creator=private');
  expect(error.message).toBe('GET /agent/runs: 400 invalid_request: text');
  expect(lines.join('\n')).not.toContain('private');
});

test("headers of a call override the client's, and invalid ones are refused without their value", async () => {
  await using server = await startScriptedServer([fine]);
  const { client } = createClient(server.url, { defaultHeaders: { 'X-Team': 'a', 'X-Keep': 'b', 'X-Drop': 'c' } });
  await client.runs.retrieve(runId, { headers: { 'x-team': 'd', 'X-Drop': undefined } });
  expect(server.requests[0]?.headers).toMatchObject({ 'x-team': 'd', 'x-keep': 'b' });
  expect(server.requests[0]?.headers).not.toHaveProperty('x-drop');
  const error = await failureOf(client.runs.retrieve(runId, { headers: { 'X-Token': 'hunter2\r\nX-Evil: 1' } }));
  expect(error).toBeInstanceOf(ConfigurationError);
  expect((error as Error).message).toContain('X-Token');
  expect((error as Error).message).not.toContain('hunter2');
});

test.each([
  ['Expect', '100-continue'],
  ['Transfer-Encoding', 'chunked'],
  ['Connection', 'x, y'],
  ['Content-Length', '5'],
  ['Keep-Alive', 'timeout=5'],
  ['upgrade', 'websocket'],
  ['Host', 'runs.example.com'],
])('the header %s, which fetch rejects or drops, is refused by name before anything is sent', async (name, value) => {
  await using server = await startScriptedServer(fine);
  const { client } = createClient(server.url, { defaultHeaders: { 'X-Team': 'a' } });
  for (const call of [
    () => client.runs.create({ prompt: 'hello' }, { headers: { [name]: value } }),
    () => client.withOptions({ defaultHeaders: [[name, value]] }).runs.retrieve(runId),
  ]) {
    const error = await failureOf(call());
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).toContain(`header "${name}"`);
  }
  expect(server.requests).toHaveLength(0);
});

test('such headers are sent if fetch accepts them, and omitted ones are not refused', async () => {
  await using server = await startScriptedServer(fine);
  const { client } = createClient(server.url);
  await client.runs.retrieve(runId, { headers: { Connection: 'close', Expect: undefined } });
  expect(server.requests[0]?.headers).toMatchObject({ connection: 'close' });
});

test('every attempt sends what the call was given', async () => {
  await using server = await startScriptedServer([answerProblem(503, 'x'), fine]);
  const { client } = createClient(server.url);
  const options = { body: { a: 1 }, query: { q: ['1'] }, headers: { 'X-Team': 'a' } };
  const sent = client.put('/agent/thing', options);
  options.body.a = 2;
  options.query.q.push('2');
  options.headers['X-Team'] = 'b';
  await sent;
  expect(server.requests.map(({ path, body, headers }) => [path, body, headers['x-team']])).toEqual(
    Array(2).fill(['/agent/thing?q=1', '{"a":1}', 'a']),
  );
});

test.each([301, 302, 303, 307, 308])('a redirect %i is not followed, so the key stays here', async status => {
  await using thief = await startScriptedServer(fine);
  await using server = await startScriptedServer([
    answerEmpty(status, { Location: `${thief.url}/login?token=hunter2` }),
  ]);
  const { client } = createClient(server.url);
  const error = await failureOf(client.runs.retrieve(runId));
  expect(error).toBeInstanceOf(UnexpectedResponseError);
  expect((error as Error).message).toContain(`redirects to ${new URL(thief.url).origin}`);
  expect((error as Error).message).not.toContain('hunter2');
  expect(thief.requests).toHaveLength(0);
});

test('a call also returns its response and request id', async () => {
  await using server = await startScriptedServer(
    answerJson(createRun('QUEUED'), { 'X-Request-Id': 'req-1', ETag: '"7"' }),
  );
  const { client } = createClient(server.url);
  const { data, response, requestId } = await client.runs.retrieve(runId).withResponse();
  expect(data.run_id).toBe(runId);
  expect(requestId).toBe('req-1');
  expect(response.headers.get('etag')).toBe('"7"');
  const raw = await client.runs.retrieve(runId).asResponse();
  expect(raw.status).toBe(200);
  expect(await raw.json()).toEqual(createRun('QUEUED'));
});

test('a call whose response alone was awaited rejects once, without an unhandled rejection', async () => {
  await using server = await startScriptedServer(answerProblem(404, 'resource_not_found'));
  const { client } = createClient(server.url);
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  await failureOf(client.runs.retrieve(runId).asResponse());
  await failureOf(client.runs.retrieve(runId).withResponse());
  await new Promise(resolve => setTimeout(resolve, 20));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

test('a status text that Response rejects does not lose the answer', async () => {
  const fetch = async () => {
    const response = new Response(JSON.stringify(createRun('QUEUED')), {
      headers: { 'content-type': 'application/json' },
    });
    Object.defineProperty(response, 'statusText', { value: '\ufffdber' });
    return response;
  };
  const { client } = createClient('https://agents.example.com', { fetch });
  const { data, response } = await client.runs.retrieve(runId).withResponse();
  expect([data.state, response.statusText]).toEqual(['QUEUED', '?ber']);
  expect(await (await client.runs.retrieve(runId).asResponse()).json()).toEqual(data);
});
