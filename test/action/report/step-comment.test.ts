import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { postAction } from '../../../src/action/post-action.ts';
import { runAction } from '../../../src/action/run-action.ts';
import { createTestServer } from '../../../src/testing/index.ts';
import { type FakeGitHubOptions, openFakeGitHub } from '../../support/fake-github.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { fenced } from '../../support/test-server.ts';
import { createFakeHost } from '../fake-host.ts';

const list = '/repos/octo-org/shop/issues/7/comments';
const mona = { login: 'mona', id: 7, type: 'User' };

async function openStep(
  command: string,
  options: FakeGitHubOptions = {},
  inputs: Readonly<Record<string, string>> = {},
) {
  const github = await openFakeGitHub(options);
  github.permissions.set('mona', { permission: 'write', id: 7 });
  const server = await createTestServer();
  onTestFinished(() => server.stop());
  const tempDir = createTempFolder();
  const eventPath = join(tempDir, 'event.json');
  const repository = { id: 1, full_name: 'octo-org/shop', owner: { login: 'octo-org', type: 'Organization' } };
  const issue = { number: 7, title: 'It does not work', user: mona };
  writeFileSync(eventPath, JSON.stringify({ action: 'opened', issue, repository, sender: mona }));
  const host = createFakeHost(
    {
      base_url: server.baseUrl,
      api_key: server.apiKey,
      prompt: fenced(command),
      comment: 'on',
      github_token: 'token-of-the-job',
      ...inputs,
    },
    {
      PATH: process.env.PATH ?? '',
      GITHUB_WORKSPACE: tempDir,
      RUNNER_TEMP: tempDir,
      GITHUB_API_URL: github.apiUrl,
      GITHUB_REPOSITORY: 'octo-org/shop',
      GITHUB_EVENT_NAME: 'issues',
      GITHUB_EVENT_PATH: eventPath,
      GITHUB_ACTOR: 'mona',
      GITHUB_RUN_ID: '1658821493',
      GITHUB_JOB: 'agent',
    },
  );
  return { github, host, done: () => runAction(host) };
}

test('one comment says that the run is working and then how it ended', async () => {
  const go = join(createTempFolder(), 'go');
  const { github, host, done } = await openStep(`until [ -e '${go}' ]; do sleep 0.05; done`);
  const step = done();
  await expect.poll(() => github.comments.map(({ body }) => body)).toEqual([expect.stringContaining('running')]);
  writeFileSync(go, '');
  await step;
  expect(github.comments.map(({ body }) => body)).toEqual([expect.stringContaining('succeeded')]);
  const writes = github.calls().filter(call => /^(?:POST|PATCH) .*comments/.test(call));
  expect(writes).toEqual([`POST ${list}`, 'PATCH /repos/octo-org/shop/issues/comments/1001']);
  expect(host.state.is_comment_final).toBe('true');
});

test.each([
  ['is silent', { on: `GET ${list}`, how: 'silent' }],
  ['drips', { on: `GET ${list}`, how: 'drip' }],
  ['asks to wait', { on: `GET ${list}`, status: 429, headers: { 'retry-after': '20' } }],
] as const)('a run that ends while GitHub %s before the first comment gets one with its end', async (_what, fault) => {
  const { github, host, done } = await openStep('echo done');
  github.faults.push(fault);
  const startedMs = performance.now();
  await done();
  expect(performance.now() - startedMs).toBeLessThan(11_000);
  expect(github.comments.map(({ body }) => body)).toEqual([expect.stringContaining('succeeded')]);
  expect([host.outputs.conclusion, host.warnings.filter(line => line.includes('comment'))]).toEqual(['succeeded', []]);
});

test('a comment that GitHub refuses is warned about once, and the post step does not retry', async () => {
  const { github, host, done } = await openStep('echo done');
  github.faults.push({ on: `POST ${list}`, status: 403, times: 9 });
  await done();
  expect(host.summary.join('')).toMatch(/^- ⚠️ the comment could not be written: .*403/m);
  const asked = github.requests.length;
  await postAction(host);
  expect(github.requests.length).toBe(asked);
  expect(host.warnings.filter(line => line.includes('comment'))).toEqual([expect.stringContaining('403')]);
});

test('a first comment whose response is lost is edited at the end', async () => {
  const { github, done } = await openStep('echo done');
  github.faults.push({ on: `POST ${list}`, how: 'lost' });
  await done();
  expect(github.comments.map(({ body }) => body)).toEqual([expect.stringContaining('succeeded')]);
});

test('a step that is canceled while GitHub drips ends at once and leaves the comment to the post step', async () => {
  const { github, host, done } = await openStep('sleep 60');
  github.faults.push({ on: `GET ${list}`, how: 'drip', times: 99 });
  const step = done();
  await expect.poll(() => github.calls().includes(`GET ${list}`)).toBe(true);
  const startedMs = performance.now();
  host.cancel();
  await step;
  expect(performance.now() - startedMs).toBeLessThan(11_000);
  expect([host.outputs.conclusion, host.state.is_comment_final]).toEqual(['cancelled', undefined]);
  expect(JSON.parse(host.state.comment ?? '{}')).toMatchObject({ number: 7, run: { runId: host.outputs.run_id } });
  expect(host.warnings.filter(line => line.includes('comment'))).toEqual([]);
});

test('a step that is canceled while the gate waits for GitHub is canceled, not refused', async () => {
  const { github, host, done } = await openStep('echo done');
  github.faults.push({ on: 'GET', status: 429, headers: { 'retry-after': '30' } });
  const step = done();
  await expect.poll(() => github.requests.length).toBe(1);
  host.cancel();
  await step;
  expect([host.outputs.conclusion, host.outputs.run_id]).toEqual(['cancelled', '']);
  // Nothing was sent to the server, so there is nothing to look for.
  expect(host.outputs.failure_reason).toBe('The step was canceled. No run was started');
});

test('a comment on failure is written by the post step of a canceled step', async () => {
  const { github, host, done } = await openStep('sleep 60', {}, { comment: 'on_failure' });
  const step = done();
  await expect.poll(() => host.lines.some(line => line.includes('INPROGRESS'))).toBe(true);
  host.cancel();
  await step;
  expect(github.comments).toEqual([]);
  await postAction(host);
  expect(github.comments.map(({ body }) => body)).toEqual([
    expect.stringMatching(/### 🚫 sleep 60: the step was canceled[\s\S]*CANCELLED/),
  ]);
});

test.each(['on', 'on_failure'])(
  'the post step reports a run that SUCCEEDED before the step was stopped as such (comment: %s)',
  async comment => {
    const { github, host, done } = await openStep('echo done', {}, { comment });
    const { setOutput } = host;
    // Stops between the verdict and the comment.
    host.setOutput = (name, value) => {
      if (name === 'conclusion' && value === 'succeeded') host.cancel();
      setOutput(name, value);
    };
    await done();
    expect([host.outputs.conclusion, host.state.is_comment_final]).toEqual(['succeeded', undefined]);
    await postAction(host);
    const said = github.comments.map(({ body }) => /### (?:.*): (.*)/.exec(body)?.[1]);
    expect(said).toEqual(comment === 'on' ? ['succeeded'] : []);
  },
);
