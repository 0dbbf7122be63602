import { expect, test } from 'vitest';
import { wholeText } from '../../../src/contract/tables/run-text.ts';
import { readAnswer } from '../../support/answer.ts';
import { openHttpApp } from '../../support/http-app.ts';

const waiting = (etag: string, seconds = 10) => ({ headers: { 'If-None-Match': etag, Prefer: `wait=${seconds}` } });

async function openReadRun(body?: Record<string, unknown>) {
  const app = await openHttpApp();
  const run = await app.startRun(body);
  const path = `/agent/runs/${run.runId}`;
  return { app, run, path, etag: (await app.call('GET', path)).headers.get('ETag') ?? '' };
}

test('every invalid authorization gets the same 401', async () => {
  const app = await openHttpApp();
  const bodies: unknown[] = [];
  for (const authorization of ['', 'Bearer wrong-key-12345', 'Basic dGVzdA==', 'Bearer']) {
    const response = await app.call('GET', '/agent/runs', {
      headers: { Authorization: authorization, 'X-Request-Id': 'r' },
    });
    expect([response.status, response.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer']);
    bodies.push(await readAnswer(response));
  }
  expect(new Set(bodies.map(body => JSON.stringify(body))).size).toBe(1);
});

test('an invalid id and an unknown one get the same answer', async () => {
  const app = await openHttpApp();
  for (const id of ['nonsense', '0192f000-0000-7000-8000-000000000000', '%00', 'x'.repeat(500)])
    for (const [method, suffix] of [
      ['GET', ''],
      ['POST', '/cancel'],
      ['POST', '/followups'],
      ['GET', '/events'],
      ['GET', '/result'],
    ] as const) {
      const response = await app.call(method, `/agent/runs/${id}${suffix}`);
      expect([response.status, (await readAnswer(response)).type]).toEqual([
        404,
        'https://agents.example.com/errors/resource_not_found',
      ]);
    }
});

test('a wrong method is 405 with Allow, a wrong address 404', async () => {
  const app = await openHttpApp();
  const response = await app.call('DELETE', '/agent/runs');
  expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST, GET']);
  expect((await app.call('GET', '/agent/nonsense')).status).toBe(404);
  expect((await app.fetch(new Request('http://127.0.0.1/nonsense'))).headers.get('Content-Type')).toBe(
    'application/problem+json',
  );
});

test('a valid request id of the caller is returned', async () => {
  const app = await openHttpApp();
  expect(
    (await app.call('GET', '/agent/runs', { headers: { 'X-Request-Id': 'mine-1' } })).headers.get('X-Request-Id'),
  ).toBe('mine-1');
  expect(
    (await app.call('GET', '/agent/runs', { headers: { 'X-Request-Id': 'a b<script>' } })).headers.get('X-Request-Id'),
  ).toMatch(/^[0-9a-f-]{36}$/);
});

test.each([
  [
    { message: 'm', error_code: 'no_result', retryable: false },
    { message: 'm', reason: 'no_result', retryable: false },
  ],
  [
    { message: 'm', error_code: 'internal_error', retryable: true },
    { message: 'm', error_code: 'internal_error', reason: 'internal_error', retryable: true },
  ],
  [{ message: 'm' }, { message: 'm' }],
] as const)('the status %j is answered as %j, also in a list', async (statusMessage, shown) => {
  const app = await openHttpApp();
  const run = await app.startRun();
  await app.store.finishRun(run, { state: 'FAILED', statusMessage });
  expect((await readAnswer(app.call('GET', `/agent/runs/${run.runId}`))).status_message).toEqual(shown);
  expect((await readAnswer(app.call('GET', '/agent/runs'))).runs[0]?.status_message).toEqual(shown);
});

test.each([
  [
    { input_tokens: 1000, output_tokens: 20, requests: 2, cost_usd: 0.5 },
    { total_tokens: 1020, inference_cost_usd: 0.5, input_tokens: 1000, output_tokens: 20, requests: 2, cost_usd: 0.5 },
  ],
  [{ input_tokens: 0, output_tokens: 0 }, undefined],
  [{ output_tokens: 20 }, { output_tokens: 20 }],
])('the usage %j is answered with published names as %j', async (data, shown) => {
  const app = await openHttpApp();
  const run = await app.startRun();
  await app.store.appendEvents(run, [{ type: 'usage', data }]);
  expect((await readAnswer(app.call('GET', `/agent/runs/${run.runId}`))).request_usage).toEqual(shown);
});

test('a long poll answers 304 after its time and 200 when the run changes', async () => {
  const { app, run, path, etag } = await openReadRun();
  const quiet = await app.call('GET', path, waiting(etag, 1));
  expect([quiet.status, quiet.headers.get('Preference-Applied'), await quiet.text()]).toEqual([304, 'wait=1', '']);
  const poll = app.call('GET', path, waiting(etag));
  await app.store.appendEvents(run, [{ type: 'log', data: { stream: 'stdout', text: 'a log line moves no version' } }]);
  await app.store.renewLease(run.runId, 60);
  const startedAt = performance.now();
  setTimeout(() => void app.store.finishRun(run, { state: 'SUCCEEDED', result: wholeText('done') }), 100);
  const moved = await poll;
  expect(moved.status).toBe(200);
  expect(await readAnswer(moved)).toMatchObject({ state: 'SUCCEEDED', result: { text: 'done', truncated: false } });
  expect(performance.now() - startedAt).toBeLessThan(4500);
});

test('a weak version from a proxy matches', async () => {
  const { app, path, etag } = await openReadRun();
  expect((await app.call('GET', path, { headers: { 'If-None-Match': `"0", W/${etag}` } })).status).toBe(304);
});

test('a long poll answers at once for an ended run or a closing server', async () => {
  const { app, run, path, etag } = await openReadRun();
  const poll = app.call('GET', path, waiting(etag, 30));
  setTimeout(() => app.stop(), 50);
  expect((await poll).status).toBe(304);
  await app.store.finishRun(run, { state: 'FAILED' });
  const last = (await app.call('GET', path)).headers.get('ETag') ?? '';
  expect((await app.call('GET', path, waiting(last, 30))).status).toBe(304);
});

test('a caller that disconnects ends its long poll', async () => {
  const { app, path, etag } = await openReadRun();
  const gone = new AbortController();
  const poll = app.call('GET', path, { ...waiting(etag, 40), signal: gone.signal });
  setTimeout(() => gone.abort(), 50);
  const startedAt = performance.now();
  await poll;
  expect(performance.now() - startedAt).toBeLessThan(4500);
});

test('a long poll of the creator renews the lease', async () => {
  const { app, run, path, etag } = await openReadRun({ prompt: 'x', lease_seconds: 2 });
  const poll = app.call('GET', path, waiting(etag, 4));
  const looks = setInterval(() => void app.store.cancelLapsedLeases(), 100);
  const response = await poll;
  clearInterval(looks);
  expect(response.status).toBe(304);
  expect((await app.store.readRun(run.runId))?.cancelRequestedAt).toBeUndefined();
});

test('cancel takes an empty body and answers with the id, or 400 for an ended run', async () => {
  const app = await openHttpApp();
  const { run_id } = await readAnswer(app.call('POST', '/agent/runs', { body: { prompt: 'x' } }));
  const response = await app.call('POST', `/agent/runs/${run_id}/cancel`, {
    headers: { 'Content-Type': 'application/json' },
  });
  expect([response.status, await readAnswer(response)]).toEqual([200, run_id]);
  const again = await app.call('POST', `/agent/runs/${run_id}/cancel`);
  expect([again.status, (await readAnswer(again)).detail]).toEqual([
    400,
    'the run is over (CANCELLED) and cannot be canceled',
  ]);
});

test('a cancel reason follows the caller in one line without control characters', async () => {
  const app = await openHttpApp();
  const cancelWith = async (body: unknown) => {
    const { run_id } = await readAnswer(app.call('POST', '/agent/runs', { body: { prompt: 'x' } }));
    const answer = await app.call('POST', `/agent/runs/${run_id}/cancel`, { body });
    expect([answer.status, await readAnswer(answer)]).toEqual([200, run_id]);
    return (await readAnswer(app.call('GET', `/agent/runs/${run_id}`))).status_message?.message;
  };
  const who = 'requested with the key in AGENT_RUN_API_KEY';
  expect(await cancelWith({ reason: "the step's time is over" })).toBe(`${who}: the step's time is over`);
  expect(await cancelWith({ reason: ' two\r\nlines\u001b[31m\u0007 ' })).toBe(`${who}: two lines`);
  for (const nothing of [{}, { reason: ' \n' }, { tomorrow: 1 }]) expect(await cancelWith(nothing)).toBe(who);
});

test.each([
  [{ reason: 5 }, 'reason'],
  [{ reason: null }, 'reason'],
  [{ reason: 'x'.repeat(501) }, 'reason'],
  ['[]', 'body'],
  ['{', 'body'],
])('a cancel with the body %j is rejected and cancels nothing', async (body, path) => {
  const app = await openHttpApp();
  const { runId } = await app.startRun();
  const response = await app.call('POST', `/agent/runs/${runId}/cancel`, { body });
  expect([response.status, (await readAnswer(response)).issues?.map(issue => issue.path)]).toEqual([400, [path]]);
  expect((await app.store.readRun(runId))?.cancelRequestedAt).toBeUndefined();
  expect((await app.call('POST', `/agent/runs/${runId}/cancel`, { body: { reason: '😀'.repeat(500) } })).status).toBe(
    200,
  );
});

test.each([
  ['env', 'requested with the key in AGENT_RUN_API_KEY'],
  ['0192f000', 'requested with the key "first key"'],
])('a run canceled before its start and the log name the caller (key %s)', async (uid, message) => {
  const lines: unknown[] = [];
  const keys = {
    findCaller: () => ({ uid, displayName: 'first key' }),
    makeFirstKey: async () => undefined,
    hasFirstKey: false,
    localKey: 'local',
  };
  const app = await openHttpApp({ keys, log: (...line) => lines.push(line) });
  const { run_id } = await readAnswer(app.call('POST', '/agent/runs', { body: { prompt: 'x' } }));
  await app.call('POST', `/agent/runs/${run_id}/cancel`);
  expect((await readAnswer(app.call('GET', `/agent/runs/${run_id}`))).status_message).toEqual({ message });
  expect(lines).toContainEqual(['info', 'run canceled before it started', { run: run_id, caller: uid }]);
  const claimed = await app.startRun();
  await app.call('POST', `/agent/runs/${claimed.runId}/cancel`);
  expect(lines).toContainEqual(['info', 'cancel requested', { run: claimed.runId, caller: uid }]);
});

test('invalid lease and query values are explained', async () => {
  const app = await openHttpApp();
  const { runId } = await app.startRun({ prompt: 'x', lease_seconds: 5 });
  const detailOf = async (answer: Promise<Response>) => (await readAnswer(answer)).detail;
  expect(await detailOf(app.call('PUT', `/agent/runs/${runId}/lease`, { body: {} }))).toBe(
    'lease_seconds: is missing; it must be a number above 0, at most 3600',
  );
  expect(await detailOf(app.call('GET', '/agent/runs?limit=many'))).toBe(
    'limit: must be a whole number from 1 to 500, not "many"',
  );
  expect(await detailOf(app.call('GET', '/agent/runs?state=QUEUED&state=SUCEEDED'))).toMatch(
    /^state: must be one of QUEUED, .*CANCELLED, not "SUCEEDED". Did you mean "SUCCEEDED"\?$/,
  );
});

test('a renewed lease returns its end and is rejected for an ended run', async () => {
  const app = await openHttpApp();
  const run = await app.startRun({ prompt: 'x', lease_seconds: 5 });
  const renewed = await readAnswer(
    await app.call('PUT', `/agent/runs/${run.runId}/lease`, { body: { lease_seconds: 60 } }),
  );
  expect(Date.parse(renewed.lease_expires_at) - Date.now()).toBeGreaterThan(50_000);
  for (const lease_seconds of [4000, 0.5])
    expect((await app.call('PUT', `/agent/runs/${run.runId}/lease`, { body: { lease_seconds } })).status).toBe(400);
  await app.store.finishRun(run, { state: 'SUCCEEDED' });
  expect((await app.call('PUT', `/agent/runs/${run.runId}/lease`, { body: { lease_seconds: 60 } })).status).toBe(400);
});

test('a lease can be released twice, but not of an ended, canceled or unknown run', async () => {
  const app = await openHttpApp();
  const run = await app.startRun({ prompt: 'x', lease_seconds: 5 });
  const release = (runId: string) => app.call('DELETE', `/agent/runs/${runId}/lease`);
  for (let times = 0; times < 2; times += 1) expect(await readAnswer(release(run.runId))).toEqual({});
  expect(await readAnswer(app.call('GET', `/agent/runs/${run.runId}`))).not.toHaveProperty('lease_expires_at');
  expect((await release('01890000-0000-7000-8000-000000000001')).status).toBe(404);
  await app.call('POST', `/agent/runs/${run.runId}/cancel`);
  expect(await readAnswer(release(run.runId))).toMatchObject({
    status: 400,
    type: expect.stringMatching(/\/errors\/invalid_request$/),
    detail: 'the run is over or being canceled, so there is no lease to remove',
  });
  await app.store.finishRun(run, { state: 'CANCELLED' });
  expect((await release(run.runId)).status).toBe(400);
});

test('a waiting request does not renew a released lease', async () => {
  const { app, path, etag } = await openReadRun({ prompt: 'x', lease_seconds: 1 });
  const waiting = app.call('GET', path, { headers: { 'If-None-Match': etag, Prefer: 'wait=1' } });
  await app.call('DELETE', `${path}/lease`);
  expect((await waiting).status).toBe(304);
  expect(await readAnswer(app.call('GET', path))).not.toHaveProperty('lease_expires_at');
});

test('the whole result is text, and a run without one differs from an unknown run', async () => {
  const app = await openHttpApp();
  const run = await app.startRun();
  const result = `/agent/runs/${run.runId}/result`;
  const noResult = { type: expect.stringMatching(/\/errors\/no_result$/), status: 404, retryable: false };
  expect(await readAnswer(app.call('GET', result))).toMatchObject({
    ...noResult,
    detail: 'the run is INPROGRESS and has no result yet',
  });
  const failed = await app.startRun();
  await app.store.finishRun(failed, { state: 'FAILED' });
  expect(await readAnswer(app.call('GET', `/agent/runs/${failed.runId}/result`))).toMatchObject({
    ...noResult,
    detail: 'the run is FAILED and has no result',
  });
  expect(
    await readAnswer(app.call('GET', result.replace(run.runId, '0192f000-0000-7000-8000-000000000000'))),
  ).toMatchObject({
    type: expect.stringMatching(/\/errors\/resource_not_found$/),
  });
  await app.store.finishRun(run, { state: 'SUCCEEDED', result: wholeText('x'.repeat(100_000)) });
  const whole = await app.call('GET', `/agent/runs/${run.runId}/result`);
  expect([whole.headers.get('Content-Type'), (await whole.text()).length]).toEqual([
    'text/plain; charset=UTF-8',
    100_000,
  ]);
  const view = await readAnswer(app.call('GET', `/agent/runs/${run.runId}`));
  expect([view.result?.truncated, view.result?.text.length]).toEqual([true, 65_536]);
});

test('a list filters by several states, pages by cursor and omits results', async () => {
  const app = await openHttpApp();
  for (let index = 0; index < 3; index += 1)
    await app.call('POST', '/agent/runs', { body: { prompt: `p${index}`, config: { name: 'n' } } });
  const run = await app.store.claimRun();
  if (run !== undefined) await app.store.finishRun(run, { state: 'SUCCEEDED', result: wholeText('r') });
  const list = async (query: string) => readAnswer(await app.call('GET', `/agent/runs${query}`));
  const first = await list('?limit=2&name=n&sort_by=created_at');
  expect(first.page_info).toMatchObject({ has_next_page: true });
  const second = await list(`?limit=2&config_name=n&sort_by=created_at&cursor=${first.page_info.next_cursor}`);
  expect(second.page_info).toEqual({ has_next_page: false });
  expect([...first.runs, ...second.runs].map(item => item.prompt)).toEqual(['p2', 'p1', 'p0']);
  expect((await list('?state=QUEUED&state=SUCCEEDED')).runs).toHaveLength(3);
  // Forms and shells send empty values, which select all states.
  for (const query of ['?state=', '?state=&state='])
    expect([query, (await list(query)).runs.length]).toEqual([query, 3]);
  expect((await list('?state=&state=SUCCEEDED')).runs).toHaveLength(1);
  const done = (await list('?state=SUCCEEDED')).runs;
  expect(done).toHaveLength(1);
  expect(done[0]?.result).toBeUndefined();
});

test.each([
  ['state=DONE', 'state'],
  ['limit=0', 'limit'],
  ['limit=501', 'limit'],
  ['limit=x', 'limit'],
  ['created_after=yesterday', 'created_after'],
  ['cursor=x', 'cursor'],
  ['sort_by=prompt', 'sort_by'],
  ['source=NOWHERE', 'source'],
  ['name=a&config_name=b', 'config_name'],
  ['skill=octo-org/shop:a&skill_spec=octo-org/shop:b', 'skill'],
  ['name=a&name=b', 'name'],
  ['execution_location=MOON', 'execution_location'],
  ['artifact_type=SONG', 'artifact_type'],
  ['metadata[a]=1&metadata[b]=2&metadata[c]=3&metadata[d]=4&metadata[e]=5&metadata[f]=6', 'metadata'],
  ['metadata[a]=1&metadata[a]=2', 'metadata.a'],
  ['metadata=x', 'metadata'],
  [`q=${'x'.repeat(201)}`, 'q'],
  ['q=a%00b', 'q'],
  ['metadata[__proto__]=x', 'metadata.__proto__'],
  ['metadata[a%0Ab]=x', 'metadata.a\nb'],
])('the query %s is rejected by the name of its parameter', async (query, path) => {
  const app = await openHttpApp();
  const response = await app.call('GET', `/agent/runs?${query}`);
  expect(response.status).toBe(400);
  expect((await readAnswer(response)).issues?.map(issue => issue.path)).toEqual([path]);
});

test('q and metadata[key] of a query reach the list', async () => {
  const app = await openHttpApp();
  await app.call('POST', '/agent/runs', { body: { prompt: 'red cart', metadata: { team: 'shop' } } });
  const count = async (query: string) => (await readAnswer(app.call('GET', `/agent/runs?${query}`))).runs.length;
  expect([await count('q=CART'), await count('q=boat')]).toEqual([1, 0]);
  expect([await count('metadata%5Bteam%5D=shop'), await count('metadata[team]=other')]).toEqual([1, 0]);
  expect((await app.call('GET', '/agent/runs?metadata[a%22b]=x')).status).toBe(400);
});

test('skill is an alias of skill_spec, and equal values do not conflict', async () => {
  const app = await openHttpApp();
  await app.call('POST', '/agent/runs', { body: { skill: 'octo-org/shop:a' } });
  await app.call('POST', '/agent/runs', { body: { skill: 'octo-org/shop:b' } });
  const skillsOf = async (query: string) =>
    (await readAnswer(app.call('GET', `/agent/runs?${query}`))).runs.map(run => run.agent_config?.skill_spec);
  expect(await skillsOf('skill=octo-org/shop:a')).toEqual(['octo-org/shop:a']);
  expect(await skillsOf('skill=octo-org/shop:b&skill_spec=octo-org/shop:b')).toEqual(['octo-org/shop:b']);
  expect(await skillsOf('sort_by=agent&sort_order=asc')).toEqual(['octo-org/shop:a', 'octo-org/shop:b']);
});

test('a filter that no run can match returns no runs', async () => {
  const app = await openHttpApp();
  await app.call('POST', '/agent/runs', { body: { prompt: 'x', metadata: { empty: '' } } });
  const count = async (query: string) => (await readAnswer(app.call('GET', `/agent/runs?${query}`))).runs.length;
  for (const query of [
    'schedule_id=s',
    'ancestor_run_id=0192f000-0000-7000-8000-000000000000',
    'automation_id=a',
    'factory_uid=f',
    'artifact_type=PLAN',
    'execution_location=LOCAL',
    'executor=somebody',
    'executor=somebody&creator=env',
    'metadata[empty]=full',
  ])
    expect([query, await count(query)]).toEqual([query, 0]);
  for (const query of ['execution_location=REMOTE', 'executor=env', 'executor=env&creator=env', 'metadata[empty]='])
    expect([query, await count(query)]).toEqual([query, 1]);
});

test('unknown query parameters are ignored', async () => {
  const app = await openHttpApp();
  expect((await app.call('GET', '/agent/runs?tomorrow=1')).status).toBe(200);
});
