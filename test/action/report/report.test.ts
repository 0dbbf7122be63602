/** What a step leaves at its end. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { summary } from '@actions/core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openRunnerFiles } from '../../../src/action/host/runner-files.ts';
import { postAction } from '../../../src/action/post-action.ts';
import { runAction } from '../../../src/action/run-action.ts';
import { budgets } from '../../../src/action/text/budget.ts';
import { createTestServer } from '../../../src/testing/index.ts';
import { openFakeGitHub } from '../../support/fake-github.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { fenced } from '../../support/test-server.ts';
import { createFakeHost } from '../fake-host.ts';

type Words = Readonly<Record<string, string>>;

const runId = '0192f000-0000-7000-8000-000000000000';
const at = '2026-01-01T00:00:00.000Z';
const patch = 'diff --git a/x b/x\n\0binary\n';
const usages = [{ input_tokens: 10, output_tokens: 1 }, { output_tokens: 7 }];
const artifacts = [{ artifact_type: 'FILE', created_at: at, data: { artifact_uid: 'a-1', filename: 'changes.patch' } }];

/** A service whose single run SUCCEEDED, with the fields of `more`. It has events, and keeps files elsewhere. */
async function openService(more: object, created: object = {}): Promise<string> {
  const run = { run_id: runId, task_id: runId, state: 'SUCCEEDED', title: 't', prompt: 'x', ...more };
  const events = [
    ...usages.map((data, index) => ({ seq: index + 1, at, type: 'usage', data })),
    { seq: 3, at, type: 'state', data: { state: 'SUCCEEDED' } },
  ];
  const answers: Readonly<Record<string, unknown>> = {
    '/agent/runs': { run_id: runId, task_id: runId, state: 'SUCCEEDED', ...created },
    [`/agent/runs/${runId}`]: { ...run, created_at: at, updated_at: at },
    [`/agent/runs/${runId}/events`]: { events, next_after: 3, done: true },
  };
  const service = createServer((incoming, outgoing) => {
    const path = (incoming.url ?? '').replace(/\?.*/, '').replace('/api/v1', '');
    const data = { download_url: `http://${incoming.headers.host}/files/1`, filename: 'changes.patch' };
    const answer = path === '/agent/artifacts/a-1' ? { artifact_uid: 'a-1', data } : answers[path];
    const isFile = path === '/files/1';
    outgoing.writeHead(isFile || answer !== undefined ? 200 : 404, {
      'Content-Type': isFile ? 'application/octet-stream' : 'application/json',
      'Agent-Run-Features': 'events, wait',
    });
    outgoing.end(isFile ? patch : JSON.stringify(answer ?? {}));
  });
  await new Promise<void>(ready => service.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    service.close();
    service.closeAllConnections();
  });
  return `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
}

const plainHost = (inputs: Words) =>
  createFakeHost(
    { api_key: 'key-of-the-service', prompt: 'x', ...inputs },
    { PATH: process.env.PATH ?? '', RUNNER_TEMP: createTempFolder() },
  );

test('the changes of a run are in a file for the next step, and without changes there is no file', async () => {
  const [changed, unchanged] = [
    plainHost({ base_url: await openService({ artifacts }) }),
    plainHost({ base_url: await openService({}) }),
  ];
  await Promise.all([runAction(changed), runAction(unchanged)]);
  expect(readFileSync(changed.outputs.patch_file ?? '', 'utf8')).toBe(patch);
  expect([unchanged.outputs.conclusion, unchanged.outputs.patch_file]).toEqual(['succeeded', '']);
});

test.each([1024 * 1024 - 80, 1024 * 1024, 2_000_000])(
  'a summary that has %i bytes gets nothing that does not fit, and a warning says so',
  async bytes => {
    const path = join(createTempFolder(), 'summary.md');
    writeFileSync(path, 'x'.repeat(bytes));
    // The toolkit keeps the first path that it used.
    Object.assign(summary, { _filePath: undefined });
    vi.stubEnv('GITHUB_STEP_SUMMARY', path);
    onTestFinished(() => void vi.unstubAllEnvs());
    const files = openRunnerFiles();
    const host = plainHost({ base_url: await openService({}) });
    Object.assign(host, {
      summaryRoom: () => files.summaryRoom(budgets.summary.limit),
      appendSummary: files.appendSummary,
    });
    await runAction(host);
    expect(statSync(path).size).toBe(bytes);
    expect(host.warnings).toContainEqual(expect.stringContaining('the summary of this step is full'));
    expect(host.outputs.conclusion).toBe('succeeded');
  },
);

test("the agent's usage comes from its events unless the run itself has it", async () => {
  const [told, said] = [
    plainHost({ base_url: await openService({}) }),
    plainHost({ base_url: await openService({ request_usage: { cost: 2 } }) }),
  ];
  await Promise.all([runAction(told), runAction(said)]);
  expect(JSON.parse(told.outputs.usage ?? '')).toEqual({ input_tokens: 10, output_tokens: 7 });
  expect(JSON.parse(said.outputs.usage ?? '')).toEqual({ cost: 2 });
});

test("each of the server's warnings about the request is an annotation, if it is a sentence", async () => {
  const warnings = ['"model" is not known here\n::error::x', 5, ...Array.from({ length: 30 }, () => 'more')];
  const [told, odd] = [
    plainHost({ base_url: await openService({}, { warnings }) }),
    plainHost({ base_url: await openService({}, { warnings: 'none' }) }),
  ];
  await Promise.all([runAction(told), runAction(odd)]);
  expect(told.outputs.conclusion).toBe('succeeded');
  expect(told.warnings.filter(warning => !odd.warnings.includes(warning))).toEqual([
    '"model" is not known here ::error::x',
    ...Array.from({ length: 18 }, () => 'more'),
  ]);
});

test("the reason of a failed step has no colors, and the server's message stays as it was", async () => {
  const message = '\x1b[31mno disk\x1b[0m\x07 left';
  const host = plainHost({ base_url: await openService({ state: 'FAILED', status_message: { message } }) });
  await runAction(host);
  expect(host.outputs).toMatchObject({
    status_message: message,
    failure_reason: 'The run failed: no disk left',
  });
});

test('the reason of a failed step is one line without control characters', async () => {
  const message = 'no disk\r\n::error::z\u2028left\tnow';
  const told = plainHost({ base_url: await openService({ state: 'FAILED', status_message: { message } }) });
  const service = createServer((_, outgoing) => {
    outgoing.writeHead(200, { 'Content-Type': 'application/json' });
    outgoing.end(JSON.stringify({ run_id: '../x\n::error::z', state: 'QUEUED' }));
  });
  await new Promise<void>(ready => service.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void service.close());
  const { port } = service.address() as AddressInfo;
  const forged = plainHost({ base_url: `http://127.0.0.1:${port}` });
  await Promise.all([runAction(told), runAction(forged)]);
  for (const { outputs } of [told, forged]) {
    expect(outputs.failure_reason).toMatch(/. ::error::z/);
    expect(outputs.failure_reason).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
  }
});

