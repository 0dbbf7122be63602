import { expect, test } from 'vitest';
import { readAnswer } from '../../../support/answer.ts';
import { openHttpApp } from '../../../support/http-app.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/;

test.each([
  ['```bash\necho hi\n```', 'echo hi'],
  ['\n## Review the cart \nplease', 'Review the cart'],
  [`\n ${'😀'.repeat(100)}\nmore`, `${'😀'.repeat(79)}…`],
])('the title of %j is %j', async (prompt, title) => {
  const app = await openHttpApp();
  const { run_id } = await readAnswer(app.call('POST', '/agent/runs', { body: { prompt } }));
  expect((await app.store.readRun(run_id))?.title).toBe(title);
});

test('both addresses start a run and answer with id, state, address and link', async () => {
  const app = await openHttpApp();
  for (const path of ['/agent/run', '/agent/runs']) {
    const response = await app.call('POST', path, { body: { prompt: 'Fix it' } });
    const answer = await readAnswer(response);
    expect(response.status).toBe(200);
    expect(answer).toMatchObject({ state: 'QUEUED', run_id: expect.stringMatching(uuid), task_id: answer.run_id });
    expect(answer.session_link).toMatch(new RegExp(`^https://agents\\.example\\.com/runs/${answer.run_id}\\?token=`));
    expect(response.headers.get('Location')).toBe(`https://agents.example.com/api/v1/agent/runs/${answer.run_id}`);
    expect(response.headers.get('Agent-Run-Features')).toBe('idempotency, wait, events, lease, result');
  }
});

test('the answer has the resolved name, skill and harness', async () => {
  const app = await openHttpApp();
  const created = await app.call('POST', '/agent/runs', {
    body: { skill: 'octo-org/shop:review', config: { skill_spec: 'octo-org/shop:other', harness: { type: 'oz' } } },
  });
  const { run_id } = await readAnswer(created);
  const run = await readAnswer(app.call('GET', `/agent/runs/${run_id}`));
  expect(run.agent_config).toEqual({
    name: 'review',
    skill_spec: 'octo-org/shop:review',
    harness: { type: 'oz', name: 'script' },
  });
  expect(run).toMatchObject({
    prompt: '',
    title: 'review',
    source: 'API',
    creator: { uid: 'env', type: 'service_account' },
    started_at: null,
  });
});

test.each([
  { repository: 'octo-org/shop', ref: 'refs/pull/7/merge', sha: 'a'.repeat(40) },
  { repository: 'octo-org/.github', sha: 'B'.repeat(64) },
  { ref: 'größer/1' },
  {},
])('the run keeps the checkout as given: %j', async given => {
  const app = await openHttpApp();
  const { run_id } = await readAnswer(app.call('POST', '/agent/runs', { body: { prompt: 'x', ...given } }));
  const { repository, ref, sha } = await readAnswer(app.call('GET', `/agent/runs/${run_id}`));
  expect({ repository, ref, sha }).toEqual({ repository: undefined, ref: undefined, sha: undefined, ...given });
  const { runs } = await readAnswer(app.call('GET', '/agent/runs'));
  expect(runs).toMatchObject([given]);
});

test.each([
  [
    'repository',
    ['shop', 'octo-org/shop/x', '../shop', 'octo-org/..', 'https://example.com/shop', '', 'a b/c'],
    'must be owner/name',
  ],
  ['ref', ['', '--upload-pack=x', 'a\nb', 'a\u0085b', 'x'.repeat(256)], 'must be a Git ref: 1 to 255 characters'],
  [
    'sha',
    ['abc', 'g'.repeat(40), 'a'.repeat(41), `${'a'.repeat(40)}\n`],
    'must be a commit: 40 or 64 hexadecimal digits',
  ],
] as const)('an invalid %s is rejected', async (name, values, sentence) => {
  const app = await openHttpApp();
  for (const value of values) {
    const answer = await app.call('POST', '/agent/runs', { body: { prompt: 'x', [name]: value } });
    expect(answer.status).toBe(400);
    expect(await readAnswer(answer)).toMatchObject({
      issues: [{ path: name, message: expect.stringContaining(sentence) }],
    });
  }
});

