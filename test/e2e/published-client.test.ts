import PublishedClient, { BadRequestError, NotFoundError } from 'oz-agent-sdk';
import { expect, test } from 'vitest';
import { fenced, openTestServer, watchToEnd } from '../support/test-server.ts';

async function openBoth() {
  const target = await openTestServer();
  return { ...target, published: new PublishedClient({ apiKey: target.key, baseURL: `${target.url}/api/v1` }) };
}

test('the published client of the public service starts, reads, lists and cancels runs of this server', async () => {
  const { client, published } = await openBoth();
  const created = await published.agent.run({
    prompt: fenced('echo hi'),
    config: { name: 'nightly', model_id: 'm-1' },
  });
  expect(created).toMatchObject({ state: 'QUEUED', task_id: created.run_id });
  await watchToEnd(client, created.run_id);
  const run = await published.agent.runs.retrieve(created.run_id);
  expect(run).toMatchObject({ state: 'SUCCEEDED', agent_config: { name: 'nightly', model_id: 'm-1' } });
  const page = await published.agent.runs.list({ state: ['SUCCEEDED', 'FAILED'], name: 'nightly', limit: 5 });
  expect([page.runs.map(item => item.run_id), page.page_info.has_next_page]).toEqual([[created.run_id], false]);
  const long = await published.agent.run({ prompt: fenced('sleep 60') });
  expect(await published.agent.runs.cancel(long.run_id)).toBe(long.run_id);
  expect((await watchToEnd(client, long.run_id)).state).toBe('CANCELLED');
});

test('it reads our errors as its own', async () => {
  const { published } = await openBoth();
  const refused = await published.agent.run({}).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(BadRequestError);
  expect(String(refused)).toContain('prompt: is missing or blank');
  await expect(published.agent.runs.retrieve('0192f000-0000-7000-8000-000000000000')).rejects.toBeInstanceOf(
    NotFoundError,
  );
});
