import { expect, test } from 'vitest';
import type { EnvironmentsAnswer } from '../../../src/contract/environments.ts';
import { emptyEnvironment } from '../../../src/contract/list-query.ts';
import { readAnswer } from '../../support/answer.ts';
import { type HttpApp, openHttpApp } from '../../support/http-app.ts';
import { environmentOf, repositoryAt } from '../worker/environment-fixture.ts';

const shop = environmentOf(undefined, {
  repositories: [
    repositoryAt('https://github.com/octo-org/shop.git'),
    repositoryAt('file:///shop.git', { name: 'alone', path: 'x' }),
  ],
  description: 'The shop',
  setup: ['npm ci'],
  env: { MY_KEY: 'secret' },
  updatedAt: 1000,
});
const tools = environmentOf(undefined, { uid: 'T'.repeat(22), name: 'tools', updatedAt: 2000 });
const environments = [shop, tools];

async function list(app: HttpApp, query: string): Promise<EnvironmentsAnswer['environments']> {
  const answer = await app.call('GET', `/agent/environments${query}`);
  return ((await answer.json()) as EnvironmentsAnswer).environments;
}

test('environments are listed in the public shape, without values of variables', async () => {
  const app = await openHttpApp({ environments });
  const answer = await app.call('GET', '/agent/environments');
  expect(answer.status).toBe(200);
  const text = await answer.text();
  expect(text).not.toContain('secret');
  expect(JSON.parse(text)).toEqual({
    environments: [
      {
        uid: tools.uid,
        config: { name: 'tools', github_repos: [], setup_commands: [] },
        last_updated: '1970-01-01T00:00:02.000Z',
        setup_failed: false,
        last_task_run_timestamp: null,
      },
      {
        uid: shop.uid,
        config: {
          name: 'shop',
          description: 'The shop',
          github_repos: [{ owner: 'octo-org', repo: 'shop' }],
          setup_commands: ['npm ci'],
        },
        last_updated: '1970-01-01T00:00:01.000Z',
        setup_failed: false,
        last_task_run_timestamp: null,
      },
    ],
  });
});

test('environments sort by name on request, and another order is rejected', async () => {
  const app = await openHttpApp({ environments });
  const names = async (query: string) => (await list(app, query)).map(({ config }) => config.name);
  expect(await names('?sort_by=name')).toEqual(['shop', 'tools']);
  expect(await names('?sort_by=last_updated')).toEqual(['tools', 'shop']);
  expect((await app.call('GET', '/agent/environments?sort_by=size')).status).toBe(400);
});

test('an environment has its last run and the last setup result', async () => {
  const app = await openHttpApp({ environments });
  const read = async () => (await list(app, '?sort_by=name'))[0];
  const body = { prompt: 'x', title: 'one', config: { environment_id: 'shop' } };
  const run = await app.startRun(body);
  expect(await read()).toMatchObject({
    setup_failed: false,
    last_task_created: { id: run.runId, title: 'one', state: 'INPROGRESS' },
    last_task_run_timestamp: new Date(run.startedAt ?? 0).toISOString(),
  });
  const statusMessage = { message: 'no', error_code: 'environment_setup_failed' };
  await app.store.finishRun({ runId: run.runId, attempt: run.attempt }, { state: 'FAILED', statusMessage });
  expect(await read()).toMatchObject({ setup_failed: true, last_task_created: { state: 'FAILED' } });
  const next = await app.startRun(body);
  expect(await read()).toMatchObject({ setup_failed: true, last_task_created: { id: next.runId } });
  await app.store.finishRun({ runId: next.runId, attempt: next.attempt }, { state: 'SUCCEEDED' });
  expect(await read()).toMatchObject({ setup_failed: false });
});

test('a run names its environment by name or id, and is found by both', async () => {
  const app = await openHttpApp({ environments });
  for (const environment_id of ['shop', shop.uid]) {
    const run = await app.startRun({ prompt: 'x', config: { environment_id } });
    expect(run.config.environment_id).toBe(shop.uid);
  }
  await app.startRun();
  const count = async (environment_id: string) => {
    const answer = await app.call('GET', `/agent/runs?environment_id=${environment_id}`);
    return (await readAnswer(answer)).runs.length;
  };
  expect([await count('shop'), await count(shop.uid), await count(emptyEnvironment), await count('none')]).toEqual([
    2, 2, 1, 0,
  ]);
});

test('an unknown environment is rejected with the known ones', async () => {
  const app = await openHttpApp({ environments });
  const answer = await app.call('POST', '/agent/runs', { body: { prompt: 'x', config: { environment_id: 'gone' } } });
  expect(answer.status).toBe(404);
  expect((await readAnswer(answer)).detail).toBe(
    'config.environment_id: this server has no environment "gone"; it has shop, tools',
  );
});

test('a checkout is kept even for an unknown repository, and rejected if git would refuse it', async () => {
  const app = await openHttpApp({ environments });
  const asked = { prompt: 'x', repository: 'octo-org/other', ref: 'main' };
  const answer = await app.call('POST', '/agent/runs', { body: { ...asked, config: { environment_id: 'shop' } } });
  expect(answer.status).toBe(200);
  await app.store.claimRun();
  const odd = { ...asked, repository: 'octo-org/shop', ref: '--upload-pack=x', config: { environment_id: 'shop' } };
  const refused = await app.call('POST', '/agent/runs', { body: odd });
  expect([refused.status, (await readAnswer(refused)).detail]).toEqual([400, expect.stringContaining('ref')]);
  expect((await app.startRun(asked)).checkout).toEqual({ repository: 'octo-org/other', ref: 'main', sha: undefined });
  const config = { environment_id: 'shop' };
  const taken = await app.startRun({ ...asked, repository: 'octo-org/shop', config });
  expect(taken.checkout?.repository).toBe('octo-org/shop');
});

test("a skill in the environment's repository is checked after the clone", async () => {
  const app = await openHttpApp({ environments });
  const config = { environment_id: 'shop' };
  const create = (skill: string) => app.call('POST', '/agent/runs', { body: { skill, config } });
  expect((await create('octo-org/shop:gone')).status).toBe(200);
  expect((await create('octo-org/other:gone')).status).toBe(404);
});