/** A step for a comment on an issue, which comments there. */
async function openCommentingStep(inputs: Words) {
  const github = await openFakeGitHub();
  github.permissions.set('mona', { permission: 'write', id: 7 });
  const server = await createTestServer();
  onTestFinished(() => server.stop());
  const tempDir = createTempFolder();
  const mona = { login: 'mona', id: 7, type: 'User' };
  const event = {
    action: 'opened',
    issue: { number: 7, title: 'It does not work', user: mona },
    repository: { id: 1, full_name: 'octo-org/shop', owner: { login: 'octo-org', type: 'Organization' } },
    sender: mona,
  };
  writeFileSync(join(tempDir, 'event.json'), JSON.stringify(event));
  const settings = { base_url: server.baseUrl, api_key: server.apiKey, github_token: 'token-of-the-job' };
  const variables = {
    PATH: process.env.PATH ?? '',
    RUNNER_TEMP: tempDir,
    GITHUB_API_URL: github.apiUrl,
    GITHUB_REPOSITORY: 'octo-org/shop',
    GITHUB_EVENT_NAME: 'issues',
    GITHUB_EVENT_PATH: join(tempDir, 'event.json'),
    GITHUB_ACTOR: 'mona',
    GITHUB_RUN_ID: '1658821493',
    GITHUB_JOB: 'agent',
  };
  const leg = (more: Words) => createFakeHost({ ...settings, ...inputs, ...more }, variables);
  return { github, server, host: leg({}), leg };
}

const working = fenced('echo the first line', 'for n in $(seq 60); do echo "line $n"; done', 'exit 3');

