import { expect, test } from 'vitest';
import { createOrigin } from '../support/git-host.ts';
import { fenced, openTestServer, watchToEnd } from '../support/test-server.ts';
import { environmentOf } from './worker/environment-fixture.ts';

test('a run uses the environment and the branch that its caller names', async () => {
  const origin = createOrigin({ 'a.txt': 'a\n' });
  origin.commit({ 'a.txt': 'fix\n' }, 'fix');
  const { client, url, key } = await openTestServer({
    environments: [environmentOf(origin, { setup: ['echo ready >made.txt'], publish: 'branch' })],
  });
  const { run_id } = await client.runs.create({
    prompt: fenced('cat a.txt made.txt; echo more >>a.txt'),
    repository: 'octo-org/shop',
    ref: 'fix',
    config: { environment_id: 'shop' },
  });
  const run = await watchToEnd(client, run_id);
  expect(run.result?.text).toBe('fix\nready\n');
  expect(run.artifacts?.map(({ artifact_type }) => artifact_type)).toEqual(['EXTERNAL_REFERENCE', 'FILE']);
  expect(origin.read(`agent-run/${run_id}`, 'a.txt')).toBe('fix\nmore');
  const listed = await fetch(`${url}/api/v1/agent/environments`, { headers: { Authorization: `Bearer ${key}` } });
  expect(await listed.json()).toMatchObject({
    environments: [{ config: { name: 'shop' }, setup_failed: false, last_task_created: { id: run_id } }],
  });
});
