/** Faults between a client and its server, one situation per test. Waits are skipped, so an hour takes no time. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AgentRuns, type ClientOptions } from '../../../src/client/index.ts';
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

/** Reaches the server with its true key, whatever the client sends. */
function withKey(key: () => string): FetchLike {
  return (input, init) => {
    const request = new Request(input, init);
    request.headers.set('authorization', `Bearer ${key()}`);
    return server.fetch(request);
  };
}

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

  test('a server without idempotency keys gets no second POST: the run is searched', async () => {
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
});

test('truncated and empty documents are retried', async () => {
  const { client, met } = meet([
    { kind: 'truncate', bytes: 30 },
    { kind: 'cut-body', nth: 2 },
    { kind: 'empty-body', nth: 3 },
  ]);
  expect((await client.runs.retrieve(endedRun)).run_id).toBe(endedRun);
  expect(met).toHaveLength(3);
});