test('the last lines of a failed run are at the end of the log, below everything else', async () => {
  const { host } = await openCommentingStep({ prompt: working, comment: 'off', log: 'quiet' });
  await runAction(host);
  const title = host.lines.indexOf('the last lines of the run:');
  expect([title > host.lines.lastIndexOf(']'), host.failures.length]).toEqual([true, 1]);
  const last = host.lines.slice(title + 1, -1);
  expect([last.length, last.at(-1), last.join().includes('the first line')]).toEqual([40, '│ line 60', false]);
  expect(host.lines.at(-1)).toBe('conclusion: failed');
});

test('a step without a server links its job neither in the log nor in the summary', async () => {
  const temp = createTempFolder();
  const github = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'octo-org/x', GITHUB_RUN_ID: '7' };
  const variables = {
    PATH: process.env.PATH ?? '',
    RUNNER_TEMP: temp,
    GITHUB_WORKSPACE: createTempFolder(),
    ...github,
  };
  const host = createFakeHost({ prompt: fenced('exit 3'), allow_script: 'true', title: 'Leave' }, variables);
  await runAction(host);
  expect(host.outputs.run_url).toBe('https://github.com/octo-org/x/actions/runs/7');
  expect(host.summary.join('')).toMatch(/^### ❌ Leave: failed\n\nThe run failed/);
  expect([host.lines, host.failures, host.summary].join()).not.toContain('github.com');
});

test('a step that has ended leaves nothing for the post step', async () => {
  const { github, server, host } = await openCommentingStep({ prompt: fenced('echo done'), comment: 'on' });
  await runAction(host);
  expect(github.comments).toHaveLength(1);
  const before = [github.requests.length, server.requests.length];
  await postAction(host);
  expect([github.requests.length, server.requests.length]).toEqual(before);
  expect(host.warnings.filter(line => line.includes('clean-up'))).toEqual([]);
  // Without main's note, the post step would write.
  delete host.state.is_comment_final;
  await postAction(host);
  expect(github.comments.map(({ body }) => body)).toEqual([expect.stringContaining('echo done: succeeded')]);
});

test('a step that is being canceled leaves its end to the post step', async () => {
  const { github, host } = await openCommentingStep({ prompt: fenced('sleep 30'), comment: 'on' });
  const ended = runAction(host);
  await expect.poll(() => github.comments.length, { interval: 20 }).toBe(1);
  const isWorking = () => host.lines.some(line => line.includes('INPROGRESS'));
  await expect.poll(isWorking, { interval: 20 }).toBe(true);
  const before = github.calls().length;
  host.cancel();
  await ended;
  expect([host.outputs.conclusion, github.calls().length]).toEqual(['cancelled', before]);
  expect(github.comments[0]?.body).toContain('running');
  await postAction(host);
  expect(github.comments.map(({ body }) => body)).toEqual([expect.stringContaining('the step was canceled')]);
});

test('each leg of a matrix has its own comment with its name', async () => {
  const { github, leg } = await openCommentingStep({ prompt: fenced('echo done'), comment: 'on' });
  for (const matrix_context of ['{"os":"a"}', '{"os":"b"}', '{"os":"a"}']) await runAction(leg({ matrix_context }));
  expect(github.comments.map(({ body }) => /### .*: succeeded/.exec(body)?.[0])).toEqual([
    expect.stringContaining(' (a): '),
    expect.stringContaining(' (b): '),
  ]);
});

test("the server's words are cut in a warning", async () => {
  const status_message = { message: 'm'.repeat(5_000_000), error_code: 'c'.repeat(5_000_000) };
  const host = plainHost({ base_url: await openService({ status_message, result: { text: 'x', truncated: false } }) });
  await runAction(host);
  expect([host.outputs.conclusion, host.warnings.length]).toEqual(['succeeded', 1]);
  expect(host.warnings.join().length).toBeLessThan(4096);
});

test('a step killed while it follows a run leaves outputs that call the run lost', async () => {
  const { host } = await openCommentingStep({ prompt: fenced('sleep 30'), comment: 'off' });
  const ended = runAction(host);
  await expect.poll(() => host.outputs.run_id, { interval: 20 }).toMatch(/./);
  await expect.poll(() => host.lines, { interval: 20 }).toContain('state: INPROGRESS');
  expect(host.outputs).toMatchObject({ conclusion: 'lost', failure_phase: 'step', state: 'INPROGRESS' });
  expect(host.outputs.failure_reason).toContain('ended before it reported the result of the run');
  host.cancel();
  await ended;
  expect(host.outputs.conclusion).toBe('cancelled');
});
