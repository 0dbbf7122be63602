import { describe, expect, test } from 'vitest';
import { AgentRuns, type ClientOptions, type Fetch } from '../../src/client/index.ts';
import { fenced, openTestServer } from '../support/test-server.ts';
import { collect, failureOf } from './fixtures.ts';

/** The server of this project, over a port and called directly as a fetch. */
const ways = ['over a port', 'in process'] as const;

async function openClient(way: (typeof ways)[number], options: ClientOptions = {}) {
  const { url, key, server } = await openTestServer();
  const direct: Fetch = async (address, init) => server.fetch(new Request(address, init));
  const reach: Fetch = way === 'in process' ? direct : (address, init) => fetch(address, init);
  const requests: string[] = [];
  const counting: Fetch = (address, init) => {
    requests.push(`${init.method} ${new URL(address).pathname}`);
    return reach(address, init);
  };
  const client = new AgentRuns({ baseUrl: url, apiKey: key, logLevel: 'off', fetch: counting, ...options });
  return { client, requests, reach };
}

describe.each(ways)('%s', way => {
  test('a run is started, followed by few polls, and its events and result are read to the end', async () => {
    const { client, requests } = await openClient(way);
    const started = await client.runs.create({ prompt: fenced('echo one; sleep 1; echo two') });
    const states: string[] = [];
    const run = await client.runs.wait(started.run_id, { onRun: ({ state }) => void states.push(state) });
    expect(run.state).toBe('SUCCEEDED');
    expect(states.at(-1)).toBe('SUCCEEDED');
    expect(requests.filter(request => request.startsWith('GET')).length).toBeLessThan(6);
    const events = await collect(client.runs.events(started.run_id));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
    expect(events).toHaveLength(run.last_seq);
    const printed = events.map(event =>
      event.type === 'log' && event.data.stream === 'stdout' ? event.data.text : '',
    );
    expect(printed.join('')).toContain('one\ntwo\n');
    expect(await client.runs.result(started.run_id)).toContain('two');
  });

  test('a create whose answer was lost after the commit is one run', async () => {
    const { client, reach } = await openClient(way);
    let lost = 0;
    const losing: Fetch = async (address, init) => {
      const response = await reach(address, init);
      if (init.method !== 'POST' || lost === 2) return response;
      lost += 1;
      await response.body?.cancel();
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
      });
    };
    const { data, response } = await client
      .withOptions({ fetch: losing })
      .runs.create({ prompt: fenced('echo hi'), config: { name: 'lost' } })
      .withResponse();
    expect(response.headers.get('idempotent-replayed')).toBe('true');
    const runs = await collect(client.runs.list({ name: 'lost' }));
    expect(runs.map(run => run.run_id)).toEqual([data.run_id]);
  });

  test('a run in progress is cancelled, and cannot be once it is over', async () => {
    const { client } = await openClient(way);
    const { run_id } = await client.runs.create({ prompt: fenced('sleep 60') });
    for await (const run of client.runs.follow(run_id)) if (run.state === 'INPROGRESS') break;
    expect(await client.runs.cancel(run_id)).toBe(run_id);
    expect((await client.runs.wait(run_id)).state).toBe('CANCELLED');
    expect(await failureOf(client.runs.cancel(run_id))).toMatchObject({
      name: 'BadRequestError',
      code: 'invalid_request',
    });
  });
});

test('every page of a list, each run once', async () => {
  const { client } = await openClient('in process');
  const made: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    made.push((await client.runs.create({ prompt: fenced('true'), config: { name: count < 4 ? 'a' : 'b' } })).run_id);
  }
  const listed = await collect(client.runs.list({ name: 'a', limit: 2, sort_by: 'created_at', sort_order: 'asc' }));
  expect(listed.map(run => run.run_id)).toEqual(made.slice(0, 4));
});

test('what the server refuses names code, path and request id', async () => {
  const { client } = await openClient('over a port');
  const error = await failureOf(client.runs.create({ prompt: ' ' }));
  expect(error).toMatchObject({
    name: 'BadRequestError',
    code: 'invalid_request',
    issues: [{ path: 'prompt' }],
    requestId: expect.any(String),
  });
  expect((error as Error).message.match(/prompt: is missing/g)).toHaveLength(1);
  expect(await failureOf(client.withOptions({ apiKey: 'wrong' }).runs.list())).toMatchObject({
    name: 'AuthenticationError',
    code: 'authentication_required',
  });
  const unknown = client.runs.wait('01890000-0000-7000-8000-000000000001', { notFoundGraceMs: 0 });
  expect(await failureOf(unknown)).toMatchObject({ name: 'RunLostError' });
});

test('a lease is renewed, within the bounds of the server', async () => {
  const { client } = await openClient('over a port');
  const { run_id } = await client.runs.create({ prompt: fenced('sleep 60'), lease_seconds: 30 });
  const { lease_expires_at } = await client.runs.renewLease(run_id, 600);
  expect((await client.runs.retrieve(run_id)).lease_expires_at).toBe(lease_expires_at);
  expect(await failureOf(client.runs.renewLease(run_id, 1e6))).toMatchObject({
    name: 'BadRequestError',
    issues: [{ path: 'lease_seconds' }],
  });
});
