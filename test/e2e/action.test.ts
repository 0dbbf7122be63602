import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTcpServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openActionRunner, runActionJob, startActionStep, textOf, waitForLine } from '../support/action-step.ts';
import { fenced, openTestServer } from '../support/test-server.ts';

/** A runner that leaves a step its time, so that what ends early does so by itself. */
const patient = { interruptMs: 60_000 };

test('a run that succeeds makes the step green and sets every output', async () => {
  const target = await openTestServer();
  const { main, post } = await runActionJob(target, {
    prompt: fenced('echo "looking around"', 'echo "the report" > "$AGENT_RUN_RESULT"'),
    name: 'nightly',
    title: 'A look',
  });
  expect([main.outcome, main.exitCode]).toEqual(['success', 0]);
  const run = await target.client.runs.retrieve(main.outputs.run_id ?? '');
  expect(main.outputs).toMatchObject({
    run_url: `${target.url}/runs/${run.run_id}`,
    session_link: run.session_link,
    state: 'SUCCEEDED',
    conclusion: 'succeeded',
    title: 'A look',
    result: 'the report\n',
    status_message: '',
    duration_seconds: expect.stringMatching(/^\d+(\.\d)?$/),
  });
  expect(run).toMatchObject({
    source: 'GITHUB_ACTION',
    agent_config: { name: 'nightly' },
    trigger_url: expect.stringContaining('/octo-org/shop/actions/runs/'),
  });
  expect(textOf(main)).toContain('│ looking around');
  expect(main.summary).toContain('the report');
  expect([post.outcome, post.log.filter(line => line.text !== 'Post job cleanup.')]).toEqual(['success', []]);
  expect([main.deprecatedCommands, main.refusedCommands]).toEqual([[], []]);
});

test('a run that fails makes the step red with one sentence: which block, how, its last lines, and where to look', async () => {
  const target = await openTestServer();
  const { main } = await runActionJob(target, { prompt: fenced('echo fine', 'echo "no such host" >&2; exit 3') });
  expect([main.outcome, main.outputs.state, main.outputs.conclusion]).toEqual(['failure', 'FAILED', 'failed']);
  const errors = main.annotations
    .filter(annotation => annotation.level === 'error')
    .map(annotation => annotation.message);
  expect(errors).toHaveLength(1);
  for (const part of ['block 2', 'exit code 3', 'no such host', 'agent_failed', main.outputs.session_link ?? 'no link'])
    expect(errors[0]).toContain(part);
  expect(main.outputs.status_message).toContain('block 2');
  expect(main.summary).toContain('no such host');
});

