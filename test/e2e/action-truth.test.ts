/** What broke other products, over the committed action: each test is a kind of fault. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { AgentRuns } from '../../src/client/index.ts';
import {
  createTestServer,
  type FakeRunnerOptions,
  type StepResult,
  type TestServerOptions,
} from '../../src/testing/index.ts';
import { openActionRunner, textOf, waitForLine } from '../support/action-step.ts';
import { pathOfEvent } from '../support/event.ts';
import { openFakeGitHub } from '../support/fake-github.ts';
import { fenced } from '../support/test-server.ts';

type Words = Readonly<Record<string, string>>;

async function openScene(options: TestServerOptions = {}, runnerOptions: Partial<FakeRunnerOptions> = {}) {
  const server = await createTestServer(options);
  onTestFinished(() => server.stop());
  const runner = await openActionRunner({ secrets: [server.apiKey], ...runnerOptions });
  const client = new AgentRuns({ baseUrl: server.baseUrl, apiKey: server.apiKey, logLevel: 'off' });
  const start = (inputs: Words, env: Words = {}) =>
    runner.startStep({ inputs: { base_url: server.baseUrl, api_key: server.apiKey, ...inputs }, env });
  return { server, runner, client, start };
}

const messagesOf = ({ annotations }: StepResult, level: string) =>
  annotations.filter(annotation => annotation.level === level).map(annotation => annotation.message);

/** A service that says this of its only run. */
async function openService(run: object): Promise<string> {
  const run_id = '0192f000-0000-7000-8000-000000000000';
  const times = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:01.000Z' };
  const service = createServer((_incoming, outgoing) => {
    outgoing.writeHead(200, { 'Content-Type': 'application/json' });
    outgoing.end(JSON.stringify({ run_id, task_id: run_id, title: 't', prompt: 'x', ...times, ...run }));
  });
  await new Promise<void>(ready => service.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    service.close();
    service.closeAllConnections();
  });
  return `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
}

test('every output is set on every way out, and those that are JSON can be read', async () => {
  const { client, start } = await openScene();
  const { run_id } = await client.runs.create({ prompt: fenced('sleep 30') });
  const ends: Words[] = [
    { prompt: '' },
    { prompt: 'x', wait: 'perhaps' },
    { prompt: 'x', api_key: 'not-a-key-of-this' },
    { prompt: 'x', environment_id: 'none' },
    { prompt: fenced('echo done') },
    { prompt: fenced('exit 3') },
    { prompt: fenced('echo \'{"ok": [1]}\' > "$AGENT_RUN_RESULT"') },
    { prompt: fenced('sleep 30'), timeout_minutes: '0.002' },
    { prompt: fenced('sleep 30'), wait: 'false' },
    { run_id, cancel: 'true' },
    { run_id: '0192f000-0000-7000-8000-000000000000' },
  ];
  const { outputs: declared } = parse(readFileSync(resolve(import.meta.dirname, '../../action.yml'), 'utf8'));
  const conclusions = [];
  for (const inputs of ends) {
    const { outputs } = await start(inputs).done;
    expect(Object.keys(outputs).toSorted()).toEqual(Object.keys(declared).toSorted());
    for (const name of ['result_json', 'artifacts', 'usage'])
      expect(() => JSON.parse(outputs[name] ?? '')).not.toThrow();
    expect([outputs.result_truncated, outputs.result_empty, outputs.attached].join(' ')).toMatch(
      /^(true|false) (true|false) (true|false)$/,
    );
    expect((outputs.failure_reason === '') === (outputs.failure_phase === '')).toBe(true);
    conclusions.push(outputs.conclusion);
    if (outputs.result?.includes('ok')) expect(outputs.result_json).toBe('{"ok":[1]}');
  }
  expect(conclusions).toEqual([
    ...['start_failed', 'start_failed', 'start_failed', 'start_failed', 'succeeded', 'failed', 'succeeded'],
    ...['timed_out', 'started', 'cancelled', 'lost'],
  ]);
});

test('a state that nobody knows is shown as it is and counts as still running', async () => {
  const { start } = await openScene({
    faults: [{ kind: 'unknown-state', state: 'PAUSED_FOR_REVIEW', route: 'readRun' }],
  });
  const main = await start({ prompt: fenced('sleep 0.5; echo done') }).done;
  expect(main.outputs.conclusion).toBe('succeeded');
  expect(textOf(main)).toContain('state: PAUSED_FOR_REVIEW');
});

test('a run that somebody else cancels ends the step at once as cancelled', async () => {
  const { client, start } = await openScene();
  const step = start({ prompt: fenced('echo at work; sleep 60') });
  await waitForLine(step, 'at work');
  const [run] = (await client.runs.list()).runs;
  await client.runs.cancel(run?.run_id ?? '', { reason: 'not needed any more' });
  const main = await step.done;
  expect([main.outcome, main.outputs.conclusion, main.outputs.failure_phase]).toEqual(['failure', 'cancelled', 'run']);
  expect(messagesOf(main, 'error').join()).toContain('not needed any more');
});

test('a key that is taken away while the run works ends the step within seconds, with run, link and what is not known', async () => {
  const { server, start } = await openScene({
    faults: [
      { kind: 'answer', status: 401, body: { error: 'unknown key' }, route: 'readRun', nth: 2, times: 'all' },
      { kind: 'answer', status: 401, body: { error: 'unknown key' }, route: 'listEvents', times: 'all' },
    ],
  });
  const main = await start({ prompt: fenced('sleep 20') }).done;
  expect([main.outcome, main.outputs.conclusion]).toEqual(['failure', 'lost']);
  expect(messagesOf(main, 'error').join()).toMatch(
    new RegExp(`lost contact with the run.*401.*See ${server.baseUrl.slice(0, 17)}`),
  );
});

test('a success with an error code is shown as what it is, and one without a result is warned of', async () => {
  const { start } = await openScene();
  const status_message = { message: 'the agent could not push', error_code: 'agent_failed' };
  const doubtful = await start({ prompt: 'x', base_url: await openService({ state: 'SUCCEEDED', status_message }) })
    .done;
  expect([doubtful.outcome, doubtful.outputs.result_empty]).toEqual(['success', 'true']);
  expect(messagesOf(doubtful, 'warning').join()).toMatch(/agent_failed: the agent could not push.*left no result/);
});

test('a create whose answer nobody heard is found by the post step', async () => {
  const { server, client, runner, start } = await openScene({
    faults: [{ kind: 'hang', when: 'after', route: 'createRun' }],
  });
  const step = start({ prompt: fenced('echo at work; sleep 60') });
  while ((await client.runs.list()).runs[0]?.state !== 'INPROGRESS') await new Promise(wake => setTimeout(wake, 30));
  step.kill();
  expect((await step.done).outputs.run_id).toBe('');
  const [post] = await runner.post();
  expect([post?.outcome, textOf(post ?? { log: [] })]).toEqual(['success', expect.stringContaining('told to stop')]);
  const [run] = (await client.runs.list()).runs;
  expect((await client.runs.wait(run?.run_id ?? '')).state).toBe('CANCELLED');
  expect(server.requests.filter(request => request.route === 'createRun')).toHaveLength(1);
});

test('another service that cannot cancel is named, with the link: the run may go on and cost', async () => {
  const { start, server } = await openScene({
    faults: [{ kind: 'answer', status: 422, body: { error: 'not this kind' }, route: 'cancelRun', times: 'all' }],
  });
  const step = start({ prompt: fenced('echo at work; sleep 20') });
  await waitForLine(step, 'at work');
  step.signal('SIGINT');
  const main = await step.done;
  const [message = ''] = messagesOf(main, 'error');
  expect(message).toContain('This server cannot cancel the run');
  expect(message).toContain('may continue and cost money');
  expect(message).toContain(`${server.baseUrl.replace('/api/v1', '')}/runs/${main.outputs.run_id}`);
});

/** A job of a comment on an issue, by somebody who may write. */
async function openCommentedIssue() {
  const github = await openFakeGitHub();
  const event = JSON.parse(readFileSync(pathOfEvent('issue_comment'), 'utf8'));
  const login: string = event.sender.login;
  github.permissions.set(login.toLowerCase(), { permission: 'write', id: event.sender.id });
  const context = { api_url: github.apiUrl, event_name: 'issue_comment', actor: login, token: 'token-of-the-job' };
  const scene = await openScene({}, { event, context });
  return { github, ...scene };
}

test('a comment that still says "running" after the step was killed is corrected by the post step', async () => {
  const { github, runner, start } = await openCommentedIssue();
  const step = start({ prompt: fenced('echo at work; sleep 60'), comment: 'on' });
  await waitForLine(step, 'at work');
  await expect.poll(() => github.comments.map(({ body }) => body)).toEqual([expect.stringContaining('running')]);
  step.kill();
  await step.done;
  const [post] = await runner.post();
  expect(post?.outcome).toBe('success');
  expect(github.comments.map(({ body }) => body)).toEqual([
    expect.stringMatching(/the step ended before it reported the result of the run[\s\S]*CANCELLED/),
  ]);
});

test('a comment that may not be written names the permission and changes no verdict', async () => {
  const { github, start } = await openCommentedIssue();
  github.faults.push({
    on: 'POST',
    status: 403,
    times: 9,
    body: { message: 'Resource not accessible by integration' },
  });
  const main = await start({ prompt: fenced('echo done'), comment: 'on' }).done;
  expect([main.outcome, main.outputs.conclusion]).toEqual(['success', 'succeeded']);
  expect(messagesOf(main, 'warning').join()).toContain('`issues: write`');
});

test('an agent that prints a token of the job shows none, nor do outputs and summary carry one on', async () => {
  const { server, start } = await openScene();
  const main = await start({ prompt: fenced(`echo ${'${X:-'}${server.apiKey}} | tee "$AGENT_RUN_RESULT"`) }).done;
  expect(JSON.stringify([main.log, main.summary])).not.toContain(server.apiKey);
  expect(main.jobOutputsDropped).toContain('result');
});

test('a step needs no program and no home folder', async () => {
  const { server, runner } = await openScene();
  const inputs = { base_url: server.baseUrl, api_key: server.apiKey, prompt: fenced('echo done') };
  const nowhere = resolve(import.meta.dirname, 'no-such-folder');
  const main = await runner.startStep({ inputs, env: { PATH: nowhere, HOME: nowhere, TMPDIR: nowhere, LANG: '' } })
    .done;
  expect([main.outcome, main.outputs.conclusion]).toEqual(['success', 'succeeded']);
});

test('on a server of GitHub of one’s own the links and the API are its own', async () => {
  const { start, client } = await openScene(
    {},
    { context: { server_url: 'https://ghe.example.com', api_url: 'https://ghe.example.com/api/v3' } },
  );
  const main = await start({ prompt: fenced('echo done') }).done;
  const run = await client.runs.retrieve(main.outputs.run_id ?? '');
  expect(run.trigger_url).toBe('https://ghe.example.com/octo-org/shop/actions/runs/1658821493');
});

test('a result of which only the beginning can be read is handed on as that, and as no file', async () => {
  const { start } = await openScene({
    // A word of the server, and no page that is asked through.
    faults: [{ kind: 'answer', status: 403, body: {}, route: 'readResult', times: 'all' }],
  });
  const prompt = fenced(`head -c 288000 /dev/zero | tr '\\0' x > "$AGENT_RUN_RESULT"`);
  const main = await start({ prompt }).done;
  expect(main.outputs).toMatchObject({ conclusion: 'succeeded', result_truncated: 'true', result_file: '' });
  expect(main.outputs.result).toMatch(/^x+…?\n\n\(only the beginning of the result could be read/);
  expect(main.summary).toContain('only the beginning of the result could be read');
  expect(main.summary).not.toContain('the complete result is in');
});
