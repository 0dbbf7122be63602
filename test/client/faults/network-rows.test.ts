/** Faults between a client and its server, one situation per test. Waits are skipped, so an hour takes no time. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AgentRuns, type ClientOptions, finalStates } from '../../../src/client/index.ts';
import {
  createTestServer,
  type Fault,
  type FaultPlan,
  type FetchLike,
  type TestServer,
  withFaults,
} from '../../../src/testing/index.ts';
import { failureOf } from '../fixtures.ts';
import { createSkippingClock } from '../skipping-clock.ts';

let server: TestServer;
let truth: AgentRuns;
let endedRun: string;
/** A run that works until the end of the tests. */
let goingRun: string;

beforeAll(async () => {
  server = await createTestServer({ listen: false });
  truth = new AgentRuns({ baseUrl: server.baseUrl, apiKey: server.apiKey, fetch: server.fetch, logLevel: 'off' });
  endedRun = await startRun('true');
  await truth.runs.wait(endedRun);
  goingRun = await startRun('sleep 600');
  for await (const { state } of truth.runs.follow(goingRun)) if (state === 'INPROGRESS') break;
});
afterAll(() => server.stop());

async function startRun(script: string): Promise<string> {
  return (await truth.runs.create({ prompt: `\`\`\`sh\n${script}\n\`\`\`` })).run_id;
}

/** Forces plain polls, so that the client times every poll. */
const plainPolls: Fault = { kind: 'feature-off', feature: 'wait' };
const html = `<!doctype html><title>Service Unavailable</title>${'<p>busy</p>'.repeat(50)}`;

/** A client behind the faults whose waits take no time. */
function meet(faults: FaultPlan, options: ClientOptions & { readonly reach?: FetchLike } = {}) {
  const { reach = server.fetch, ...more } = options;
  const clock = createSkippingClock();
  const lines: string[] = [];
  const note = (level: string) => (line: string) => void lines.push(`${level} ${line}`);
  const logger = { error: note('error'), warn: note('warn'), info: note('info'), debug: note('debug') };
  const met: string[] = [];
  const requests: string[] = [];
  const faulty = withFaults(reach, faults, { onMet: ({ kind }) => void met.push(kind) });
  const fetch: FetchLike = (url, init) => {
    requests.push(`${init?.method} ${new URL(String(url)).pathname.replace('/api/v1', '')}`);
    return faulty(url, init);
  };
  const { baseUrl, apiKey } = server;
  const client = new AgentRuns({ baseUrl, apiKey, fetch, clock, logger, logLevel: 'info', ...more });
  return { client, clock, lines, met, requests };
}

/** Ends a run while it is being polled, before the k-th poll. */
function endingAt(look: number, runId: string): FetchLike {
  let looks = 0;
  return async (url, init) => {
    looks += 1;
    if (looks === look) {
      await truth.runs.cancel(runId);
      await truth.runs.wait(runId);
    }
    return await server.fetch(url, init);
  };
}

describe('failing polls', () => {
  test('one 502 at poll 7 of 20 does not end following', async () => {
    const runId = await startRun('sleep 60');
    const { client, met, requests, lines } = meet(
      [plainPolls, { kind: 'answer', route: 'readRun', nth: 7, status: 502, body: html }],
      // The 502 never reaches the server.
      { reach: endingAt(19, runId) },
    );
    expect((await client.runs.wait(runId)).state).toBe('CANCELLED');
    expect(met).toEqual(['answer']);
    expect(requests).toHaveLength(20);
    expect(lines.filter(line => line.startsWith('warn'))).toHaveLength(1);
  });

  test('4 minutes of failures between good answers are tolerated, 5 are not', async () => {
    const outage = (nth: number): Fault => ({
      kind: 'answer',
      route: 'readRun',
      nth,
      times: 35,
      status: 503,
      body: html,
    });
    const runId = await startRun('sleep 60');
    // 35 failures in a row take about four minutes of backoff.
    const often = meet([plainPolls, outage(2), outage(40), outage(80)], { reach: endingAt(12, runId) });
    expect((await often.client.runs.wait(runId)).state).toBe('CANCELLED');
    expect(often.met.length).toBe(105);
    const once = meet([plainPolls, { ...outage(2), times: 'all' } as Fault]);
    expect(await failureOf(once.client.runs.wait(goingRun))).toMatchObject({
      name: 'ConnectionError',
      message: expect.stringContaining('no good answer for 300 s'),
      cause: { name: 'InternalServerError', status: 503 },
    });
  });
});

