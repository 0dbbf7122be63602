/** How a step leaves its run: at a time limit, if the run is gone or blocked, and when it is canceled. */
import { expect, onTestFinished, test } from 'vitest';
import type { Connection } from '../../../src/action/connect/connect.ts';
import { listenForCancel } from '../../../src/action/follow/cancellation.ts';
import { followToEnd } from '../../../src/action/follow/follow-run.ts';
import { readInputs } from '../../../src/action/inputs/inputs.ts';
import { runAction } from '../../../src/action/run-action.ts';
import { decide } from '../../../src/action/verdict/verdict.ts';
import { AgentRuns } from '../../../src/client/index.ts';
import { createTestServer, type TestServerOptions } from '../../../src/testing/index.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { fenced } from '../../support/test-server.ts';
import { createFakeHost } from '../fake-host.ts';

type Words = Readonly<Record<string, string>>;

const sleeping = fenced('sleep 30');
const soon = { prompt: sleeping, timeout_minutes: '0.004' };

async function openServer(options: TestServerOptions = {}) {
  const server = await createTestServer(options);
  onTestFinished(() => server.stop());
  const client = new AgentRuns({ baseUrl: server.baseUrl, apiKey: server.apiKey, logLevel: 'off' });
  const hostOf = (inputs: Words) =>
    createFakeHost(
      { base_url: server.baseUrl, api_key: server.apiKey, ...inputs },
      { PATH: process.env.PATH ?? '', RUNNER_TEMP: createTempFolder() },
    );
  return { client, hostOf, routes: () => server.requests.map(({ route }) => route) };
}

test('the queue and the work have separate limits: a long wait does not shorten the work', async () => {
  const { client, hostOf } = await openServer({ limits: { concurrency: 1 } });
  await client.runs.create({ prompt: fenced('sleep 0.8') });
  const host = hostOf({ prompt: sleeping, queue_timeout_minutes: '0.5', timeout_minutes: '0.005' });
  const startedMs = performance.now();
  await runAction(host);
  // Longer than the limit of the work, and the run had left the queue by its end.
  expect(performance.now() - startedMs).toBeGreaterThan(600);
  expect(host.outputs).toMatchObject({
    conclusion: 'timed_out',
    failure_phase: 'run',
    failure_reason: expect.stringContaining('The run timed out after 0.3 s'),
  });
  expect(host.outputs.started_at).not.toBe('');
});

test('a run that could not be read in time is reported as unknown, not as queued', async () => {
  const { hostOf } = await openServer({ faults: [{ kind: 'answer', status: 502, route: 'readRun', times: 'all' }] });
  const host = hostOf({ prompt: sleeping, timeout_minutes: '0.005' });
  await runAction(host);
  expect(host.outputs).toMatchObject({
    conclusion: 'timed_out',
    failure_phase: 'follow',
    failure_reason: expect.stringMatching(
      /^The server did not answer with the run within 0\.3 s \(`timeout_minutes`\)\. The last error: GET .*: 502/,
    ),
  });
});

test('a run left on an unresponsive server is not said to continue', async () => {
  const { hostOf } = await openServer({ faults: [{ kind: 'answer', status: 502, route: 'readRun', times: 'all' }] });
  const host = hostOf({ prompt: sleeping, timeout_minutes: '0.005', on_timeout: 'leave' });
  await runAction(host);
  expect(host.outputs.failure_reason).toMatch(/The run may still be running on the server \(`on_timeout: leave`\)$/);
});

test.each([
  ['a run without a state', { state: null }, '"state":null'],
  ['the run of another id', { run_id: 'another', state: 'QUEUED' }, '"run_id":"another"'],
])('a server that responds with %s is reported with its response', async (_what, body, words) => {
  const fault = {
    kind: 'answer',
    status: 200,
    body: { run_id: 'r', ...body },
    route: 'readRun',
    times: 'all',
  } as const;
  const { hostOf } = await openServer({ faults: [fault] });
  const host = hostOf({ prompt: sleeping, timeout_minutes: '0.005' });
  await runAction(host);
  expect(host.outputs.failure_reason).toMatch(/The last error: GET .*: 200 is JSON, but not what this service sends/);
  expect(host.outputs.failure_reason?.replaceAll('\\', '')).toContain(words);
});

