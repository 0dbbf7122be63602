import { expect, test } from 'vitest';
import {
  AgentRuns,
  type ApiKeyAnswer,
  ApiKeyError,
  AuthenticationError,
  ConfigurationError,
  ConnectionTimeoutError,
  StartUnknownError,
} from '../../../src/client/index.ts';
import { collect, createClient, createRun, failureOf, runId } from '../fixtures.ts';
import {
  allFeatures,
  answerJson,
  answerProblem,
  type Reply,
  reset,
  type ScriptedServer,
  startScriptedServer,
} from '../scripted-server.ts';

const fine = answerJson(createRun('SUCCEEDED'));
const refused = answerProblem(401, 'authentication_required');

/** Gives the entries in turn, then repeats the last one. Errors are thrown. */
function giveInTurn(...entries: readonly (string | ApiKeyAnswer | Error)[]) {
  const give = async (): Promise<string | ApiKeyAnswer> => {
    const entry = entries[Math.min(give.calls, entries.length - 1)];
    give.calls += 1;
    if (entry === undefined || entry instanceof Error) throw entry;
    return entry;
  };
  give.calls = 0;
  return give;
}

/** Accepts only the given keys. */
function guard(...keys: readonly string[]): Reply {
  return (response, request) =>
    (keys.includes(request.headers.authorization ?? '') ? fine : refused)(response, request);
}

function keysSent(server: ScriptedServer) {
  return server.requests.map(({ headers }) => headers.authorization);
}

test('concurrent calls share one call of the key function, and later calls keep the key', async () => {
  await using server = await startScriptedServer(fine);
  const apiKey = giveInTurn('key-one', 'key-two');
  const { client } = createClient(server.url, { apiKey });
  await Promise.all([client.runs.retrieve(runId), client.runs.retrieve(runId), client.runs.list().catch(() => {})]);
  await client.runs.retrieve(runId);
  await client.withOptions({ timeoutMs: 5000 }).runs.retrieve(runId);
  expect(apiKey.calls).toBe(1);
  expect(new Set(keysSent(server))).toEqual(new Set(['Bearer key-one']));
});

test.each([
  [600_000, 539_000, 541_000],
  [100_000, 89_000, 91_000],
])('a key of %i ms is kept for %i ms and renewed before %i ms', async (expiresInMs, keptMs, renewedMs) => {
  await using server = await startScriptedServer(fine);
  const apiKey = giveInTurn({ key: 'key-one', expiresInMs }, { key: 'key-two', expiresInMs });
  const { client, clock } = createClient(server.url, { apiKey });
  await client.runs.retrieve(runId);
  await clock.sleep(keptMs);
  await client.runs.retrieve(runId);
  await clock.sleep(renewedMs - keptMs);
  // The key is still valid, so this call does not wait for the next one.
  await client.runs.retrieve(runId);
  expect(apiKey.calls).toBe(2);
  await client.runs.retrieve(runId);
  expect(keysSent(server)).toEqual(['Bearer key-one', 'Bearer key-one', 'Bearer key-one', 'Bearer key-two']);
});

test('an expired key is never sent, even after a recent call', async () => {
  await using server = await startScriptedServer(fine);
  const apiKey = giveInTurn({ key: 'key-one', expiresInMs: 100_000 }, 'key-two');
  const { client, clock } = createClient(server.url, { apiKey });
  await client.runs.retrieve(runId);
  await clock.sleep(100_001);
  await client.runs.retrieve(runId);
  expect(keysSent(server)).toEqual(['Bearer key-one', 'Bearer key-two']);
});

test('a failure to renew a key fails no call until the old key expires', async () => {
  await using server = await startScriptedServer(fine);
  const apiKey = giveInTurn({ key: 'key-one', expiresInMs: 100_000 }, new Error('token service is down'));
  const { client, clock } = createClient(server.url, { apiKey, maxRetries: 0 });
  await client.runs.retrieve(runId);
  await clock.sleep(95_000);
  await client.runs.retrieve(runId);
  await clock.sleep(6_000);
  expect(await failureOf(client.runs.retrieve(runId))).toBeInstanceOf(ApiKeyError);
  expect(keysSent(server)).toEqual(['Bearer key-one', 'Bearer key-one']);
});

