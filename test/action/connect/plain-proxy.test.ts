import { expect, onTestFinished, test } from 'vitest';
import { postAction } from '../../../src/action/post-action.ts';
import { runAction } from '../../../src/action/run-action.ts';
import { createTestServer } from '../../../src/testing/index.ts';
import { fenced } from '../../support/test-server.ts';
import { createFakeHost } from '../fake-host.ts';
import { hiddenHost, openProxy } from './partners.ts';

test('a run that is started through a plain http proxy is followed to its end', async () => {
  const server = await createTestServer();
  onTestFinished(() => server.stop());
  const proxy = await openProxy({ port: Number(new URL(server.baseUrl).port) });
  const words = { base_url: `http://${hiddenHost}`, allow_http: 'true', api_key: server.apiKey };
  const variables = { PATH: process.env.PATH ?? '', http_proxy: `http://${proxy.host}` };
  const host = createFakeHost({ ...words, prompt: fenced('echo done'), wait: 'true' }, variables);
  await runAction(host);
  expect(host.outputs).toMatchObject({ conclusion: 'succeeded', result: 'done\n', failure_reason: '' });
  expect(proxy.seen).toContain(`POST http://${hiddenHost}/api/v1/agent/runs`);
  await postAction(host);
  expect([host.warnings, host.failures]).toEqual([[], []]);
});
