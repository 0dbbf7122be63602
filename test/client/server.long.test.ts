import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AgentRuns, type ClientOptions, type RunEvent } from '../../src/client/index.ts';
import { createTestServer, type TestServer } from '../../src/testing/index.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { fenced, openTestServer } from '../support/test-server.ts';
import { collect, failureOf } from './fixtures.ts';

/** One suite over a port and in process, with the real server. */
describe.each(['over a port', 'in process'])('%s', way => {
  let server: TestServer;
  beforeAll(async () => {
    server = await createTestServer({ listen: way === 'over a port' });
  });
  beforeEach(() => server.setFaults([]));
  afterAll(() => server.stop());

  function createClient(options: ClientOptions = {}): AgentRuns {
    const { baseUrl, apiKey } = server;
    const reach = way === 'over a port' ? {} : { fetch: server.fetch };
    return new AgentRuns({ baseUrl, apiKey, logLevel: 'off', ...reach, ...options });
  }

  test('a run is started, followed with few polls, and its events and result are read in full', async () => {
    const client = createClient();
    const started = await client.runs.create({ prompt: fenced('echo one; sleep 1; echo two') });
    const states: string[] = [];
    const before = server.requests.length;
    const run = await client.runs.wait(started.run_id, { onRun: ({ state }) => void states.push(state) });
    expect(run.state).toBe('SUCCEEDED');
    expect(states.at(-1)).toBe('SUCCEEDED');
    expect(server.requests.length - before).toBeLessThan(6);
    const events = await collect(client.runs.events(started.run_id));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
    expect(events).toHaveLength(run.last_seq ?? 0);
    expect(printed(events)).toContain('one\ntwo\n');
    expect(await client.runs.result(started.run_id)).toContain('two');
  });

  test('a run is followed with its events by one stream and one poll per change of state', async () => {
    const client = createClient();
    const { run_id } = await client.runs.create({ prompt: fenced('echo one; sleep 1; echo two'), lease_seconds: 30 });
    const before = server.requests.length;
    const seen: (RunEvent | string)[] = [];
    const onEvent = (event: RunEvent): void => void seen.push(event);
    for await (const { state } of client.runs.follow(run_id, { onEvent })) seen.push(state);
    expect(seen.at(-1)).toBe('SUCCEEDED');
    const events = seen.filter(one => typeof one !== 'string');
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
    expect(events.at(-1)).toMatchObject({ type: 'state', data: { state: 'SUCCEEDED' } });
    expect(printed(events)).toContain('one\ntwo\n');
    const asked = server.requests.slice(before).map(({ route }) => route);
    expect(asked.filter(route => route === 'listEvents')).toHaveLength(1);
    expect(asked.filter(route => route === 'readRun').length).toBeLessThanOrEqual(3);
  });

  test('events arrive while the run works, over one stream', async () => {
    const client = createClient();
    const { run_id } = await client.runs.create({ prompt: fenced('echo first; sleep 1; echo last') });
    const before = server.requests.length;
    const events: RunEvent[] = [];
    let stateAtFirst = '';
    for await (const event of client.runs.events(run_id)) {
      events.push(event);
      if (stateAtFirst === '' && printed(events).includes('first'))
        stateAtFirst = (await client.runs.retrieve(run_id)).state;
    }
    expect(stateAtFirst).toBe('INPROGRESS');
    expect(printed(events)).toContain('first\nlast\n');
    const streams = server.requests.slice(before).filter(({ route }) => route === 'listEvents');
    expect(streams.map(({ headers }) => headers.accept)).toEqual([expect.stringContaining('text/event-stream')]);
  });

  test('a broken event stream resumes where it broke', async () => {
    const client = createClient();
    const { run_id } = await client.runs.create({ prompt: fenced('for n in 1 2 3; do echo $n; sleep 0.2; done') });
    await client.runs.wait(run_id);
    server.setFaults([
      { kind: 'break-stream', events: 2 },
      { kind: 'break-stream', nth: 2, events: 1 },
    ]);
    const before = server.requests.length;
    const events = await collect(client.runs.events(run_id));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
    expect(printed(events)).toContain('1\n2\n3\n');
    expect(server.requests.slice(before).map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '2', '3']);
  });

  test('a create whose response was lost after the commit is one run', async () => {
    const client = createClient();
    server.setFaults([{ kind: 'lost-answer', route: 'createRun', times: 2 }]);
    const { data, response } = await client.runs
      .create({ prompt: fenced('echo hi'), config: { name: 'lost' } })
      .withResponse();
    expect(response.headers.get('idempotent-replayed')).toBe('true');
    const runs = await collect(client.runs.list({ name: 'lost' }));
    expect(runs.map(run => run.run_id)).toEqual([data.run_id]);
  });

  test('a run in progress is canceled, and an ended one cannot be', async () => {
    const client = createClient();
    const { run_id } = await client.runs.create({ prompt: fenced('sleep 60') });
    for await (const run of client.runs.follow(run_id)) if (run.state === 'INPROGRESS') break;
    expect(await client.runs.cancel(run_id)).toBe(run_id);
    expect((await client.runs.wait(run_id)).state).toBe('CANCELLED');
    expect(await failureOf(client.runs.cancel(run_id))).toMatchObject({
      name: 'BadRequestError',
      code: 'invalid_request',
    });
  });

  test('an aborted wait ends at once, and sends no more requests', async () => {
    const client = createClient();
    const { run_id } = await client.runs.create({ prompt: fenced('sleep 60') });
    const controller = new AbortController();
    const reason = new Error('enough');
    const waiting = failureOf(client.runs.wait(run_id, { signal: controller.signal }));
    await new Promise(wake => setTimeout(wake, 200));
    const aborted = performance.now();
    controller.abort(reason);
    expect(await waiting).toMatchObject({ name: 'AbortedError', cause: reason });
    expect(performance.now() - aborted).toBeLessThan(10_000);
    const asked = server.requests.length;
    await new Promise(wake => setTimeout(wake, 300));
    expect(server.requests).toHaveLength(asked);
    await client.runs.cancel(run_id);
  });

  test('a list over several pages has each run once', async () => {
    const client = createClient();
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const name = count < 4 ? 'paged' : 'other';
      made.push((await client.runs.create({ prompt: 'nothing to run', config: { name } })).run_id);
    }
    const params = { name: 'paged', limit: 2, sort_by: 'created_at', sort_order: 'asc' } as const;
    const listed = await collect(client.runs.list(params));
    expect(listed.map(run => run.run_id)).toEqual(made.slice(0, 4));
  });

  test('a refusal names code, path and request id', async () => {
    const client = createClient();
    const error = await failureOf(client.runs.create({ prompt: ' ' }));
    expect(error).toMatchObject({
      name: 'BadRequestError',
      code: 'invalid_request',
      issues: [{ path: 'prompt' }],
      requestId: expect.any(String),
    });
    expect((error as Error).message.match(/prompt: is missing/g)).toHaveLength(1);
    expect(await failureOf(createClient({ apiKey: 'wrong' }).runs.list())).toMatchObject({
      name: 'AuthenticationError',
      code: 'authentication_required',
    });
    const unknown = client.runs.wait('01890000-0000-7000-8000-000000000001', { notFoundGraceMs: 0 });
    expect(await failureOf(unknown)).toMatchObject({ name: 'RunLostError' });
  });

  test("a refused key is replaced by its function's next one, and one run is made", async () => {
    const given = ['no-key-of-this-server'];
    const client = createClient({ apiKey: () => given.shift() ?? server.apiKey });
    const { run_id } = await client.runs.create({ prompt: 'nothing to run', config: { name: 'renewed' } });
    const runs = await collect(client.runs.list({ name: 'renewed' }));
    expect(runs.map(run => run.run_id)).toEqual([run_id]);
  });

  test('the reason of a cancel appears on the run', async () => {
    const client = createClient();
    const { run_id } = await client.runs.create({ prompt: fenced('sleep 60') });
    await client.runs.cancel(run_id, { reason: 'superseded by another run' });
    const { state, status_message } = await client.runs.wait(run_id);
    expect(state).toBe('CANCELLED');
    expect(status_message?.message).toContain('superseded by another run');
  });

  test("a lease is renewed, within the server's limits", async () => {
    const client = createClient();
    const { run_id } = await client.runs.create({ prompt: fenced('sleep 60'), lease_seconds: 30 });
    const { lease_expires_at } = await client.runs.renewLease(run_id, 600);
    expect((await client.runs.retrieve(run_id)).lease_expires_at).toBe(lease_expires_at);
    expect(await failureOf(client.runs.renewLease(run_id, 1e6))).toMatchObject({
      name: 'BadRequestError',
      issues: [{ path: 'lease_seconds' }],
    });
    await client.runs.cancel(run_id);
  });

  test('a lease can be released repeatedly until the run ends', async () => {
    const client = createClient();
    const { run_id } = await client.runs.create({ prompt: fenced('sleep 60'), lease_seconds: 30 });
    for (let times = 0; times < 2; times += 1) expect(await client.runs.releaseLease(run_id)).toBeUndefined();
    expect((await client.runs.retrieve(run_id)).lease_expires_at).toBeUndefined();
    await client.runs.cancel(run_id);
    await client.runs.wait(run_id);
    expect(await failureOf(client.runs.releaseLease(run_id))).toMatchObject({
      name: 'BadRequestError',
      code: 'invalid_request',
    });
    server.setFaults([{ kind: 'feature-off', feature: 'lease' }]);
    expect(await failureOf(client.runs.releaseLease(run_id))).toMatchObject({
      name: 'FeatureUnavailableError',
      feature: 'lease',
    });
  });
});

