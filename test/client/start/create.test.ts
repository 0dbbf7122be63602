import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { AbortedError, ConfigurationError, ConnectionError, StartUnknownError } from '../../../src/client/index.ts';
import { createClient, createRun, failureOf, runId } from '../fixtures.ts';
import {
  allFeatures,
  answerJson,
  answerProblem,
  breakOff,
  findClosedPort,
  hang,
  type Reply,
  reset,
  startScriptedServer,
} from '../scripted-server.ts';

const started = answerJson({ run_id: runId, task_id: runId, state: 'QUEUED' }, allFeatures);
const ableList = answerJson({ runs: [], page_info: { has_next_page: false } }, allFeatures);
const body = { prompt: 'count the files', title: 'Count' };

/** The list of a service without idempotency keys, with a clock a year behind. */
function answerRuns(runs: readonly object[], more: object = { has_next_page: false }): Reply {
  return answerJson({ runs, page_info: more }, { Date: 'Mon, 01 Jan 2029 00:01:00 GMT' });
}
const ours = createRun('INPROGRESS', {
  title: 'Count',
  created_at: '2029-01-01T00:00:59.500Z',
  session_link: 'https://a.example.com/s/1',
});

test('a create sends its body once, with a new key and its source', async () => {
  await using server = await startScriptedServer([started, started]);
  const { client } = createClient(server.url);
  expect(await client.runs.create(body, { source: 'CLI' })).toEqual({ run_id: runId, task_id: runId, state: 'QUEUED' });
  await client.runs.create(body);
  const [first, second] = server.requests;
  expect(first).toMatchObject({ method: 'POST', path: '/agent/runs', body: JSON.stringify(body) });
  expect(first?.headers['x-agent-run-source']).toBe('CLI');
  expect(second?.headers).not.toHaveProperty('x-agent-run-source');
  expect(first?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  expect(second?.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key']);
});

test.each<[string, Reply]>([
  ['a reset', reset],
  ['a body that breaks off', breakOff],
])('after %s the server is asked, and the create retried with the same key if supported', async (_name, trouble) => {
  await using server = await startScriptedServer([trouble, ableList, started]);
  const { client, clock } = createClient(server.url);
  expect((await client.runs.create(body, { idempotencyKey: 'mine' })).run_id).toBe(runId);
  expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /agent/runs',
    'GET /agent/runs?limit=1',
    'POST /agent/runs',
  ]);
  expect(server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', undefined, 'mine']);
  expect(server.requests[2]).toMatchObject({ body: server.requests[0]?.body, headers: { 'x-retry-count': '1' } });
  expect(clock.slept).toHaveLength(1);
});

/** A fetch whose first `times` answers to creates break the client's own code. */
function breakAnswers(times: number): typeof fetch {
  let left = times;
  return async (url, init) => {
    const response = await fetch(url, init);
    if (init?.method !== 'POST' || left === 0) return response;
    left -= 1;
    return Object.defineProperty(response, 'statusText', {
      get() {
        throw new TypeError('x is undefined');
      },
    });
  };
}

test('an unforeseen error while reading the response is settled like a lost response', async () => {
  await using server = await startScriptedServer([started, ableList, started]);
  const { client } = createClient(server.url, { fetch: breakAnswers(1) });
  expect((await client.runs.create(body, { idempotencyKey: 'mine' })).run_id).toBe(runId);
  expect(server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', undefined, 'mine']);
});

test('a lasting unforeseen error leaves it unknown whether the run was started', async () => {
  await using server = await startScriptedServer([started, ableList, started]);
  const { client } = createClient(server.url, { fetch: breakAnswers(2) });
  const failure = await failureOf(client.runs.create(body));
  expect(failure).toBeInstanceOf(StartUnknownError);
  expect((failure as Error).message).toContain('x is undefined');
});

test('a response without a status text, as proxies send it, is accepted', async () => {
  await using server = await startScriptedServer([started]);
  const { client } = createClient(server.url, {
    fetch: async (url, init) => Object.defineProperty(await fetch(url, init), 'statusText', { value: undefined }),
  });
  const { data, response } = await client.runs.create(body).withResponse();
  expect([data.run_id, response.status, response.statusText]).toEqual([runId, 200, '']);
});

test('a create is retried as it was called, even if the caller changes its objects meanwhile', async () => {
  await using server = await startScriptedServer([reset, ableList, started]);
  const { client } = createClient(server.url);
  const changing = { prompt: 'the first task', title: 'One', config: { name: 'one' } };
  const made = client.runs.create(changing);
  changing.prompt = 'the second task';
  changing.config.name = 'two';
  await made;
  const [first, , again] = server.requests;
  expect(JSON.parse(first?.body ?? '')).toEqual({ prompt: 'the first task', title: 'One', config: { name: 'one' } });
  expect(again?.body).toBe(first?.body);
  expect(again?.headers['x-retry-count']).toBe('1');
});

test('a run of another body is not returned, even if the caller changed its body to it', async () => {
  const foreign = createRun('INPROGRESS', { title: 'Other', created_at: '2029-01-01T00:00:59.500Z' });
  await using server = await startScriptedServer([reset, answerRuns([]), answerRuns([foreign])]);
  const { client } = createClient(server.url);
  const changing = { ...body };
  const failed = failureOf(client.runs.create(changing));
  changing.title = 'Other';
  expect(await failed).toBeInstanceOf(StartUnknownError);
});

test('headers of the caller are sent too', async () => {
  await using server = await startScriptedServer([reset, ableList, started]);
  const headers = { 'X-Team': 'a', 'idempotency-key': null, 'X-Agent-Run-Source': 'LINEAR' };
  await createClient(server.url).client.runs.create(body, { headers, idempotencyKey: 'mine' });
  for (const request of [server.requests[0], server.requests[2]])
    expect(request?.headers).toMatchObject({
      'x-team': 'a',
      'idempotency-key': 'mine',
      'x-agent-run-source': 'LINEAR',
    });
});

test('an attempt that timed out is settled the same way', async () => {
  await using server = await startScriptedServer([hang, ableList, started]);
  const { client } = createClient(server.url);
  expect((await client.runs.create(body, { timeoutMs: 1000 })).run_id).toBe(runId);
  expect(server.requests).toHaveLength(3);
});

test("without idempotency keys the run is found by the server's clock", async () => {
  const others = [
    createRun('QUEUED', { prompt: 'another', title: 'Count', created_at: ours.created_at }),
    createRun('SUCCEEDED', { title: 'Count', created_at: '2028-12-31T23:00:00.000Z' }),
  ];
  await using server = await startScriptedServer([
    reset,
    answerRuns([]),
    answerRuns(others, { has_next_page: true, next_cursor: 'next' }),
    answerRuns([ours]),
  ]);
  const { client } = createClient(server.url);
  const { data, response } = await client.runs.create(body).withResponse();
  expect(data).toEqual({ run_id: runId, task_id: runId, state: 'INPROGRESS', session_link: ours.session_link });
  expect(await response.json()).toEqual(data);
  const [, , search, more] = server.requests.map(({ path }) => new URLSearchParams(path.split('?')[1]));
  const since = Date.parse(search?.get('created_after') ?? '');
  expect(since).toBeGreaterThan(Date.parse('2028-12-31T23:59:50Z'));
  expect(since).toBeLessThan(Date.parse('2029-01-01T00:00:00Z'));
  expect([search?.get('sort_by'), search?.get('sort_order')]).toEqual(['created_at', 'desc']);
  expect(more?.get('cursor')).toBe('next');
  expect(more?.get('created_after')).toBe(search?.get('created_after'));
  expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('if the list has two runs that match, the error has the key and the failure of the create', async () => {
  await using server = await startScriptedServer([reset, answerRuns([]), answerRuns([ours, { ...ours, run_id: 'b' }])]);
  const error = await failureOf(createClient(server.url).client.runs.create(body, { idempotencyKey: 'mine' }));
  expect(error).toBeInstanceOf(StartUnknownError);
  expect(error).toMatchObject({ idempotencyKey: 'mine', cause: expect.any(ConnectionError) });
  expect((error as Error).message).toMatch(/connection closed.*no run in the list/);
});

test('a create whose connection was refused is retried without a check', async () => {
  await using server = await startScriptedServer([started]);
  const port = await findClosedPort();
  let calls = 0;
  const fetch = async (url: string, init: RequestInit) => {
    calls += 1;
    return globalThis.fetch(calls === 1 ? `http://127.0.0.1:${port}/` : url, init);
  };
  const { client } = createClient(server.url, { fetch });
  expect((await client.runs.create(body)).run_id).toBe(runId);
  expect(server.requests.map(({ method }) => method)).toEqual(['POST']);
});

test('a create is resent unchecked if connecting failed, and checked if it was lost later', async () => {
  const meet = async (syscall: string) => {
    await using server = await startScriptedServer((response, request) =>
      (request.method === 'POST' ? started : ableList)(response, request),
    );
    let calls = 0;
    // What Node's fetch throws. A real unreachable host would need a network.
    const fetch = async (url: string, init: RequestInit) => {
      calls += 1;
      if (calls > 1) return globalThis.fetch(url, init);
      throw new TypeError('fetch failed', { cause: { code: 'EHOSTUNREACH', syscall } });
    };
    await createClient(server.url, { fetch }).client.runs.create(body);
    return server.requests.map(({ method }) => method);
  };
  expect(await meet('connect')).toEqual(['POST']);
  expect(await meet('write')).toEqual(['GET', 'POST']);
});

test('a run found in the list has a valid link, whatever the list sends', async () => {
  const deepText = '['.repeat(50_000) + ']'.repeat(50_000);
  const list: Reply = response => {
    response.writeHead(200, { 'Content-Type': 'application/json', Date: 'Mon, 01 Jan 2029 00:01:00 GMT' });
    response.end(
      JSON.stringify({ runs: [{ ...ours, session_link: 'LINK' }], page_info: {} }).replace('"LINK"', deepText),
    );
  };
  await using server = await startScriptedServer([reset, list, list]);
  expect(await createClient(server.url).client.runs.create(body)).toEqual({
    run_id: runId,
    task_id: runId,
    state: 'INPROGRESS',
  });
});

test('two creates never return the same run, nor a run of an earlier create', async () => {
  const list = answerRuns([ours]);
  const answers = [reset, reset];
  await using server = await startScriptedServer((response, request) =>
    (request.method === 'POST' ? (answers.shift() ?? reset) : list)(response, request),
  );
  const { client } = createClient(server.url);
  expect((await client.runs.create(body)).run_id).toBe(runId);
  expect(await failureOf(client.runs.create(body))).toBeInstanceOf(StartUnknownError);
  await using other = await startScriptedServer([started, reset, list, list]);
  const second = createClient(other.url).client;
  await second.runs.create(body);
  expect(await failureOf(second.runs.create(body))).toBeInstanceOf(StartUnknownError);
});

test('the run of a raw request is not returned for another create', async () => {
  await using server = await startScriptedServer([started, reset, answerRuns([ours]), answerRuns([ours])]);
  const { client } = createClient(server.url);
  await client.post('/agent/runs?team=a', { body });
  expect(await failureOf(client.runs.create(body))).toBeInstanceOf(StartUnknownError);
});

test('a pending create whose body serializes to nothing ends no other', async () => {
  await using server = await startScriptedServer((response, request) => {
    if (request.body === 'null') return hang(response, request);
    return (request.method === 'POST' ? reset : answerRuns([ours]))(response, request);
  });
  const { client } = createClient(server.url);
  const stopping = new AbortController();
  const strange = failureOf(client.runs.create({ toJSON: () => null } as never, { signal: stopping.signal }));
  expect(await failureOf(client.runs.create(body))).toMatchObject({
    name: 'StartUnknownError',
    message: expect.stringContaining('no run in the list could be identified as this one'),
  });
  stopping.abort();
  await strange;
});

test('a run that may belong to a pending equal create is not returned', async () => {
  const release = Promise.withResolvers<void>();
  const list = answerRuns([ours]);
  let creates = 0;
  await using server = await startScriptedServer(async (response, request) => {
    if (request.method === 'GET') return list(response, request);
    creates += 1;
    if (creates === 1) return reset(response, request);
    await release.promise;
    return started(response, request);
  });
  const { client } = createClient(server.url);
  const lost = failureOf(client.runs.create(body));
  const slow = client.runs.create(body);
  expect(await lost).toBeInstanceOf(StartUnknownError);
  release.resolve();
  expect((await slow).run_id).toBe(runId);
});

test('a pending create does not hide a run that cannot be its own', async () => {
  await using server = await startScriptedServer((response, request) => {
    if (request.body.includes('another')) return hang(response, request);
    return (request.method === 'POST' ? reset : answerRuns([ours]))(response, request);
  });
  const { client } = createClient(server.url);
  const stopping = new AbortController();
  const other = failureOf(client.runs.create({ prompt: 'another' }, { signal: stopping.signal }));
  expect((await client.runs.create(body)).run_id).toBe(runId);
  stopping.abort();
  await other;
});

test('the search ends after some pages, and with the total time', async () => {
  const pageOf = (run: object): Reply => {
    let page = 0;
    return (response, request) => {
      page += 1;
      const answer = answerRuns([run], { has_next_page: true, next_cursor: `c${page}` });
      return (request.method === 'POST' ? reset : answer)(response, request);
    };
  };
  const gets = (server: { readonly requests: readonly { readonly method: string }[] }) =>
    server.requests.filter(({ method }) => method === 'GET').length;
  await using endless = await startScriptedServer(pageOf({ ...ours, prompt: 'another' }));
  expect(await failureOf(createClient(endless.url).client.runs.create(body))).toBeInstanceOf(StartUnknownError);
  expect(gets(endless)).toBe(11);

  const slowPage = pageOf({ ...ours, prompt: 'another' });
  await using slow = await startScriptedServer(async (response, request) => {
    if (request.method === 'GET') await new Promise(resolve => setTimeout(resolve, 2000));
    return slowPage(response, request);
  });
  const began = performance.now();
  const { client } = createClient(slow.url, { totalTimeoutMs: 1_000, clock: systemClock });
  expect(await failureOf(client.runs.create(body))).toBeInstanceOf(StartUnknownError);
  expect(performance.now() - began).toBeLessThan(10_000);
});

test('the total time covers a create and its settling', async () => {
  // A minute of the client's clock, and a real second that is left for the rest.
  const lateReset: Reply = async (response, request) => {
    await clock.sleep(60_000);
    await reset(response, request);
  };
  const lateHang: Reply = async (response, request) => {
    await clock.sleep(1_500);
    await hang(response, request);
  };
  await using server = await startScriptedServer([lateReset, lateHang]);
  const { client, clock } = createClient(server.url, { timeoutMs: 90_000, totalTimeoutMs: 61_500 });
  const began = performance.now();
  expect(await failureOf(client.runs.create(body))).toBeInstanceOf(StartUnknownError);
  expect(server.requests).toHaveLength(2);
  expect(performance.now() - began).toBeLessThan(15_000);
});

test('the signal ends a create while it is being settled', async () => {
  const controller = new AbortController();
  const abort: Reply = (response, request) => {
    controller.abort();
    return hang(response, request);
  };
  await using server = await startScriptedServer([reset, abort]);
  const { client } = createClient(server.url);
  const error = await failureOf(client.runs.create(body, { signal: controller.signal, idempotencyKey: 'mine' }));
  expect(error).toBeInstanceOf(AbortedError);
  expect(error).toMatchObject({ idempotencyKey: 'mine' });
});

test('an abort of a sent create says that a run may have been started, and has the key', async () => {
  await using server = await startScriptedServer(hang);
  const { client } = createClient(server.url);
  const error = await failureOf(
    client.runs.create(body, { signal: AbortSignal.timeout(500), idempotencyKey: 'mine', timeoutMs: 60_000 }),
  );
  expect(error).toBeInstanceOf(AbortedError);
  expect(error).toMatchObject({ idempotencyKey: 'mine', cause: { name: 'TimeoutError' } });
  expect((error as Error).message).toContain('the run may have been started (Idempotency-Key mine)');
});

test('an abort of a create that was not carried out says nothing about a run', async () => {
  const stopping = new AbortController();
  await using server = await startScriptedServer(answerProblem(429, 'rate_limited'));
  const onRetry = () => stopping.abort();
  const { client } = createClient(server.url, { onRetry });
  const error = await failureOf(client.runs.create(body, { signal: stopping.signal }));
  expect(error).toMatchObject({ message: 'the call was aborted by its signal', idempotencyKey: undefined });
  const { client: waiting } = createClient(server.url, { apiKey: () => new Promise(() => {}) });
  expect(await failureOf(waiting.runs.create(body, { signal: AbortSignal.timeout(50) }))).toMatchObject({
    name: 'AbortedError',
    idempotencyKey: undefined,
  });
});

test.each(['', 'has blank', 'ü', 'x'.repeat(256)])(
  'the idempotency key %j is refused before anything is sent',
  async idempotencyKey => {
    await using server = await startScriptedServer([started]);
    expect(await failureOf(createClient(server.url).client.runs.create(body, { idempotencyKey }))).toBeInstanceOf(
      ConfigurationError,
    );
    expect(server.requests).toHaveLength(0);
  },
);

test('no log line contains the prompt or the key', async () => {
  await using server = await startScriptedServer([reset, ableList, answerProblem(503, 'x'), started]);
  const { client, lines } = createClient(server.url);
  await client.runs.create({ prompt: 'a very private prompt' });
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.join('\n')).not.toMatch(/private|key-3f9a/);
});