describe('503 with an HTML body and Retry-After: 3', () => {
  const busy = (times: number | 'all'): Fault => ({
    kind: 'answer',
    times,
    status: 503,
    headers: { 'Retry-After': '3', 'X-Request-Id': 'id-of-the-proxy' },
    body: html,
  });

  test('is retried after 3 s', async () => {
    const { client, clock } = meet([busy(1)]);
    expect((await client.runs.retrieve(endedRun)).run_id).toBe(endedRun);
    expect(clock.slept).toHaveLength(1);
    expect(clock.slept[0]).toBeGreaterThanOrEqual(3_000);
    expect(clock.slept[0]).toBeLessThanOrEqual(3_500);
  });

  test('ends with the status, the request id and the first 200 characters if it persists', async () => {
    const error = (await failureOf(meet([busy('all')]).client.runs.retrieve(endedRun))) as Error;
    expect(error).toMatchObject({ name: 'InternalServerError', status: 503, requestId: 'id-of-the-proxy' });
    expect(error.message).toContain('503');
    expect(error.message).toContain('id-of-the-proxy');
    expect(error.message).toContain('<title>Service Unavailable');
    expect(error.message.length).toBeLessThan(500);
  });
});

describe('429', () => {
  const waits: readonly (readonly [string, Record<string, string>, number, number])[] = [
    ['with seconds', { 'Retry-After': '2' }, 2_000, 2_500],
    [
      'with an HTTP date, by the server’s own clock',
      { Date: 'Wed, 21 Oct 2015 07:28:00 GMT', 'Retry-After': 'Wed, 21 Oct 2015 07:28:05 GMT' },
      5_000,
      5_500,
    ],
    ['with retry-after-ms', { 'retry-after-ms': '1500', 'Retry-After': '40' }, 1_500, 2_000],
    ['without a time', {}, 250, 500],
    ['with a whole day, which is cut', { 'Retry-After': '86400' }, 60_000, 60_000],
  ];

  test.each(waits)('%s', async (_name, headers, least, most) => {
    const { client, clock } = meet([{ kind: 'answer', status: 429, headers }]);
    await client.runs.retrieve(endedRun);
    expect(clock.slept).toHaveLength(1);
    expect(clock.slept[0]).toBeGreaterThanOrEqual(least);
    expect(clock.slept[0]).toBeLessThanOrEqual(most);
  });

  test('counts against the total time, not against the retries', async () => {
    const limited: Fault = { kind: 'answer', times: 20, status: 429, headers: { 'Retry-After': '10' } };
    const patient = meet([limited], { maxRetries: 1 });
    expect((await patient.client.runs.retrieve(endedRun)).run_id).toBe(endedRun);
    const hasty = meet([limited], { maxRetries: 50, totalTimeoutMs: 60_000 });
    expect(await failureOf(hasty.client.runs.retrieve(endedRun))).toMatchObject({ name: 'RateLimitError' });
    expect(hasty.clock.monotonicMs()).toBeLessThanOrEqual(60_000);
  });
});