test.concurrent.each([
  ['that breaks after every other event', { kind: 'break-stream', events: 2, times: 'all' }, 60_000],
  ['that a proxy holds back', { kind: 'buffered-stream', times: 'all' }, 60_000],
  ['on which nothing ever comes', { kind: 'silent-stream', times: 'all' }, 1000],
  ['that is never answered', { kind: 'hang', stream: true, times: 'all' }, 1000],
] as const)('a stream %s costs a verdict only a moment, and no event', async (_name, fault, eventsGraceMs) => {
  await using server = await createTestServer({ listen: false, faults: [fault] });
  const { baseUrl, apiKey, fetch } = server;
  const client = new AgentRuns({ baseUrl, apiKey, fetch, logLevel: 'off' });
  const { run_id } = await client.runs.create({ prompt: fenced('for n in 1 2 3; do echo $n; sleep 0.2; done') });
  const events: RunEvent[] = [];
  const began = performance.now();
  const onEvent = (event: RunEvent): void => void events.push(event);
  const run = await client.runs.wait(run_id, { onEvent, eventsGraceMs });
  expect(run.state).toBe('SUCCEEDED');
  expect(performance.now() - began).toBeLessThan(20_000);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
  expect(events).toHaveLength(run.last_seq ?? 0);
});

test('a restarted server continues the events where they were, and the run is not lost', async () => {
  const dataDir = join(createTempFolder(), 'data');
  const first = await openTestServer({ dataDir });
  const { run_id } = await first.client.runs.create({ prompt: fenced('echo one; sleep 60') });
  const seqs: number[] = [];
  const following = first.client.runs.wait(run_id, { onEvent: ({ seq }) => void seqs.push(seq) });
  while (seqs.length < 3) await new Promise(wake => setTimeout(wake, 20));
  await first.stop();
  await openTestServer({ dataDir, port: Number(new URL(first.url).port) });
  const run = await following;
  expect(run.state).toBe('ERROR');
  expect(seqs).toEqual(Array.from({ length: run.last_seq ?? 0 }, (_, index) => index + 1));
});

/** What the run's program printed. */
function printed(events: readonly RunEvent[]): string {
  return events
    .map(({ type, data }) => {
      const { stream, text } = data as { stream?: string; text?: string };
      return type === 'log' && stream === 'stdout' ? text : '';
    })
    .join('');
}
