import PublishedClient from 'oz-agent-sdk';
import { expect, test } from 'vitest';
import { openSkillHost } from '../support/skill-host.ts';
import { fenced, openTestServer, watchToEnd } from '../support/test-server.ts';

test('the published client lists the skills of a repository on GitHub, and a run works with one of them', async () => {
  const host = await openSkillHost();
  host.commit('octo-org/tools', { 'skills/greet/SKILL.md': fenced('echo hello') });
  const { url, key, client } = await openTestServer({
    githubSkills: host.settings(),
  });
  const published = new PublishedClient({ apiKey: key, baseURL: `${url}/api/v1` });
  expect(await published.agent.list()).toEqual({ agents: [] });
  const { agents } = await published.agent.list({ repo: 'octo-org/tools', refresh: true, sort_by: 'name' });
  const skill = agents[0]?.variants[0]?.id;
  expect(skill).toBe('octo-org/tools:skills/greet/SKILL.md');
  const { run_id } = await published.agent.run({ skill: skill ?? '' });
  expect(await watchToEnd(client, run_id)).toMatchObject({ state: 'SUCCEEDED', agent_skill: { name: 'greet' } });
  const refused = published.agent.run({ skill: 'other-org/tools:greet' });
  await expect(refused).rejects.toThrow(/no checkout of other-org\/tools.*from GitHub it reads octo-org\/\*/);
});
