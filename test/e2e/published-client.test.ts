import { request } from 'node:http';
import PublishedClient, {
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  UnprocessableEntityError,
} from 'oz-agent-sdk';
import { expect, test } from 'vitest';
import { fenced, openTestServer, type TestServer, watchToEnd } from '../support/test-server.ts';

/** The server, the published client on it, and what that client sent. */
async function openBoth() {
  const target = await openTestServer();
  const sent: Request[] = [];
  const published = new PublishedClient({
    apiKey: target.key,
    baseURL: `${target.url}/api/v1`,
    fetch: (address, init) => {
      sent.push(new Request(address, init));
      return fetch(address, init);
    },
  });
  return { ...target, published, sent };
}

test('the published client of the public service starts, reads, lists and cancels runs of this server', async () => {
  const { client, published, sent } = await openBoth();
  const created = await published.agent.run({
    prompt: fenced('echo hi'),
    title: 'A greeting',
    team: true,
    config: { name: 'nightly', model_id: 'm-1', base_prompt: 'be kind' },
  });
  expect(created).toMatchObject({ state: 'QUEUED', task_id: created.run_id });
  await watchToEnd(client, created.run_id);
  const run = await published.agent.runs.retrieve(created.run_id);
  expect(run).toMatchObject({
    state: 'SUCCEEDED',
    title: 'A greeting',
    agent_config: { name: 'nightly', model_id: 'm-1', base_prompt: 'be kind' },
  });
  const page = await published.agent.runs.list({ state: ['SUCCEEDED', 'FAILED'], name: 'nightly', limit: 5 });
  expect([page.runs.map(item => item.run_id), page.page_info.has_next_page]).toEqual([[created.run_id], false]);
  const long = await published.agent.run({ prompt: fenced('sleep 60') });
  expect(await published.agent.runs.cancel(long.run_id)).toBe(long.run_id);
  expect((await watchToEnd(client, long.run_id)).state).toBe('CANCELLED');
  // What the test is about: it comes with its own headers, the older address, and a cancel without a body.
  expect(sent.every(({ headers }) => headers.get('X-Stainless-Lang') === 'js')).toBe(true);
  expect(sent.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toContain('POST /api/v1/agent/run');
  expect(new URL(sent[2]?.url ?? '').searchParams.getAll('state')).toEqual(['SUCCEEDED', 'FAILED']);
  expect(sent.at(-1)?.body).toBeNull();
});

test('every filter of its list is answered, and its cursor goes on', async () => {
  const { client, published } = await openBoth();
  const ids: string[] = [];
  for (const name of ['a', 'b', 'b']) {
    const { run_id } = await published.agent.run({ prompt: fenced('true'), config: { name, model_id: `m-${name}` } });
    await watchToEnd(client, run_id);
    ids.push(run_id);
  }
  const [first, ...others] = ids;
  const { created_at, creator } = await client.runs.retrieve(first ?? '');
  const expected: readonly (readonly [PublishedClient.Agent.RunListParams, readonly (string | undefined)[]])[] = [
    [{ name: 'a' }, [first]],
    [{ model_id: 'm-b' }, others],
    [{ creator: creator?.uid ?? 'none' }, ids],
    [{ creator: 'nobody' }, []],
    [{ source: 'API' }, ids],
    [{ source: 'CLI' }, []],
    [{ state: ['QUEUED', 'INPROGRESS'] }, []],
    [{ state: ['FAILED'] }, []],
    [{ state: ['SUCCEEDED'] }, ids],
    [{ created_after: created_at }, ids],
    [{ created_before: created_at }, []],
    [{ updated_after: '2999-01-31T12:00:00Z' }, []],
    [{ environment_id: 'empty-environment' }, ids],
    [{ environment_id: 'e' }, []],
    [{ q: 'TRUE' }, ids],
    [{ skill: 'octo-org/shop:x' }, []],
    [{ skill_spec: 'octo-org/shop:x' }, []],
    [{ schedule_id: 's' }, []],
    [{ artifact_type: 'PLAN' }, []],
    [{ name: 'b', model_id: 'm-b', source: 'API', q: 'true', limit: 500 }, others],
  ];
  for (const [query, found] of expected) {
    const { runs } = await published.agent.runs.list(query);
    expect([query, runs.map(run => run.run_id).toSorted()]).toEqual([query, found.toSorted()]);
  }
  const page = await published.agent.runs.list({ name: 'b', limit: 1 });
  const { has_next_page, next_cursor } = page.page_info;
  expect(has_next_page).toBe(true);
  const rest = await published.agent.runs.list({ name: 'b', limit: 1, ...(next_cursor && { cursor: next_cursor }) });
  expect(rest.page_info).toEqual({ has_next_page: false });
  expect([...page.runs, ...rest.runs].map(run => run.run_id).toSorted()).toEqual(others.toSorted());
});

test('it reads our errors as its own', async () => {
  const { client, published, url } = await openBoth();
  const refused = await published.agent.run({}).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(BadRequestError);
  expect(String(refused)).toContain('prompt: is missing or empty');
  const unknown = '0192f000-0000-7000-8000-000000000000';
  await expect(published.agent.runs.retrieve(unknown)).rejects.toBeInstanceOf(NotFoundError);
  await expect(published.agent.runs.cancel(unknown)).rejects.toBeInstanceOf(NotFoundError);
  await expect(published.agent.runs.list({ limit: 0 })).rejects.toBeInstanceOf(BadRequestError);
  await expect(published.agent.run({ prompt: 'x', config: { worker_host: 'w' } })).rejects.toBeInstanceOf(
    UnprocessableEntityError,
  );
  const { run_id } = await published.agent.run({ prompt: fenced('true') });
  await watchToEnd(client, run_id);
  await expect(published.agent.runs.cancel(run_id)).rejects.toBeInstanceOf(BadRequestError);
  const stranger = new PublishedClient({ apiKey: 'another-key', baseURL: `${url}/api/v1` });
  await expect(stranger.agent.runs.list()).rejects.toBeInstanceOf(AuthenticationError);
});

/** One request as it is, without what fetch would add or leave out. */
function send(
  { url, key }: TestServer,
  method: string,
  path: string,
  { headers = {}, body }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown } = {},
): Promise<{ readonly status: number; readonly body: unknown }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${url}/api/v1${path}`,
      { method, headers: { Authorization: `Bearer ${key}`, ...headers } },
      incoming => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(text) });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const habits = {
  'the newer TypeScript client': {
    create: { 'Content-Type': 'application/json', 'X-Stainless-Lang': 'js', 'X-Stainless-Retry-Count': '0' },
    cancel: { Accept: 'application/json', 'X-Stainless-Lang': 'js' },
  },
  'the Python client': {
    create: { 'Content-Type': 'application/json', 'X-Stainless-Lang': 'python', 'X-Stainless-Async': 'false' },
    cancel: { 'Content-Type': 'application/json', 'Content-Length': '0', 'X-Stainless-Read-Timeout': '60' },
  },
} as const;

test.each(['the newer TypeScript client', 'the Python client'] as const)(
  '%s is understood by what it sends: the newer address, encoded brackets, a cancel with nothing in it',
  async name => {
    const target = await openTestServer();
    const { create, cancel } = habits[name];
    const created = await send(target, 'POST', '/agent/runs', {
      headers: create,
      body: {
        prompt: fenced('sleep 60'),
        mode: 'normal',
        interactive: false,
        metadata: { 'team.name': 'shop' },
        config: { harness: { type: 'oz' }, credential_strategy: null },
        runtime_skills: [],
      },
    });
    expect(created).toMatchObject({ status: 200, body: { state: 'QUEUED' } });
    const { run_id } = created.body as { readonly run_id: string };
    const listed = await send(
      target,
      'GET',
      '/agent/runs?metadata%5Bteam.name%5D=shop&state=QUEUED&state=INPROGRESS&execution_location=REMOTE&sort_by=agent&name=',
    );
    expect(listed).toMatchObject({ status: 200, body: { runs: [{ run_id }], page_info: { has_next_page: false } } });
    expect(await send(target, 'POST', `/agent/runs/${run_id}/cancel`, { headers: cancel })).toEqual({
      status: 200,
      body: run_id,
    });
    expect((await watchToEnd(target.client, run_id)).state).toBe('CANCELLED');
  },
);