test('a run that the server no longer knows is lost, and its end is not guessed', async () => {
  const { client } = await openServer({ faults: [{ kind: 'deleted-run', route: 'readRun', nth: 2 }] });
  const { run_id: runId } = await client.runs.create({ prompt: fenced('sleep 1') });
  const host = createFakeHost({ prompt: 'x' });
  const cancellation = listenForCancel(host);
  onTestFinished(() => cancellation.stopListening());
  // Like the client, without the grace period for lagging replicas.
  const follow: AgentRuns['runs']['follow'] = (id, options) =>
    client.runs.follow(id, { ...options, notFoundGraceMs: 0 });
  const seen: string[] = [];
  const { outcome, run, isDone } = await followToEnd({
    connection: { client: { runs: { follow } } } as unknown as Connection,
    runId,
    inputs: (await readInputs(host)).follow,
    cancellation,
    liveLog: {
      noteRun: ({ state }) => seen.push(state),
      noteEvent: () => {},
      noteStatesOnly: () => {},
      describeOpenCall: () => '',
    },
  });
  expect([seen.length > 0, isDone]).toEqual([true, false]);
  expect(decide(outcome, run, { requiresResult: false })).toMatchObject({
    conclusion: 'lost',
    phase: 'follow',
    sentence: expect.stringContaining(`The server no longer knows the run ${runId}`),
  });
});

test('a run that is gone when the step has to cancel it leaves nothing for the post step', async () => {
  const { hostOf } = await openServer({ faults: [{ kind: 'deleted-run', route: 'cancelRun' }] });
  const host = hostOf(soon);
  await runAction(host);
  expect(host.outputs.failure_reason).toMatch(
    /\. The server no longer knows the run \S+, so there is nothing to stop$/,
  );
  expect([host.outputs.conclusion, host.state.is_done]).toEqual(['timed_out', 'true']);
});

test.each(['true', 'false'])('with lease: %s a blocked run is left to the person it waits for', async lease => {
  const blocked = { kind: 'unknown-state', state: 'BLOCKED', route: 'readRun' } as const;
  const { client, hostOf, routes } = await openServer({ faults: [blocked] });
  const host = hostOf({ prompt: sleeping, lease });
  await runAction(host);
  expect(host.outputs.conclusion).toBe('blocked');
  expect(routes().includes('releaseLease')).toBe(lease === 'true');
  const run = await client.runs.retrieve(host.outputs.run_id ?? '');
  expect([run.state, run.lease_expires_at]).toEqual(['INPROGRESS', undefined]);
  // The post step must leave it alone too.
  expect(host.state.is_done).toBe('true');
});

test('a step whose time ends while the agent waits for a person says so', async () => {
  const blocked = { kind: 'unknown-state', state: 'BLOCKED', route: 'readRun', times: 'all' } as const;
  const { hostOf } = await openServer({ faults: [blocked, { kind: 'feature-off', feature: 'all' }] });
  const host = hostOf({ ...soon, on_blocked: 'wait', on_timeout: 'leave' });
  await runAction(host);
  expect(host.outputs.failure_reason).toMatch(
    /^The run timed out after \S+ s: nobody answered the agent's question\. Answer it in time, or raise `timeout_minutes`\. /,
  );
});

test.each(['createRun', 'readRun'] as const)(
  'a step that only starts a run and is canceled during %s leaves no run at work',
  async route => {
    const { client, hostOf, routes } = await openServer({ faults: [{ kind: 'delay', route, ms: 400, when: 'after' }] });
    const host = hostOf({ prompt: sleeping, wait: 'false' });
    const ended = runAction(host);
    await expect.poll(() => routes().includes(route), { interval: 10 }).toBe(true);
    host.cancel();
    await ended;
    expect(host.outputs).toMatchObject({ conclusion: 'cancelled', failure_phase: 'step' });
    expect(
      (await client.runs.list()).runs.map(({ run_id, cancel_requested_at }) => [run_id, cancel_requested_at]),
    ).toEqual([[host.outputs.run_id, expect.any(String)]]);
  },
);