describe('error statuses', () => {
  test('404 after ten good polls: the run is lost, with its last state', async () => {
    const { client, requests } = meet([plainPolls, { kind: 'deleted-run', route: 'readRun', nth: 11 }]);
    expect(await failureOf(client.runs.wait(goingRun))).toMatchObject({
      name: 'RunLostError',
      runId: goingRun,
      state: 'INPROGRESS',
    });
    expect(requests).toHaveLength(11);
  });

  test('404 right after the create is treated as replication lag', async () => {
    const { client, met } = meet([{ kind: 'lagging-copy', looks: 3 }]);
    const { run_id } = await client.runs.create({ prompt: 'nothing to run' });
    expect((await client.runs.wait(run_id)).state).toBe('FAILED');
    expect(met).toHaveLength(3);
  });

  test('401 after an hour is answered once with another key, and ends the wait without one', async () => {
    const refused = (nth: number, times: number | 'all'): Fault => ({
      kind: 'answer',
      route: 'readRun',
      nth,
      times,
      status: 401,
      headers: { 'WWW-Authenticate': 'Bearer' },
      body: { code: 'authentication_required', title: 'Sign in', retryable: false },
    });
    const fixed = meet([plainPolls, refused(260, 'all')]);
    expect(await failureOf(fixed.client.runs.wait(goingRun))).toMatchObject({
      name: 'AuthenticationError',
      status: 401,
    });
    expect(fixed.requests).toHaveLength(260);
    expect(fixed.clock.monotonicMs()).toBeGreaterThan(3_000_000);

    let asked = 0;
    const apiKey = () => {
      asked += 1;
      return `key-number-${asked}`;
    };
    const renewed = meet([plainPolls, refused(260, 1), { kind: 'deleted-run', route: 'readRun', nth: 270 }], {
      apiKey,
      reach: withKey(() => server.apiKey),
    });
    expect(await failureOf(renewed.client.runs.wait(goingRun))).toMatchObject({ name: 'RunLostError' });
    expect(asked).toBe(2);
  });

  test.each([408, 425, 429, 500, 502, 504])('%i is retried', async status => {
    const { client, met } = meet([{ kind: 'answer', status, times: 2 }]);
    expect((await client.runs.retrieve(endedRun)).run_id).toBe(endedRun);
    expect(met).toHaveLength(2);
  });

  test.each([400, 403, 404, 409, 410, 422, 501, 505])('%i is not retried', async status => {
    const { client, requests } = meet([{ kind: 'answer', status, times: 2 }]);
    expect(await failureOf(client.runs.retrieve(endedRun))).toMatchObject({ status });
    expect(requests).toHaveLength(1);
  });

  test('409 is retried if the response says so', async () => {
    const { client, met } = meet([{ kind: 'answer', status: 409, body: { retryable: true } }]);
    expect((await client.runs.retrieve(endedRun)).run_id).toBe(endedRun);
    expect(met).toHaveLength(1);
  });
});

/** Reaches the server with its true key, whatever the client sends. */
function withKey(key: () => string): FetchLike {
  return (input, init) => {
    const request = new Request(input, init);
    request.headers.set('authorization', `Bearer ${key()}`);
    return server.fetch(request);
  };
}

describe('an unresolved name', () => {
  const failing = (times: number): FetchLike => {
    let left = times;
    return (url, init) => {
      if (left <= 0) return server.fetch(url, init);
      left -= 1;
      const cause = Object.assign(new Error('getaddrinfo ENOTFOUND agents.example.com'), {
        code: 'ENOTFOUND',
        syscall: 'getaddrinfo',
      });
      return Promise.reject(new TypeError('fetch failed', { cause }));
    };
  };

  test('that resolves the third time: any request is resent without a check, a create too', async () => {
    const { client, requests, clock } = meet([], { reach: failing(2) });
    await client.runs.create({ prompt: 'nothing to run' });
    expect(requests).toEqual(Array(3).fill('POST /agent/runs'));
    expect(clock.slept).toHaveLength(2);
  });

  test('that never resolves: the error says so and names the host', async () => {
    const { client } = meet([], {
      baseUrl: 'https://agents.example.com',
      apiKey: 'some-key-of-that-host',
      reach: failing(Number.POSITIVE_INFINITY),
    });
    expect(await failureOf(client.runs.list())).toMatchObject({
      name: 'ConnectionError',
      fault: 'unresolved',
      neverLeft: true,
      message: expect.stringMatching(/agents\.example\.com: name does not resolve/),
    });
  });
});

