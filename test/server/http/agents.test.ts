import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { AgentsAnswer } from '../../../src/contract/agents.ts';
import { createSkillList } from '../../../src/server/skills/skill-list.ts';
import { readAnswer } from '../../support/answer.ts';
import { openHttpApp } from '../../support/http-app.ts';
import { openGitHubSkills, openSkillHost } from '../../support/skill-host.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { environmentOf, repositoryAt } from '../worker/environment-fixture.ts';
import { writeTree } from '../worker/worker-fixture.ts';

const shop = environmentOf(undefined, { repositories: [repositoryAt('https://github.com/octo-org/shop.git')] });
const broken = '---\nname: [\n---\nstill text';

async function open() {
  const host = await openSkillHost();
  const commit = () =>
    host.commit('octo-org/tools', {
      'skills/lint/SKILL.md': '---\ndescription: Looks\n---\nLook.',
      'deploy/SKILL.md': 'x',
    });
  commit();
  const settings = host.settings({ repositories: ['octo-org/tools', 'octo-org/gone'] });
  const github = openGitHubSkills(settings, createTempFolder());
  const repositories = {
    'octo-org/shop': await writeTree({
      'skills/deploy/SKILL.md': '---\nname: release\ndescription: Brings it out\n---\nDo it.\n',
      '.agents/skills/broken/SKILL.md': broken,
    }),
    'octo-org/docs': await writeTree({ 'skills/release/SKILL.md': 'Write.', 'skills/check/SKILL.md': 'Check.' }),
  };
  const listSkills = createSkillList({ repositories, github, environments: [shop] });
  const app = await openHttpApp({ listSkills });
  const list = async (query = '') => {
    const answer = await app.call('GET', `/agent${query}`);
    return ((await answer.json()) as AgentsAnswer).agents;
  };
  return { app, list, host, commit };
}

test('skills of all checkouts are listed in the public shape, grouped by name', async () => {
  const { list, host } = await open();
  expect(await list()).toEqual([
    {
      name: 'check',
      variants: [
        {
          id: 'octo-org/docs:skills/check/SKILL.md',
          base_prompt: 'Check.',
          description: 'Check.',
          environments: [],
          source: { owner: 'octo-org', name: 'docs', skill_path: 'skills/check/SKILL.md' },
          last_run_timestamp: null,
        },
      ],
    },
    {
      name: 'release',
      variants: [
        expect.objectContaining({ id: 'octo-org/docs:skills/release/SKILL.md' }),
        {
          id: 'octo-org/shop:skills/deploy/SKILL.md',
          base_prompt: 'Do it.\n',
          description: 'Brings it out',
          environments: [{ uid: shop.uid, name: 'shop' }],
          source: { owner: 'octo-org', name: 'shop', skill_path: 'skills/deploy/SKILL.md' },
          last_run_timestamp: null,
        },
      ],
    },
  ]);
  expect(host.seen).toEqual([]);
});

test('a skill with invalid front matter is listed on request, with the reason', async () => {
  const { list } = await open();
  const agents = await list('?repo=Octo-Org/Shop&include_malformed_skills=true&sort_by=name');
  expect(agents.map(({ name }) => name)).toEqual(['broken', 'release']);
  expect(agents[0]?.variants).toMatchObject([
    { base_prompt: broken, description: '', error: expect.stringMatching(/^its front matter is not valid: line 3/) },
  ]);
});

test('skills sort by last run on request, and those without one by name', async () => {
  const { app, list } = await open();
  const begin = async (skillId: string) => {
    const run = await app.startRun();
    await app.store.describeSkill(run, { name: 'whatever' }, skillId);
    return run.startedAt;
  };
  await begin('octo-org/shop:skills/deploy/SKILL.md');
  await setTimeout(2);
  const last = await begin('Octo-Org/Shop:skills/deploy/SKILL.md');
  await begin('octo-org/elsewhere:skills/check/SKILL.md');
  const show = (agents: AgentsAnswer['agents']) =>
    agents.map(({ name, variants }) => [name, ...variants.map(({ id }) => id.split(':')[0])]);
  const agents = await list('?sort_by=last_run');
  expect(show(agents)).toEqual([
    ['release', 'octo-org/shop', 'octo-org/docs'],
    ['check', 'octo-org/docs'],
  ]);
  const times = agents.flatMap(({ variants }) => variants.map(({ last_run_timestamp: time }) => time));
  expect(times).toEqual([new Date(last ?? 0).toISOString(), null, null]);
  expect(show(await list())[0]?.[0]).toBe('check');
});

test('a GitHub repository is read once a minute, and again with refresh', async () => {
  const { list, host, commit } = await open();
  const agents = await list('?repo=octo-org/tools');
  expect(agents.map(({ name, variants }) => [name, variants[0]?.id, variants[0]?.description])).toEqual([
    ['deploy', 'octo-org/tools:deploy/SKILL.md', 'x'],
    ['lint', 'octo-org/tools:skills/lint/SKILL.md', 'Looks'],
  ]);
  const asked = host.seen.length;
  expect(await list('?repo=octo-org/tools&refresh=false')).toEqual(agents);
  expect(host.seen.length).toBe(asked);
  commit();
  await list('?repo=octo-org/tools&refresh=true');
  expect(host.seen.length).toBeGreaterThan(asked);
});

test('an unknown repository is 404, and an unreachable GitHub is 503', async () => {
  const { app, host } = await open();
  const answer = async (query: string) => {
    const response = await app.call('GET', `/agent${query}`);
    const { detail } = await readAnswer(response);
    return [response.status, detail];
  };
  expect(await answer('?repo=octo-org/other')).toEqual([
    404,
    'this server has no checkout of octo-org/other; skills.repositories names octo-org/shop, octo-org/docs; from GitHub it reads octo-org/tools, octo-org/gone (skills.github.repositories)',
  ]);
  expect((await answer('?repo=octo-org/gone'))[0]).toBe(404);
  host.interfere(() => 429);
  expect(await answer('?repo=octo-org/tools')).toEqual([503, expect.stringContaining('limits the rate')]);
  for (const query of ['?repo=shop', '?repo=a/..', '?sort_by=newest', '?refresh=maybe'])
    expect((await answer(query))[0]).toBe(400);
});

test('the list of skills needs a key', async () => {
  const { app } = await open();
  expect((await app.fetch(new Request('http://127.0.0.1/api/v1/agent'))).status).toBe(401);
});