test('a 401 makes the client get another key and resend the call, at once and without a retry', async () => {
  await using server = await startScriptedServer(guard('Bearer key-two'));
  const apiKey = giveInTurn('key-one', 'key-two');
  const { client, clock } = createClient(server.url, { apiKey, maxRetries: 0 });
  expect((await client.runs.retrieve(runId)).state).toBe('SUCCEEDED');
  expect(keysSent(server)).toEqual(['Bearer key-one', 'Bearer key-two']);
  expect(server.requests.map(({ headers }) => headers['x-retry-count'])).toEqual(['0', '1']);
  expect(clock.slept).toEqual([]);
});

test('a create refused with 401 is sent again with the same idempotency key', async () => {
  await using server = await startScriptedServer([refused, answerJson(createRun('QUEUED'))]);
  const { client } = createClient(server.url, { apiKey: giveInTurn('key-one', 'key-two') });
  await client.runs.create({ prompt: 'p' });
  const [first, second] = server.requests;
  expect(second?.headers.authorization).toBe('Bearer key-two');
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
});

test('a create that may have been carried out is retried with the same API key', async () => {
  await using server = await startScriptedServer([
    reset,
    answerProblem(401, 'authentication_required'),
    answerJson({ runs: [], page_info: {} }, allFeatures),
    answerProblem(503, 'x'),
    answerJson(createRun('QUEUED')),
  ]);
  const { client } = createClient(server.url, { apiKey: giveInTurn('key-one', 'key-two', 'key-three') });
  await client.runs.create({ prompt: 'p' });
  expect(keysSent(server)).toEqual(['one', 'one', 'two', 'one', 'one'].map(name => `Bearer key-${name}`));
  await using raw = await startScriptedServer([reset, refused]);
  const other = createClient(raw.url, { apiKey: giveInTurn('key-one', 'key-two') }).client;
  expect(await failureOf(other.post('/x', { idempotencyKey: 'mine' }))).toBeInstanceOf(AuthenticationError);
  expect(keysSent(raw)).toEqual(['Bearer key-one', 'Bearer key-one']);
});

test('a create whose key is refused after a lost answer is searched, never sent with another key', async () => {
  const run = createRun('QUEUED', { prompt: 'p', created_at: new Date().toISOString() });
  const posts: (string | undefined)[] = [];
  await using server = await startScriptedServer((response, request) => {
    if (request.method === 'POST') posts.push(request.headers.authorization);
    const list = answerJson({ runs: request.path.includes('created_after') ? runs : [], page_info: {} }, allFeatures);
    const reply = posts.length === 1 ? reset : refused;
    return (request.method === 'POST' ? reply : list)(response, request);
  });
  let runs = [run];
  const apiKey = giveInTurn('key-one', 'key-two');
  expect(await createClient(server.url, { apiKey }).client.runs.create({ prompt: 'p' })).toMatchObject({
    run_id: runId,
  });
  expect(posts).toEqual(['Bearer key-one', 'Bearer key-one']);
  runs = [];
  posts.length = 0;
  const error = await failureOf(createClient(server.url, { apiKey }).client.runs.create({ prompt: 'p' }));
  expect(error).toBeInstanceOf(StartUnknownError);
  expect((error as Error).message).toContain('401');
  expect(new Set(posts).size).toBe(1);
});

test('an error from a key function is quoted without an earlier key', async () => {
  await using server = await startScriptedServer(refused);
  const apiKey = giveInTurn('key-one', new Error('down: key-one'));
  const error = await failureOf(createClient(server.url, { apiKey, maxRetries: 0 }).client.runs.retrieve(runId));
  expect(error).toMatchObject({ message: 'the apiKey function failed: down: ***' });
});

test('following continues when its key is replaced', async () => {
  let good = 'Bearer key-one';
  await using server = await startScriptedServer((response, request) => {
    const reply =
      request.headers.authorization === good ? answerJson(createRun(states.shift() ?? 'SUCCEEDED')) : refused;
    good = 'Bearer key-two';
    return reply(response, request);
  });
  const states = ['QUEUED', 'INPROGRESS'];
  const apiKey = giveInTurn('key-one', 'key-two');
  const runs = await collect(createClient(server.url, { apiKey }).client.runs.follow(runId));
  expect(runs.map(({ state }) => state)).toEqual(['QUEUED', 'INPROGRESS', 'SUCCEEDED']);
  expect(apiKey.calls).toBe(2);
});