describe('stale connections', () => {
  test('closed idle connections cause no visible failure of a GET', async () => {
    await using real = await createTestServer({ faults: [{ kind: 'close-after', times: 'all' }] });
    const lines: string[] = [];
    const note = (line: string) => void lines.push(line);
    const client = new AgentRuns({
      baseUrl: real.baseUrl,
      apiKey: real.apiKey,
      clock: createSkippingClock(),
      logger: { error: note, warn: note, info: () => {}, debug: () => {} },
    });
    for (let count = 0; count < 30; count += 1) {
      await client.runs.list();
      // Covers requests before and after the close has arrived.
      if (count % 3 === 0) await new Promise(resolve => setImmediate(resolve));
    }
    expect(lines).toEqual([]);
    expect(real.faultsMet.length).toBeGreaterThanOrEqual(30);
  });

  test('a GET that is reset is retried', async () => {
    await using real = await createTestServer({ faults: [{ kind: 'reset', times: 2 }] });
    const client = new AgentRuns({ baseUrl: real.baseUrl, apiKey: real.apiKey, clock: createSkippingClock() });
    expect((await client.runs.list()).runs).toEqual([]);
    expect(real.faultsMet).toHaveLength(2);
  });

  test('a POST that is reset after its body was read is retried only with its idempotency key', async () => {
    await using real = await createTestServer({ faults: [{ kind: 'lost-answer', route: 'createRun', times: 2 }] });
    const client = new AgentRuns({ baseUrl: real.baseUrl, apiKey: real.apiKey, clock: createSkippingClock() });
    const { run_id } = await client.runs.create({ prompt: 'nothing to run' });
    const keys = real.requests
      .filter(({ method }) => method === 'POST')
      .map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect((await client.runs.list()).runs.map(run => run.run_id)).toEqual([run_id]);
  });

  test('a server without such keys gets no second POST: the run is searched', async () => {
    await using real = await createTestServer({
      features: 'none',
      faults: [{ kind: 'lost-answer', route: 'createRun' }],
    });
    const client = new AgentRuns({ baseUrl: real.baseUrl, apiKey: real.apiKey, clock: createSkippingClock() });
    const { run_id } = await client.runs.create({ prompt: 'nothing to run', config: { name: 'once' } });
    expect(real.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect((await client.runs.list()).runs.map(run => run.run_id)).toEqual([run_id]);
  });
});

describe('clocks', () => {
  test.each([90_000, -90_000, 86_400_000])(
    'a client clock that is %i ms off does not stop a lost create from finding its run',
    async offMs => {
      const clock = createSkippingClock();
      const off = { ...clock, now: () => Date.now() + offMs };
      const { client } = meet(
        [
          { kind: 'feature-off', feature: 'all' },
          { kind: 'lost-answer', route: 'createRun' },
        ],
        {
          clock: off,
        },
      );
      const name = `off-${offMs}`;
      const { run_id } = await client.runs.create({ prompt: 'nothing to run', config: { name } });
      expect((await client.runs.wait(run_id)).state).toBe('FAILED');
      expect((await truth.runs.list({ name })).runs.map(run => run.run_id)).toEqual([run_id]);
    },
  );

  test.each([90_000, -3_600_000])(
    'a server clock that is %i ms off does not stop a lost create from finding its run',
    async ms => {
      const { client } = meet([
        { kind: 'clock-skew', ms },
        { kind: 'feature-off', feature: 'all' },
        { kind: 'lost-answer', route: 'createRun' },
      ]);
      const name = `skewed-${ms}`;
      const { run_id } = await client.runs.create({ prompt: 'nothing to run', config: { name } });
      expect((await client.runs.wait(run_id)).state).toBe('FAILED');
      expect((await truth.runs.list({ name })).runs.map(run => run.run_id)).toEqual([run_id]);
    },
  );

  test('a wall clock that jumps does not change when following times out', async () => {
    const clock = createSkippingClock();
    let looks = 0;
    const jumping = {
      ...clock,
      now: () => {
        looks += 1;
        return clock.now() + (looks % 2 === 0 ? 86_400_000 : -86_400_000);
      },
    };
    const faults: FaultPlan = [plainPolls, { kind: 'answer', route: 'readRun', nth: 3, times: 5, status: 503 }];
    const { client } = meet(faults, { clock: jumping });
    const error = await failureOf(client.runs.wait(goingRun, { timeoutMs: 600_000 }));
    expect(error).toMatchObject({ name: 'FollowTimeoutError', state: 'INPROGRESS' });
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(600_000);
    expect(clock.monotonicMs()).toBeLessThan(610_000);
    expect(looks).toBeGreaterThan(0);
  });
});

describe('keys', () => {
  test('a key revoked during a run ends the wait within seconds, naming reason, host and run', async () => {
    const { client, clock, requests } = meet([plainPolls], {
      reach: (url, init) => withKey(() => (requests.length < 5 ? server.apiKey : 'revoked'))(url, init),
    });
    const error = (await failureOf(client.runs.wait(goingRun))) as Error;
    expect(error).toMatchObject({ name: 'AuthenticationError', status: 401, code: 'authentication_required' });
    expect(error.message).toContain(goingRun);
    expect(error.message).not.toContain(server.apiKey);
    expect(requests).toHaveLength(5);
    expect(clock.slept.length).toBe(4);
  });

  test('a key of 2 minutes is renewed before it expires, through a run of 5 minutes', async () => {
    const clock = createSkippingClock();
    const lifeMs = 120_000;
    const issued: number[] = [];
    let lapsed = 0;
    const apiKey = async () => {
      issued.push(clock.monotonicMs());
      return { key: `short-lived-${issued.length}`, expiresInMs: lifeMs };
    };
    const { client } = meet([plainPolls], {
      clock,
      apiKey,
      reach: (input, init) => {
        const request = new Request(input, init);
        const key = Number(/short-lived-(\d+)/.exec(request.headers.get('authorization') ?? '')?.[1]);
        const age = clock.monotonicMs() - (issued[key - 1] ?? Number.NEGATIVE_INFINITY);
        if (age >= lifeMs) lapsed += 1;
        return withKey(() => (age < lifeMs ? server.apiKey : 'lapsed'))(request);
      },
    });
    expect(await failureOf(client.runs.wait(goingRun, { timeoutMs: 400_000 }))).toMatchObject({
      name: 'FollowTimeoutError',
    });
    expect(issued.length).toBeGreaterThanOrEqual(3);
    expect(issued.length).toBeLessThanOrEqual(6);
    expect(lapsed).toBe(0);
  });

  test('a key that is refused early is replaced once, and a second 401 is final', async () => {
    const good = server.apiKey;
    const given: string[] = [];
    const next = (keys: readonly string[]) => () => {
      const key = keys[given.length] ?? 'none-left';
      given.push(key);
      return key;
    };
    const { client } = meet([], { apiKey: next(['stale-key-1', good]) });
    expect((await client.runs.retrieve(endedRun)).run_id).toBe(endedRun);
    expect(given).toEqual(['stale-key-1', good]);
    given.length = 0;
    const other = meet([], { apiKey: next(['stale-key-1', 'stale-key-2', good]) });
    expect(await failureOf(other.client.runs.retrieve(endedRun))).toMatchObject({ name: 'AuthenticationError' });
    expect(given).toEqual(['stale-key-1', 'stale-key-2']);
  });
});

describe('a server that does not answer', () => {
  test('is given up after the limit of an attempt, over a port', async () => {
    await using real = await createTestServer({ faults: [{ kind: 'hang', times: 'all' }] });
    const client = new AgentRuns({
      baseUrl: real.baseUrl,
      apiKey: real.apiKey,
      clock: createSkippingClock(),
      timeoutMs: 100,
      maxRetries: 2,
    });
    const began = performance.now();
    expect(await failureOf(client.runs.list())).toMatchObject({ name: 'ConnectionTimeoutError', fault: 'timeout' });
    expect(performance.now() - began).toBeLessThan(15_000);
    expect(real.requests).toHaveLength(3);
  });

  test('is given up if its body stalls, because the limit covers the body', async () => {
    const drip: Fault = { kind: 'slow-body', bytes: 1, ms: 20, times: 'all' };
    const { client, requests } = meet([drip], { timeoutMs: 150, maxRetries: 1 });
    expect(await failureOf(client.runs.retrieve(endedRun))).toMatchObject({ name: 'ConnectionTimeoutError' });
    expect(requests).toHaveLength(2);
  });

  test('may have carried out a create, which becomes one run', async () => {
    const { client } = meet([{ kind: 'hang', when: 'after', route: 'createRun' }], { timeoutMs: 150 });
    const { run_id } = await client.runs.create({ prompt: 'nothing to run', config: { name: 'unanswered' } });
    expect((await truth.runs.list({ name: 'unanswered' })).runs.map(run => run.run_id)).toEqual([run_id]);
  });
});

describe('responses that the service does not send', () => {
  const strange: readonly (readonly [string, Fault, RegExp])[] = [
    [
      'a page of a proxy',
      { kind: 'answer', status: 200, body: html },
      /200 is not JSON \(text\/html\).*Service Unavailable/,
    ],
    [
      'a redirect to a login page',
      { kind: 'answer', status: 302, headers: { Location: 'https://login.example.com/x?token=1' } },
      /redirects to https:\/\/login\.example\.com, which/,
    ],
    ['an empty page', { kind: 'answer', status: 200, headers: { 'Content-Type': 'text/html' } }, /200 has no body/],
    ['204', { kind: 'answer', status: 204 }, /204 has no body/],
    ['a wrong type', { kind: 'wrong-type', type: 'text/plain' }, /200 is not JSON \(text\/plain\)/],
    ['other JSON', { kind: 'answer', status: 200, body: [] }, /is JSON, but not what this service sends/],
  ];

  test.each(strange)('%s gives an error that says what arrived', async (_name, fault, sentence) => {
    const error = (await failureOf(meet([fault]).client.runs.retrieve(endedRun))) as Error;
    expect(error.name).toBe('UnexpectedResponseError');
    expect(error.message).toMatch(sentence);
    expect(error.message).not.toContain('token=1');
  });

  test('truncated JSON is retried', async () => {
    const { client, met } = meet([
      { kind: 'truncate', bytes: 30 },
      { kind: 'cut-body', nth: 2 },
    ]);
    expect((await client.runs.retrieve(endedRun)).run_id).toBe(endedRun);
    expect(met).toHaveLength(2);
  });

  test('an empty document is retried', async () => {
    const { client, met } = meet([{ kind: 'empty-body' }]);
    expect((await client.runs.retrieve(endedRun)).run_id).toBe(endedRun);
    expect(met).toHaveLength(1);
  });

  test('an unknown state counts as still running', async () => {
    const { client, lines } = meet([plainPolls, { kind: 'unknown-state', state: 'NAPPING', times: 3 }]);
    const { state } = await client.runs.wait(endedRun);
    expect(finalStates).toContain(state);
    expect(lines.filter(line => line.includes('NAPPING'))).toHaveLength(1);
  });
});