test('what an agent prints is shown and never obeyed, in the log, the outputs and the summary', async () => {
  const target = await openTestServer();
  const hostile = [
    '::set-output name=conclusion::succeeded',
    '::error::not ours',
    '##[warning]not ours',
    '::add-mask::SUCCEEDED',
    '::stop-commands::t',
    'ok',
    'EOF',
    'conclusion=succeeded',
    '````',
    '# heading ![x](https://example.com/x.png) @octo-org/everyone',
  ].join('\n');
  const { main } = await runActionJob(target, {
    prompt: `~~~bash\ncat <<'END' | tee "$AGENT_RUN_RESULT"\n${hostile}\nEND\nexit 1\n~~~`,
  });
  expect(main.outputs.conclusion).toBe('failed');
  expect(main.outputs.result).toBe(`${hostile}\n`);
  expect(main.masks).not.toContain('SUCCEEDED');
  expect(main.annotations.map(annotation => annotation.level)).toEqual(['error']);
  expect([main.deprecatedCommands, main.refusedCommands]).toEqual([[], []]);
  expect(textOf(main)).toContain('│ ::set-output name=conclusion::succeeded');
  expect(main.summary).toMatch(/^`{5,}text$/m);
});

test('a key that is refused is said in a sentence, and no run is started', async () => {
  const target = await openTestServer();
  const { main, post } = await runActionJob({ url: target.url, key: 'another-key-entirely' }, { prompt: 'x' });
  expect([main.outcome, main.outputs.conclusion, main.outputs.run_id]).toEqual(['failure', 'start_failed', '']);
  expect(main.annotations[0]?.message).toMatch(
    /^No run was started.*`api_key` \(401 authentication_required, request id .+\)$/,
  );
  expect(main.summary).toContain('start failed');
  expect(post.outcome).toBe('success');
  expect(JSON.stringify(main.log)).not.toContain('another-key-entirely');
});

test('a server that cannot be reached is said in a sentence that names host and reason', async () => {
  const { main, post } = await runActionJob({ url: 'http://127.0.0.1:9999', key: 'some-key-123' }, { prompt: 'x' });
  expect(main.outcome).toBe('failure');
  expect(main.annotations[0]?.message).toMatch(
    /^No run was started.*127\.0\.0\.1:9999.*refused.*Nothing is listening at 127\.0\.0\.1:9999 on the runner\./,
  );
  expect(textOf(main)).toContain('retrying in');
  expect(post.outcome).toBe('success');
}, 120_000);

test.each([
  [{ prompt: ' ' }, 'nothing to run'],
  [{ prompt: 'x', wait: 'yes' }, '`wait` must be true or false, not "yes"'],
  [{ skill_spec: 'octo-org/shop:none' }, 'octo-org/shop'],
  [{ prompt: 'x', environment_id: 'e-1' }, 'environment_id'],
])('the input %j is refused with a sentence and starts nothing', async (inputs, sentence) => {
  const target = await openTestServer();
  const { main } = await runActionJob(target, inputs);
  expect([main.outcome, main.outputs.conclusion]).toEqual(['failure', 'start_failed']);
  expect(main.annotations.map(annotation => annotation.message).join()).toContain(sentence);
  expect((await target.client.runs.list()).runs).toEqual([]);
});

test('a prompt without blocks fails and says that this harness calls no model', async () => {
  const target = await openTestServer();
  const { main } = await runActionJob(target, { prompt: 'Please fix the tests.' });
  expect(main.outputs.conclusion).toBe('failed');
  expect(main.annotations[0]?.message).toContain('block');
});

test('a prompt of half a megabyte comes from a file and arrives whole', async () => {
  const target = await openTestServer();
  const runner = await openActionRunner();
  writeFileSync(
    join(runner.workspace, 'prompt.md'),
    `${fenced('wc -c < "$AGENT_RUN_PROMPT_FILE" | tr -d " "')}\n${'x'.repeat(500_000)}`,
  );
  const main = await startActionStep(runner, target, { prompt_file: 'prompt.md' }).done;
  expect(Number(main.outputs.result)).toBeGreaterThan(500_000);
});

test('with wait: false the step starts the run, and post leaves it alone', async () => {
  const target = await openTestServer();
  const { main } = await runActionJob(target, { prompt: fenced('sleep 1; echo late'), wait: 'false' });
  expect([main.outcome, main.outputs.conclusion]).toEqual(['success', 'started']);
  const run = await target.client.runs.wait(main.outputs.run_id ?? '');
  expect([run.state, run.lease_expires_at]).toEqual(['SUCCEEDED', undefined]);
});

test('a run that takes too long is canceled, and the step says timed_out', async () => {
  const target = await openTestServer();
  const { main } = await runActionJob(target, { prompt: fenced('sleep 60'), timeout_minutes: '0.03' });
  expect([main.outcome, main.outputs.conclusion]).toEqual(['failure', 'timed_out']);
  expect(main.annotations[0]?.message).toContain('timeout_minutes');
  expect(await target.client.runs.retrieve(main.outputs.run_id ?? '')).toMatchObject({
    state: 'CANCELLED',
    status_message: { message: expect.stringContaining(': The run timed out after 1.8 s') },
  });
});

test('canceling the workflow cancels the run in progress at once and writes the outputs', async () => {
  const target = await openTestServer();
  const runner = await openActionRunner();
  const step = startActionStep(runner, target, { prompt: fenced('echo at work; sleep 60') });
  await waitForLine(step, 'at work');
  const startedAt = performance.now();
  const main = await step.cancel(patient);
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  expect([main.outcome, main.outputs.conclusion]).toEqual(['cancelled', 'cancelled']);
  expect((await target.client.runs.wait(main.outputs.run_id ?? '')).state).toBe('CANCELLED');
  expect((await runner.post())[0]?.outcome).toBe('success');
});

test('canceling the workflow cancels a run that still waits for a place', async () => {
  const target = await openTestServer({ limits: { concurrency: 1 } });
  const { run_id: first } = await target.client.runs.create({ prompt: fenced('sleep 60') });
  const runner = await openActionRunner();
  const step = startActionStep(runner, target, { prompt: fenced('echo never') });
  await waitForLine(step, 'state: QUEUED');
  const main = await step.cancel();
  const run = await target.client.runs.retrieve(main.outputs.run_id ?? '');
  expect([run.state, run.started_at]).toEqual(['CANCELLED', null]);
  expect((await target.client.runs.retrieve(first)).state).toBe('INPROGRESS');
});

test('a step that is canceled before the server answered ends in time and says what is not known', async () => {
  const asked = Promise.withResolvers<void>();
  const silent = createTcpServer(() => asked.resolve());
  const port = await listenOnLoopback(silent);
  const runner = await openActionRunner();
  const step = startActionStep(runner, { url: `http://127.0.0.1:${port}`, key: 'some-key-123' }, { prompt: 'x' });
  await asked.promise;
  const startedAt = performance.now();
  const main = await step.cancel(patient);
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  expect(main.outputs.conclusion).toBe('cancelled');
  expect(main.annotations.map(annotation => annotation.message).join()).toContain(
    'It is unclear whether the server started a run',
  );
});

test('a server that is slow with everything holds up no canceled step', async () => {
  const runId = '0192f000-0000-7000-8000-000000000000';
  const asked = Promise.withResolvers<void>();
  const slow = createHttpServer((incoming, outgoing) => {
    asked.resolve();
    // The create is answered late, and nothing after it.
    if (incoming.url?.endsWith('/agent/runs'))
      setTimeout(
        () =>
          outgoing
            .writeHead(200, { 'Content-Type': 'application/json' })
            .end(JSON.stringify({ run_id: runId, task_id: runId, state: 'QUEUED' })),
        1500,
      );
  });
  const port = await listenOnLoopback(slow);
  onTestFinished(() => slow.closeAllConnections());
  const runner = await openActionRunner();
  const step = startActionStep(runner, { url: `http://127.0.0.1:${port}`, key: 'some-key-123' }, { prompt: 'x' });
  await asked.promise;
  const startedAt = performance.now();
  const main = await step.cancel(patient);
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  expect([main.outputs.run_id, main.outputs.conclusion]).toEqual([runId, 'cancelled']);
  expect(main.state.is_done).toBeUndefined();
});

test('a step that was killed leaves its run to the post step', async () => {
  const target = await openTestServer();
  const runner = await openActionRunner();
  const step = startActionStep(runner, target, { prompt: fenced('echo at work; sleep 60') });
  await waitForLine(step, 'at work');
  step.kill();
  const main = await step.done;
  expect(main.outputs.run_id).not.toBe('');
  const [post] = await runner.post();
  expect([post?.outcome, textOf(post ?? { log: [] }).includes('told to stop')]).toEqual(['success', true]);
  expect((await target.client.runs.wait(main.outputs.run_id ?? '')).state).toBe('CANCELLED');
});

test('a post step whose server is gone warns and does not fail the job', async () => {
  const target = await openTestServer();
  const runner = await openActionRunner();
  const step = startActionStep(runner, target, { prompt: fenced('echo at work; sleep 60') });
  await waitForLine(step, 'at work');
  step.kill();
  await step.done;
  await target.stop();
  const [post] = await runner.post();
  expect(post?.outcome).toBe('success');
  expect(post?.annotations.map(annotation => annotation.level)).toEqual(['warning']);
});

test.each([
  ['base_url', { base_url: '' }],
  ['api_key', { api_key: '' }],
])('a missing %s is said in the words of a workflow', async (name, inputs) => {
  const target = await openTestServer();
  const { main } = await runActionJob(target, { prompt: 'x', ...inputs });
  expect(main.annotations[0]?.message).toMatch(new RegExp(`^No run was started: .*\`${name}\``));
});

test('the post step of a run that is over says nothing, although main could not note that it was', async () => {
  const target = await openTestServer();
  const runner = await openActionRunner();
  const step = startActionStep(runner, target, { prompt: fenced('echo at work; sleep 60') });
  await waitForLine(step, 'at work');
  step.kill();
  const { outputs } = await step.done;
  await target.client.runs.cancel(outputs.run_id ?? '');
  await target.client.runs.wait(outputs.run_id ?? '');
  const [post] = await runner.post();
  expect(post?.log.map(line => line.text)).toEqual(['Post job cleanup.']);
});

test('a result above 64 KiB is cut in the output to its end, and the file has all of it', async () => {
  const target = await openTestServer();
  const runner = await openActionRunner();
  const { outputs } = await startActionStep(runner, target, { prompt: fenced('seq 100000 > "$AGENT_RUN_RESULT"') })
    .done;
  expect(Buffer.byteLength(outputs.result ?? '')).toBeLessThanOrEqual(65_536);
  expect(outputs.result).toMatch(/^\S.*left out.*\n[\s\S]*\n99999\n100000\n$/);
  expect(outputs.result).toContain(outputs.result_file);
  expect([outputs.result_truncated, outputs.result_empty, outputs.result_json]).toEqual(['true', 'false', 'null']);
  const whole = Array.from({ length: 100_000 }, (_, index) => index + 1).join('\n');
  expect(readFileSync(outputs.result_file ?? '', 'utf8')).toBe(`${whole}\n`);
});

test.each([
  { session_link: 42 },
  { session_link: 'javascript:alert(1)\n::error::x' },
  { title: 7, result: 'no object', agent_config: null },
])('a server that answers with %j loses no run, and the step still tells its end', async odd => {
  const runId = '0192f000-0000-7000-8000-000000000000';
  const server = createHttpServer((incoming, outgoing) => {
    const run = {
      run_id: runId,
      task_id: runId,
      state: incoming.method === 'POST' ? 'QUEUED' : 'FAILED',
      title: 't',
      agent_config: {},
      ...odd,
    };
    if (incoming.url?.includes('/events')) outgoing.writeHead(404, { 'Content-Type': 'application/json' }).end('{}');
    else outgoing.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(run));
  });
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { main } = await runActionJob({ url: `http://127.0.0.1:${port}`, key: 'some-key-123' }, { prompt: 'x' });
  expect([main.outputs.run_id, main.outputs.conclusion, main.outcome]).toEqual([runId, 'failed', 'failure']);
  expect(main.outputs.session_link).toBe('');
  expect(main.annotations.filter(annotation => annotation.level === 'error')).toHaveLength(1);
});

test.skipIf(process.platform !== 'linux')(
  'a summary that cannot be written is a warning and changes no verdict',
  async () => {
    const target = await openTestServer();
    const runner = await openActionRunner();
    const step = startActionStep(runner, target, { prompt: fenced('echo at work; sleep 1') });
    await waitForLine(step, 'at work');
    const summary = /GITHUB_STEP_SUMMARY=([^\0]+)/.exec(readFileSync(`/proc/${step.pid}/environ`, 'utf8'))?.[1] ?? '';
    rmSync(summary);
    mkdirSync(summary);
    const main = await step.done;
    expect([main.exitCode, main.outputs.conclusion, main.outputs.state]).toEqual([0, 'succeeded', 'SUCCEEDED']);
    expect(main.annotations.map(annotation => annotation.message).join()).toContain('the summary could not be written');
  },
);

async function listenOnLoopback(server: Server): Promise<number> {
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