test('the 401 is thrown if the function returns the same key, and after one other key', async () => {
  await using server = await startScriptedServer(refused);
  const same = giveInTurn('key-one');
  expect(await failureOf(createClient(server.url, { apiKey: same }).client.runs.retrieve(runId))).toBeInstanceOf(
    AuthenticationError,
  );
  expect(same.calls).toBe(2);
  expect(server.requests).toHaveLength(1);
  const fresh = giveInTurn('key-one', 'key-two', 'key-three');
  expect(await failureOf(createClient(server.url, { apiKey: fresh }).client.runs.retrieve(runId))).toBeInstanceOf(
    AuthenticationError,
  );
  expect(fresh.calls).toBe(2);
  expect(server.requests).toHaveLength(3);
});

test('a call replaces its key once, however often it is retried in between', async () => {
  const down = answerProblem(503, 'x');
  await using server = await startScriptedServer([refused, down, refused, fine]);
  const apiKey = giveInTurn('key-one', 'key-two', 'key-three');
  expect(await failureOf(createClient(server.url, { apiKey }).client.runs.retrieve(runId))).toBeInstanceOf(
    AuthenticationError,
  );
  expect(keysSent(server)).toEqual(['Bearer key-one', 'Bearer key-two', 'Bearer key-two']);
  expect(apiKey.calls).toBe(2);
});

test('the life of a key starts when the function is called, however long that takes', async () => {
  await using server = await startScriptedServer(fine);
  const given: (() => Promise<ApiKeyAnswer>)[] = [
    async () => {
      await clock.sleep(60_000);
      return { key: 'key-one', expiresInMs: 100_000 };
    },
    async () => ({ key: 'key-two' }),
  ];
  const { client, clock } = createClient(server.url, { apiKey: () => given.shift()?.() ?? 'key-three' });
  await client.runs.retrieve(runId);
  await clock.sleep(40_001);
  await client.runs.retrieve(runId);
  expect(keysSent(server)).toEqual(['Bearer key-one', 'Bearer key-two']);
});

test('concurrent 401 responses share one call of the key function', async () => {
  await using server = await startScriptedServer(guard('Bearer key-two'));
  const apiKey = giveInTurn('key-one', 'key-two', 'key-three');
  const { client } = createClient(server.url, { apiKey });
  await Promise.all(Array.from({ length: 10 }, () => client.runs.retrieve(runId)));
  expect(apiKey.calls).toBe(2);
});

test('a fixed key is not sent twice', async () => {
  await using server = await startScriptedServer(refused);
  expect(await failureOf(createClient(server.url).client.runs.retrieve(runId))).toBeInstanceOf(AuthenticationError);
  expect(server.requests).toHaveLength(1);
});

test("a caller's own authorization header calls no key function, and its 401 is thrown", async () => {
  await using server = await startScriptedServer(refused);
  const apiKey = giveInTurn('key-one');
  const { client } = createClient(server.url, { apiKey });
  const headers = { authorization: 'Basic x' };
  expect(await failureOf(client.runs.retrieve(runId, { headers }))).toBeInstanceOf(AuthenticationError);
  expect(await failureOf(client.runs.retrieve(runId, { headers: { Authorization: undefined } }))).toBeInstanceOf(
    AuthenticationError,
  );
  expect(keysSent(server)).toEqual(['Basic x', undefined]);
  expect(apiKey.calls).toBe(0);
});

test('a key function that throws is retried with backoff, for a POST too', async () => {
  await using server = await startScriptedServer(fine);
  const apiKey = giveInTurn(new Error('down'), new Error('down'), 'key-one');
  const { client, clock } = createClient(server.url, { apiKey });
  await client.post('/x', { body: {} });
  expect(clock.slept).toHaveLength(2);
  expect(server.requests).toHaveLength(1);
});

test('a key function that keeps throwing gives a typed error, and no run is started', async () => {
  await using server = await startScriptedServer(fine);
  const cause = new Error('token service is down');
  const { client } = createClient(server.url, { apiKey: giveInTurn(cause) });
  const error = await failureOf(client.runs.create({ prompt: 'p' }));
  expect(error).toBeInstanceOf(ApiKeyError);
  expect(error).toMatchObject({ message: 'the apiKey function failed: token service is down', retryable: true, cause });
  expect(server.requests).toHaveLength(0);
});

