import { expect, onTestFinished, test } from 'vitest';
import { postAction } from '../../src/action/post-action.ts';
import { AgentRuns } from '../../src/client/index.ts';
import { createTestServer } from '../../src/testing/index.ts';
import { fenced } from '../support/test-server.ts';
import { createFakeHost } from './fake-host.ts';

test('a run that cannot be read is canceled all the same', async () => {
  const faults = [{ kind: 'answer', status: 502, route: 'readRun', times: 'all' }] as const;
  const server = await createTestServer({ faults });
  onTestFinished(() => server.stop());
  const client = new AgentRuns({ baseUrl: server.baseUrl, apiKey: server.apiKey, logLevel: 'off' });
  const { run_id } = await client.runs.create({ prompt: fenced('sleep 30') });
  const host = createFakeHost({ base_url: server.baseUrl, api_key: server.apiKey }, { PATH: process.env.PATH ?? '' });
  host.saveState('run_id', run_id);
  await postAction(host);
  expect(host.warnings).toEqual([]);
  expect(host.lines.join()).toContain('was told to stop; its state is unknown');
  const [run] = (await client.runs.list()).runs;
  expect(run?.cancel_requested_at).toEqual(expect.any(String));
});

test('a run that has ended is left alone', async () => {
  const server = await createTestServer();
  onTestFinished(() => server.stop());
  const client = new AgentRuns({ baseUrl: server.baseUrl, apiKey: server.apiKey, logLevel: 'off' });
  const { run_id } = await client.runs.create({ prompt: fenced('echo done') });
  await client.runs.wait(run_id);
  const host = createFakeHost({ base_url: server.baseUrl, api_key: server.apiKey }, { PATH: process.env.PATH ?? '' });
  host.saveState('run_id', run_id);
  await postAction(host);
  expect(server.requests.filter(({ route }) => route === 'cancelRun')).toEqual([]);
  expect([host.warnings, host.lines.filter(line => line.includes('told to stop'))]).toEqual([[], []]);
});

test('a run that the server does not know leaves nothing to cancel', async () => {
  const server = await createTestServer();
  onTestFinished(() => server.stop());
  const host = createFakeHost({ base_url: server.baseUrl, api_key: server.apiKey }, { PATH: process.env.PATH ?? '' });
  host.saveState('run_id', '0192f000-0000-7000-8000-000000000000');
  await postAction(host);
  expect(host.warnings).toEqual([]);
  expect(host.lines).toContain(
    'The server no longer knows the run 0192f000-0000-7000-8000-000000000000, so there is nothing to stop',
  );
});

test('a run that the server knows but cannot cancel is not reported as unknown', async () => {
  const server = await createTestServer({
    faults: [{ kind: 'answer', status: 404, body: { error: 'no' }, route: 'cancelRun', times: 'all' }],
  });
  onTestFinished(() => server.stop());
  const client = new AgentRuns({ baseUrl: server.baseUrl, apiKey: server.apiKey, logLevel: 'off' });
  const { run_id } = await client.runs.create({ prompt: fenced('sleep 30') });
  const host = createFakeHost({ base_url: server.baseUrl, api_key: server.apiKey }, { PATH: process.env.PATH ?? '' });
  host.saveState('run_id', run_id);
  await postAction(host);
  expect(host.warnings).toEqual([
    expect.stringMatching(/^the run could not be stopped, and ends with its lease if it has one: .*404/),
  ]);
});