test.each([
  ['no JSON', '{"prompt": ', 400, 'body: is not valid JSON'],
  ['no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 400, 'body: must be UTF-8'],
  ['an array', [], 400, 'body: must be a JSON object'],
  ['an empty body', '', 400, 'body: is missing'],
  ['null', 'null', 400, 'body: must be a JSON object'],
  [
    'a body nested without end',
    `{"prompt":"x","config":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
    400,
    'deeper than 100 levels',
  ],
  ['no prompt', {}, 400, 'prompt: is missing or empty'],
  [
    'a wrong type deep inside',
    { prompt: 'x', config: { mcp_servers: { a: { args: [1] } } } },
    400,
    'config.mcp_servers.a.args.0',
  ],
  ['a number for a text', { prompt: 5 }, 400, 'prompt: must be a string, not 5'],
  [
    'a text where a credential may be meant',
    { prompt: 'x', config: { harness_auth_secrets: 'SECRET' } },
    400,
    'config.harness_auth_secrets: must be an object, not a string',
  ],
  [
    'a name of metadata',
    { prompt: 'x', metadata: { 'a b': 'x' } },
    400,
    'metadata.a b: its name may contain only letters',
  ],
  [
    'metadata under a name that would be lost',
    '{"prompt":"x","metadata":{"__proto__":"x","b":"y"}}',
    400,
    'metadata.__proto__: must not be used as a name',
  ],
  [
    'a tool server under a name that would be lost',
    '{"prompt":"x","config":{"mcp_servers":{"__proto__":{"url":"https://example.com"}}}}',
    400,
    'config.mcp_servers.__proto__: must not be',
  ],
  ['a name that would be lost anywhere', '{"prompt":"x","new":[{"__proto__":1}]}', 400, 'new.0.__proto__: must not be'],
  [
    'an attachment without its type',
    { prompt: 'x', attachments: [{ file_name: 'a.png', data: '' }] },
    400,
    'attachments.0.mime_type: is missing; it must be a string',
  ],
  [
    'an attachment, which it cannot honour',
    { prompt: 'x', attachments: [{ file_name: 'a.png', mime_type: 'image/png', data: '' }] },
    422,
    'attachments',
  ],
  [
    'a lease below the bound',
    { prompt: 'x', lease_seconds: 0.5 },
    400,
    'lease_seconds: must be 1 to 3600 on this server, not 0.5',
  ],
  ['a missing skill', { skill: 'octo-org/shop:gone' }, 404, 'there is no such skill'],
  ['an unknown environment', { prompt: 'x', config: { environment_id: 'e' } }, 404, 'config.environment_id'],
  ['an unknown harness', { prompt: 'x', config: { harness: { type: 'claude' } } }, 422, 'it has script, mine'],
  [
    'two names of the model that differ',
    { prompt: 'x', config: { model_id: 'm-1', harness: { model_id: 'm-2' } } },
    400,
    'config.harness.model_id: differs from config.model_id',
  ],
  [
    'a link that lets others edit',
    { prompt: 'x', config: { session_sharing: { public_access: 'EDITOR' } } },
    422,
    'config.session_sharing.public_access (only VIEWER is accepted)',
  ],
  [
    'a workspace kept for longer than the server keeps any',
    { prompt: 'x', config: { harness: { name: 'mine' }, idle_timeout_minutes: 21 } },
    422,
    'config.idle_timeout_minutes: must be at most 20 on this server (limits.keep_conversation_minutes), not 21',
  ],
  [
    'a workspace kept that no run can go on in',
    { prompt: 'x', config: { idle_timeout_minutes: 5 } },
    422,
    'config.idle_timeout_minutes: the harness script cannot continue a conversation; remove it',
  ],
  [
    'a secret of a harness',
    { prompt: 'x', config: { harness: { name: 'mine', auth_secret_name: 's' } } },
    422,
    'config.harness.auth_secret_name',
  ],
  [
    'what it cannot honour',
    { prompt: 'x', parent_run_id: 'p', config: { worker_host: 'w' } },
    422,
    'parent_run_id, config.worker_host (only warp is accepted)',
  ],
])('%s is rejected with a problem that names the place', async (_name, body, status, detail) => {
  const app = await openHttpApp();
  const response = await app.call('POST', '/agent/runs', { body });
  const problem = await readAnswer(response);
  expect(response.status).toBe(status);
  expect(response.headers.get('Content-Type')).toBe('application/problem+json');
  expect(problem.detail).toContain(detail);
  expect(problem).toMatchObject({ status, retryable: false, trace_id: response.headers.get('X-Request-Id') });
  expect(problem.error).toContain(problem.title);
  expect((await app.store.listRuns({ limit: 9, sort_by: 'created_at', sort_order: 'asc' })).runs).toEqual([]);
});

test.each([
  [{ worker_host: 'warp' }, { worker_host: 'warp' }],
  [{ session_sharing: { public_access: 'VIEWER' } }, { session_sharing: { public_access: 'VIEWER' } }],
  [{ harness: { model_id: 'm-1' } }, { model_id: 'm-1', harness: { type: 'oz', name: 'script' } }],
  [{ model_id: 'm-1', harness: { model_id: 'm-1' } }, { model_id: 'm-1' }],
  [{ harness: { name: 'mine' }, idle_timeout_minutes: 20 }, { idle_timeout_minutes: 20 }],
])('the configuration %j is supported and answered as %j', async (config, shown) => {
  const app = await openHttpApp();
  const { run_id, warnings } = await readAnswer(app.call('POST', '/agent/runs', { body: { prompt: 'x', config } }));
  expect(warnings).toBeUndefined();
  expect((await readAnswer(app.call('GET', `/agent/runs/${run_id}`))).agent_config).toMatchObject(shown);
});

test('names of Object.prototype work as metadata', async () => {
  const app = await openHttpApp();
  const metadata = { constructor: 'a', toString: 'b', 'has.Own-Property_1': 'c' };
  const { run_id } = await readAnswer(app.call('POST', '/agent/runs', { body: { prompt: 'x', metadata } }));
  expect((await readAnswer(app.call('GET', `/agent/runs/${run_id}`))).metadata).toEqual(metadata);
  const found = await readAnswer(app.call('GET', '/agent/runs?metadata[constructor]=a&metadata[toString]=b'));
  expect(found.runs.map(run => run.run_id)).toEqual([run_id]);
});

test('another media type is 415, a body above the limit 413 even without a length', async () => {
  const app = await openHttpApp();
  const form = await app.call('POST', '/agent/runs', {
    body: 'prompt=x',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  expect([form.status, (await readAnswer(form)).detail]).toEqual([
    415,
    'Content-Type is "application/x-www-form-urlencoded"; send application/json',
  ]);
  const large = await app.call('POST', '/agent/runs', { body: JSON.stringify({ prompt: 'x'.repeat(2_000_001) }) });
  expect(large.status).toBe(413);
});

test('an idempotency key returns its run, and is rejected for another body', async () => {
  const app = await openHttpApp();
  const post = (body: unknown, key = 'k-1') =>
    app.call('POST', '/agent/runs', { body, headers: { 'Idempotency-Key': key } });
  const first = await post({ prompt: 'x', title: 't' });
  const again = await post({ title: 't', prompt: 'x' });
  const { run_id } = await readAnswer(first);
  expect((await readAnswer(again)).run_id).toBe(run_id);
  expect([first, again].map(response => response.headers.get('Idempotent-Replayed'))).toEqual([null, 'true']);
  const other = await post({ prompt: 'y' });
  expect([other.status, other.headers.get('x-should-retry')]).toEqual([422, 'false']);
  expect((await readAnswer(other)).detail).toMatch(new RegExp(`^nothing was started: .*${run_id}`));
  expect(other.headers.get('Location')).toBe(first.headers.get('Location'));
  expect((await post({ prompt: 'x' }, 'a b')).status).toBe(400);
});

test('a repeated request gets its run, even without its skill or on a stopping server', async () => {
  let isGone = false;
  const app = await openHttpApp({ refuseSkill: async () => (isGone ? 'there is no such skill' : undefined) });
  const post = () =>
    app.call('POST', '/agent/runs', { body: { skill: 'octo-org/shop:review' }, headers: { 'Idempotency-Key': 'k' } });
  const { run_id } = await readAnswer(post());
  isGone = true;
  app.drain();
  const again = await post();
  expect([again.status, (await readAnswer(again)).run_id, again.headers.get('Idempotent-Replayed')]).toEqual([
    200,
    run_id,
    'true',
  ]);
});

test('a run that has to wait is marked at_capacity', async () => {
  let isAtCapacity = false;
  const app = await openHttpApp({ isAtCapacity: () => isAtCapacity });
  expect((await readAnswer(app.call('POST', '/agent/runs', { body: { prompt: 'x' } }))).at_capacity).toBeUndefined();
  isAtCapacity = true;
  expect((await readAnswer(app.call('POST', '/agent/runs', { body: { prompt: 'x' } }))).at_capacity).toBe(true);
});

test('twenty concurrent requests with one key create one run', async () => {
  const app = await openHttpApp();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      app
        .call('POST', '/agent/run', { body: { prompt: 'x' }, headers: { 'Idempotency-Key': 'k' } })
        .then(response => readAnswer(response)),
    ),
  );
  expect(new Set(answers.map(answer => answer.run_id)).size).toBe(1);
});

test('a server without a harness rejects runs and names the setting', async () => {
  const app = await openHttpApp({
    harnesses: { names: [], default: undefined, publishedType: () => 'oz', canResume: () => false },
  });
  const response = await app.call('POST', '/agent/runs', { body: { prompt: 'x' } });
  expect(response.status).toBe(422);
  expect((await readAnswer(response)).detail).toContain('add one under `harnesses`');
});

test('a stopping server rejects new runs as retryable', async () => {
  const app = await openHttpApp();
  app.drain();
  const response = await app.call('POST', '/agent/runs', { body: { prompt: 'x' } });
  expect([response.status, (await readAnswer(response)).retryable]).toEqual([503, true]);
  expect((await app.fetch(new Request('http://127.0.0.1/readyz'))).status).toBe(503);
});

test('the source comes from its header, and an unknown one counts as API', async () => {
  const app = await openHttpApp();
  for (const [header, source] of [
    ['GITHUB_ACTION', 'GITHUB_ACTION'],
    ['TOMORROW', 'API'],
  ] as const) {
    const { run_id } = await readAnswer(
      await app.call('POST', '/agent/runs', { body: { prompt: 'x' }, headers: { 'X-Agent-Run-Source': header } }),
    );
    expect((await app.store.readRun(run_id))?.source).toBe(source);
  }
});

test('a create request that cannot be checked now is 503 with Retry-After', async () => {
  const app = await openHttpApp({
    completeConfig: async () => ({ refused: 'resource_unavailable', message: 'too many wait' }),
  });
  const response = await app.call('POST', '/agent/runs', { body: { prompt: 'x' } });
  expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
  expect(await readAnswer(response)).toMatchObject({ detail: 'too many wait', retryable: true });
});