test.each<[unknown]>([
  [undefined],
  [''],
  [5],
  [{}],
  [{ key: 'secret key' }],
  ['secret\r\nX-Evil: 1'],
  [{ key: 'secret', expiresInMs: 0 }],
  [{ key: 'secret', expiresInMs: Number.NaN }],
  [{ key: 'secret', expiresInMs: '60' }],
])('a key function that returns %j is final, and the error does not show the value', async given => {
  await using server = await startScriptedServer(fine);
  const { client, clock } = createClient(server.url, { apiKey: () => given as string });
  const error = (await failureOf(client.runs.retrieve(runId))) as Error;
  expect(error).toBeInstanceOf(ApiKeyError);
  expect(error).toMatchObject({ retryable: false });
  expect(error.message).toMatch(/^the apiKey function failed: /);
  expect(error.message).not.toContain('secret');
  expect(clock.slept).toEqual([]);
});

test('the limits and the signal bound a wait for a key, which is then requested anew', async () => {
  await using server = await startScriptedServer(fine);
  let calls = 0;
  const apiKey = () => {
    calls += 1;
    return calls === 1 ? new Promise<string>(() => {}) : 'key-one';
  };
  const { client } = createClient(server.url, { apiKey, maxRetries: 0 });
  const error = await failureOf(client.runs.create({ prompt: 'p' }, { timeoutMs: 50 }));
  expect(error).toBeInstanceOf(ConnectionTimeoutError);
  expect(error).toMatchObject({ neverLeft: true, message: expect.stringContaining('no key from the apiKey function') });
  expect((await client.runs.retrieve(runId)).state).toBe('SUCCEEDED');

  const stuck = createClient(server.url, { apiKey: () => new Promise<string>(() => {}) }).client;
  const signal = AbortSignal.timeout(30);
  expect(await failureOf(stuck.runs.retrieve(runId, { signal }))).toMatchObject({ name: 'AbortedError' });
  expect(server.requests).toHaveLength(1);
});

test('a key function that uses its own client does not recurse forever', async () => {
  await using server = await startScriptedServer(fine);
  let calls = 0;
  const client: AgentRuns = new AgentRuns({
    baseUrl: server.url,
    apiKey: async () => {
      calls += 1;
      return (await client.runs.retrieve(runId)).run_id;
    },
    timeoutMs: 50,
    maxRetries: 0,
    logLevel: 'off',
  });
  expect(await failureOf(client.runs.retrieve(runId))).toBeInstanceOf(ConnectionTimeoutError);
  expect(calls).toBe(1);
  expect(server.requests).toHaveLength(0);
});

test('a key that never arrives causes no unhandled rejection', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  const apiKey = async () => {
    await new Promise(resolve => setTimeout(resolve, 40));
    throw new Error('late');
  };
  const { client } = createClient('https://a.example.com', { apiKey });
  await failureOf(client.runs.retrieve(runId, { signal: AbortSignal.timeout(10) }));
  await new Promise(resolve => setTimeout(resolve, 60));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

test('a copy shares the function and its key unless it has its own', async () => {
  await using server = await startScriptedServer(fine);
  const apiKey = giveInTurn('key-one', 'key-two');
  const { client } = createClient(server.url, { apiKey });
  const copy = client.withOptions({ maxRetries: 0 });
  await copy.runs.retrieve(runId);
  await client.runs.retrieve(runId);
  await client.withOptions({ apiKey: 'key-own' }).runs.retrieve(runId);
  expect(keysSent(server)).toEqual(['Bearer key-one', 'Bearer key-one', 'Bearer key-own']);
  expect(() => client.withOptions({ baseUrl: 'https://b.example.com' })).toThrow(
    /also needs an apiKey for that service/,
  );
});

test("a function's key is not sent over plain HTTP to another machine", () => {
  expect(() => new AgentRuns({ baseUrl: 'http://own.example.com', apiKey: () => 'k' })).toThrow(/plain HTTP/);
  expect(() => new AgentRuns({ baseUrl: 'https://own.example.com', apiKey: 5 as never })).toThrow(ConfigurationError);
});
