import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openActionRunner, startActionStep, waitForLine } from '../support/action-step.ts';
import { findSleeps } from '../support/processes.ts';
import { serve, servedKey } from '../support/served.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { fenced, openTestServer, watchToEnd } from '../support/test-server.ts';

test.skipIf(process.platform !== 'linux')(
  'a server killed in the middle of a run loses nothing that it acknowledged, leaves no run open and no process behind',
  async () => {
    const folder = createTempFolder();
    const config = 'harnesses: { script: {} }\nlimits: { concurrency: 1 }\n';
    const seconds = `300.${process.pid}`;
    const first = await serve(folder, config);
    const { run_id: running } = await first.client.runs.create({
      prompt: fenced(`setsid sleep ${seconds} &\nsleep ${seconds} &\necho ready\nsleep 300`),
    });
    let text = '';
    for await (const event of first.client.runs.events(running)) {
      if (event.type === 'log') text += event.data.text;
      if (text.includes('ready')) break;
    }
    await expect.poll(() => findSleeps(seconds)).toHaveLength(2);
    const acknowledged = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        first.client.runs.create({ prompt: fenced(`echo ${index}`), config: { name: 'waiting' } }),
      ),
    );
    await first.kill();
    await expect.poll(() => findSleeps(seconds)).toEqual([]);

    const second = await serve(folder, config);
    const lost = await second.client.runs.wait(running);
    expect(lost).toMatchObject({
      state: 'ERROR',
      status_message: { error_code: 'resource_unavailable', retryable: true },
    });
    const kept = (await second.client.runs.events(running)[Symbol.asyncIterator]().next()).value;
    expect(kept).toMatchObject({ seq: 1, type: 'state' });
    for (const { run_id } of acknowledged) expect((await second.client.runs.wait(run_id)).state).toBe('SUCCEEDED');
    const open = await second.client.runs.list({ state: ['QUEUED', 'INPROGRESS'] });
    expect(open.runs).toEqual([]);
  },
  120_000,
);

test.skipIf(process.platform !== 'linux')(
  'a step whose server is killed and started again says that the worker was lost',
  async () => {
    const folder = createTempFolder();
    const first = await serve(folder);
    const port = new URL(first.url).port;
    const runner = await openActionRunner();
    const step = startActionStep(
      runner,
      { url: first.url, key: servedKey },
      { prompt: fenced('echo ready; sleep 300') },
    );
    await waitForLine(step, 'ready');
    await first.kill();
    await serve(folder, undefined, port);
    const main = await step.done;
    expect([main.outcome, main.outputs.conclusion, main.outputs.state]).toEqual(['failure', 'failed', 'ERROR']);
    expect(main.annotations[0]?.message).toContain('the server stopped while the run was in progress');
  },
  120_000,
);

test('a second server on the same data folder is refused, and the first goes on', async () => {
  const folder = createTempFolder();
  const first = await serve(folder);
  await expect(serve(folder)).rejects.toThrow(/in use by another server/);
  expect((await first.client.runs.list()).runs).toEqual([]);
}, 120_000);

test('a server that is told to stop lets its run end, and keeps what waits for the next start', async () => {
  const folder = createTempFolder();
  const config = 'harnesses: { script: {} }\nlimits: { concurrency: 1 }\n';
  const first = await serve(folder, config);
  const { run_id: running } = await first.client.runs.create({ prompt: fenced('echo ready; sleep 2; echo done') });
  const { run_id: waiting } = await first.client.runs.create({ prompt: fenced('echo later') });
  for await (const event of first.client.runs.events(running)) if (event.type === 'log') break;
  first.process.kill('SIGTERM');
  await expect.poll(() => first.process.exitCode).toBe(0);
  const second = await serve(folder, config);
  expect(await second.client.runs.retrieve(running)).toMatchObject({
    state: 'SUCCEEDED',
    result: { text: 'ready\ndone\n' },
  });
  expect((await second.client.runs.wait(waiting)).state).toBe('SUCCEEDED');
}, 120_000);

test('a restart cancels nobody: every open lease gets its full time again', async () => {
  const dataDir = join(createTempFolder(), 'data');
  const first = await openTestServer({ dataDir, limits: { concurrency: 1 } });
  await first.client.runs.create({ prompt: fenced('sleep 60') });
  const { run_id } = await first.client.runs.create({ prompt: fenced('sleep 1.5; echo done'), lease_seconds: 6 });
  await first.stop();
  await new Promise(wake => setTimeout(wake, 6200));
  const second = await openTestServer({ dataDir });
  expect((await watchToEnd(second.client, run_id)).state).toBe('SUCCEEDED');
}, 120_000);
