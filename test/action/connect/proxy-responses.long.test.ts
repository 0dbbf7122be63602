/**
 * A proxy or firewall may respond in place of the server to any request. Such a response decides nothing and is named
 * as what it is.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { retryProxyResponses } from '../../../src/action/connect/proxy-responses.ts';
import { postAction } from '../../../src/action/post-action.ts';
import { runAction } from '../../../src/action/run-action.ts';
import { AgentRuns, ApiError } from '../../../src/client/index.ts';
import { createTestServer, type Fault } from '../../../src/testing/index.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { fenced } from '../../support/test-server.ts';
import { createFakeHost } from '../fake-host.ts';

type Words = Readonly<Record<string, string>>;

const variables = {
  GITHUB_REPOSITORY: 'octo-org/shop',
  GITHUB_RUN_ID: '1',
  GITHUB_JOB: 'build',
  GITHUB_ACTION: 'agent',
  GITHUB_WORKFLOW_REF: 'octo-org/shop/.github/workflows/ci.yml@refs/heads/main',
};

const html = { 'Content-Type': 'text/html' };
const sleeping = fenced('sleep 30');

function page(route: string, status = 403, times: number | 'all' = 1): Fault {
  return { kind: 'answer', status, body: '<html>blocked by WAF</html>', headers: html, route, times } as Fault;
}

async function openServer(...faults: readonly Fault[]) {
  const server = await createTestServer({ faults, limits: { grace_seconds: 0.5 } });
  onTestFinished(() => server.stop());
  const client = new AgentRuns({ baseUrl: server.baseUrl, apiKey: server.apiKey, logLevel: 'off' });
  const hostOf = (inputs: Words, variables: Words = {}) =>
    createFakeHost(
      {
        base_url: server.baseUrl,
        api_key: server.apiKey,
        prompt: fenced('echo done > "$AGENT_RUN_RESULT"'),
        ...inputs,
      },
      { PATH: process.env.PATH ?? '', RUNNER_TEMP: createTempFolder(), ...variables },
    );
  return { server, client, hostOf };
}

test.each(['createRun', 'readRun', 'readResult'])(
  'one proxy response instead of %s does not change the verdict',
  async route => {
    const { server, hostOf } = await openServer(page(route));
    const host = hostOf({ prompt: fenced('head -c 100000 /dev/zero | tr "\\0" x > "$AGENT_RUN_RESULT"') });
    await runAction(host);
    expect(server.faultsMet).toHaveLength(1);
    expect(host.outputs).toMatchObject({ conclusion: 'succeeded', attached: 'false', result_truncated: 'true' });
    expect(host.outputs.result_file).not.toBe('');
    expect([host.warnings, host.failures]).toEqual([[], []]);
  },
);

test.each([403, 200])(
  'a proxy response to the first read of an attached run (%d) does not change the verdict',
  async status => {
    const { client, hostOf, server } = await openServer(page('readRun', status));
    const { run_id } = await client.runs.create({ prompt: fenced('echo done') });
    const host = hostOf({ prompt: '', run_id });
    await runAction(host);
    expect([server.faultsMet.length, host.outputs.conclusion]).toEqual([1, 'succeeded']);
  },
);

test.each([400, 403])("a proxy response to a re-run's search for the earlier run (%d) is retried", async status => {
  const { client, hostOf, server } = await openServer();
  const first = hostOf({ prompt: sleeping, wait: 'false' }, { ...variables, GITHUB_RUN_ATTEMPT: '1' });
  await runAction(first);
  server.setFaults([page('listRuns', status)]);
  const again = hostOf({ prompt: sleeping, wait: 'false' }, { ...variables, GITHUB_RUN_ATTEMPT: '2' });
  await runAction(again);
  expect([again.outputs.run_id, again.outputs.attached]).toEqual([first.outputs.run_id, 'true']);
  expect([server.faultsMet.length, (await client.runs.list()).runs.length]).toEqual([1, 1]);
});

test("a proxy response to the release of a blocked run's lease is retried", async () => {
  const blocked = { kind: 'unknown-state', state: 'BLOCKED', route: 'readRun' } as const;
  const { client, hostOf } = await openServer(blocked, page('releaseLease'));
  const host = hostOf({ prompt: sleeping });
  await runAction(host);
  expect(host.outputs.conclusion).toBe('blocked');
  expect((await client.runs.retrieve(host.outputs.run_id ?? '')).lease_expires_at).toBeUndefined();
});

test.each([404, 403, 400])(
  'a proxy response to a cancel (%d) is retried, and the canceled step sees its run end',
  async status => {
    const { hostOf } = await openServer(page('cancelRun', status));
    const host = hostOf({ prompt: sleeping });
    const ended = runAction(host);
    await expect.poll(() => host.lines.some(line => line.includes('INPROGRESS')), { interval: 20 }).toBe(true);
    host.cancel();
    await ended;
    expect([host.outputs.state, host.outputs.conclusion, host.state.is_done]).toEqual([
      'CANCELLED',
      'cancelled',
      'true',
    ]);
  },
);

test.each([404, 400])(
  'a proxy response (%d) that replaces every cancel is named in time and left to the post step',
  async status => {
    const { client, hostOf, server } = await openServer(page('cancelRun', status, 'all'));
    const host = hostOf({ prompt: sleeping });
    const ended = runAction(host);
    await expect.poll(() => host.lines.some(line => line.includes('INPROGRESS')), { interval: 20 }).toBe(true);
    const began = performance.now();
    host.cancel();
    await ended;
    expect(performance.now() - began).toBeLessThan(7500);
    expect(host.outputs.failure_reason).toMatch(
      /could not be told to stop: something in front of the server answered with a page\. .* The post step tries again\. A run with a lease also ends when the lease does$/,
    );
    expect(host.state.is_done).toBeUndefined();
    server.setFaults([page('cancelRun', status), page('readRun', status)]);
    const post = createFakeHost({ base_url: server.baseUrl, api_key: server.apiKey }, { PATH: process.env.PATH ?? '' });
    Object.assign(post.state, host.state);
    await postAction(post);
    expect(post.warnings).toEqual([]);
    expect((await client.runs.retrieve(host.outputs.run_id ?? '')).cancel_requested_at).toEqual(expect.any(String));
  },
);

test.each([
  [403, /^Probably no run was started: a proxy or firewall seems to have answered in place of the server/, true],
  [404, /^It is unclear whether a run was started/, true],
])(
  'if a proxy response (%d) replaces the response to a create, the post step finds out what happened',
  async (status, words, isKept) => {
    const { hostOf } = await openServer({ kind: 'feature-off', feature: 'all' }, page('createRun', status));
    const host = hostOf({}, variables);
    await runAction(host);
    expect([host.outputs.conclusion, host.state.step_key !== '']).toEqual(['start_failed', isKept]);
    expect(host.outputs.failure_reason).toMatch(words);
  },
);

test.each<[number, string, Words]>([
  [302, '', { Location: 'http://127.0.0.1:1/login' }],
  [304, '', {}],
  [403, '{"error":"bad"}', { 'Content-Type': 'application/json' }],
  [404, '<html>bad</html>', html],
  [400, '{"error":"bad"}', { 'Content-Type': 'application/json' }],
])(
  'the step follows the one run of a create whose answer a proxy replaced with %d %s',
  async (status, text, headers) => {
    const { server, client, hostOf } = await openServer();
    const proxy = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      const answer = await fetch(new URL(request.url ?? '', server.baseUrl), {
        method: request.method ?? 'GET',
        headers: Object.fromEntries(
          Object.entries(request.headers).filter(([name]) => !/^(host|connection|content-length)$/.test(name)),
        ) as Words,
        ...(body.length > 0 ? { body } : {}),
      });
      const isReplaced = request.method === 'POST' && request.url?.endsWith('/runs') && !replaced;
      if (isReplaced) replaced = true;
      const own = Object.fromEntries([...answer.headers].filter(([name]) => !/encoding|length|connection/.test(name)));
      response.writeHead(isReplaced ? status : answer.status, isReplaced ? headers : own);
      response.end(isReplaced ? text : Buffer.from(await answer.arrayBuffer()));
    });
    let replaced = false;
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    onTestFinished(() => {
      proxy.closeAllConnections();
      proxy.close();
    });
    const { port } = proxy.address() as AddressInfo;
    const host = hostOf({ base_url: server.baseUrl.replace(/:\d+/, `:${port}`) }, variables);
    await runAction(host);
    expect([replaced, host.outputs.conclusion, host.failures]).toEqual([true, 'succeeded', []]);
    expect((await client.runs.list()).runs.map(run => run.run_id)).toEqual([host.outputs.run_id]);
  },
);

test('the post step retries its search for a run by label after a proxy response', async () => {
  const { client, hostOf, server } = await openServer();
  const { run_id } = await client.runs.create({ prompt: sleeping, metadata: { agent_run_step: 'a-label' } });
  server.setFaults([page('listRuns', 400)]);
  const host = hostOf({});
  host.saveState('step_key', 'a-label');
  await postAction(host);
  expect((await client.runs.retrieve(run_id)).cancel_requested_at).toEqual(expect.any(String));
});

test('only proxy responses are retried, within the limit and only while the step lives', async () => {
  const errorOf = (body: unknown, status = 403) =>
    new ApiError({ method: 'GET', path: '/x', status, headers: new Headers(), body });
  const countOf = async (error: Error, patience: Parameters<typeof retryProxyResponses>[1]) => {
    let asked = 0;
    const act = async () => {
      asked += 1;
      throw error;
    };
    await expect(retryProxyResponses(act, patience)).rejects.toBe(error);
    return asked;
  };
  expect(await countOf(errorOf('<html>'), { limitMs: 300 })).toBe(2);
  expect(await countOf(errorOf('<html>'), { signal: AbortSignal.timeout(100) })).toBe(1);
  for (const error of [errorOf({ error: 'no' }), errorOf('<html>', 502), errorOf('<html>', 429), new Error('x')])
    expect(await countOf(error, {})).toBe(1);
});