test.each([
  ['stops its run at the end of its time', { ...soon }],
  ['only cancels a run', { cancel: 'true' }],
])('a step that %s and gets no response ends soon after it is canceled', async (_what, inputs) => {
  const { client, hostOf, routes } = await openServer({ faults: [{ kind: 'hang', route: 'cancelRun', times: 'all' }] });
  const ofRun = 'cancel' in inputs ? { run_id: (await client.runs.create({ prompt: sleeping })).run_id } : {};
  const host = hostOf({ ...inputs, ...ofRun });
  const ended = runAction(host);
  await expect.poll(() => routes().includes('cancelRun'), { interval: 10 }).toBe(true);
  const stoppedMs = performance.now();
  host.cancel();
  await ended;
  expect(performance.now() - stoppedMs).toBeLessThan(15_000);
  // The post step tries again.
  expect([host.failures.length, host.state.is_done]).toEqual([1, undefined]);
});

test("a canceled step takes less time than the runner's 7.5 s", () => {
  const host = createFakeHost({});
  const cancellation = listenForCancel(host);
  onTestFinished(() => cancellation.stopListening());
  expect(cancellation.leftMs()).toBe(Number.POSITIVE_INFINITY);
  host.cancel();
  expect(cancellation.leftMs()).toBeLessThanOrEqual(5000);
});

test('a server without cancel is reported, with the warning that the run may cost money', async () => {
  const reasonOf = async (status: number) => {
    const body = { error: 'not for this kind of run' };
    const { hostOf } = await openServer({
      faults: [{ kind: 'answer', status, body, route: 'cancelRun', times: 'all' }],
    });
    const host = hostOf(soon);
    await runAction(host);
    expect([host.outputs.conclusion, host.state.is_done]).toEqual(['timed_out', undefined]);
    // One link for a person, at the end.
    expect(host.failures.join().match(/https?:[^ ]*\/runs\//g)).toHaveLength(1);
    return [status, host.outputs.failure_reason?.replace(host.outputs.run_id ?? '', 'ID')];
  };
  const cannot = expect.stringContaining('This server cannot cancel the run ID, which may continue and cost money');
  // Retrying may help here.
  const fails = expect.stringContaining('Canceling the run ID failed');
  const reasons = await Promise.all([404, 405, 501, 403].map(reasonOf));
  expect(reasons).toEqual([
    [404, cannot],
    [405, cannot],
    [501, cannot],
    [403, fails],
  ]);
});

test('a canceled step sees its run end if there is time, and leaves nothing for the post step', async () => {
  const { hostOf } = await openServer({ limits: { grace_seconds: 0.5 } });
  const host = hostOf({ prompt: sleeping });
  const ended = runAction(host);
  await expect.poll(() => host.lines.some(line => line.includes('INPROGRESS')), { interval: 20 }).toBe(true);
  host.cancel();
  await ended;
  expect([host.outputs.state, host.outputs.conclusion, host.state.is_done]).toEqual(['CANCELLED', 'cancelled', 'true']);
});

test.skipIf(process.platform === 'win32')(
  'a canceled step says that its own agent had to be killed, with its last words',
  async () => {
    const [workspace, temp] = [createTempFolder(), createTempFolder()];
    const command = `["bash", "-c", "trap 'echo not me' TERM INT; echo up; while :; do sleep 0.1; done"]`;
    const host = createFakeHost(
      { prompt: 'x', command },
      { PATH: process.env.PATH ?? '', GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp },
    );
    const ended = runAction(host);
    const log = () => host.lines.join('\n');
    await expect.poll(log, { interval: 20, timeout: 20_000 }).toMatch(/^│ up$/m);
    host.cancel();
    await ended;
    expect(host.outputs).toMatchObject({
      state: 'CANCELLED',
      conclusion: 'cancelled',
      failure_reason: 'The step was canceled. The run was canceled, too',
    });
    expect(log()).toContain('the agent did not exit after SIGTERM and was killed');
    const [live = ''] = log().split('the last lines of the run');
    expect(live.match(/^│ up$/gm)).toHaveLength(1);
    expect(live).toMatch(/^│ not me$/m);
  },
);
