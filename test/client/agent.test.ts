import { expect, test } from 'vitest';
import { ConfigurationError, NotFoundError, UnexpectedResponseError } from '../../src/client/index.ts';
import { createClient, failureOf } from './fixtures.ts';
import { answerJson, answerProblem, reset, startScriptedServer } from './scripted-server.ts';

test('the list of skills matches the public service, and is retried after a lost response', async () => {
  const answer = { agents: [{ name: 'review', variants: [] }] };
  await using server = await startScriptedServer([reset, answerJson(answer), answerJson(answer)]);
  const { agent } = createClient(server.url).client;
  const params = {
    repo: 'octo-org/shop',
    refresh: true,
    sort_by: 'last_run',
    include_malformed_skills: false,
  } as const;
  expect(await agent.list(params, { query: { page: 2 } })).toEqual(answer);
  expect((await agent.list().withResponse()).data).toEqual(answer);
  expect(server.requests.slice(1).map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /agent?page=2&repo=octo-org%2Fshop&refresh=true&sort_by=last_run&include_malformed_skills=false',
    'GET /agent',
  ]);
});

test('environments are requested in the given order', async () => {
  const answer = { environments: [] };
  await using server = await startScriptedServer([answerJson(answer)]);
  expect(await createClient(server.url).client.agent.listEnvironments({ sort_by: 'name' })).toEqual(answer);
  expect(server.requests[0]?.path).toBe('/agent/environments?sort_by=name');
});

test('an invalid option is refused unsent, and a response that is not such a list is rejected', async () => {
  await using server = await startScriptedServer([
    answerProblem(404, 'resource_not_found', {}),
    answerJson({ environments: [] }),
    answerJson({ agents: [] }),
  ]);
  const { agent } = createClient(server.url, { maxRetries: 0 }).client;
  const slip: object = { sortBy: 'name' };
  expect(String(await failureOf(agent.list(slip)))).toContain('unknown name "sortBy". Did you mean "sort_by"?');
  expect(await failureOf(agent.listEnvironments({}, slip))).toBeInstanceOf(ConfigurationError);
  expect(server.requests).toEqual([]);
  expect(await failureOf(agent.list())).toBeInstanceOf(NotFoundError);
  expect(await failureOf(agent.list())).toBeInstanceOf(UnexpectedResponseError);
  expect(await failureOf(agent.listEnvironments())).toBeInstanceOf(UnexpectedResponseError);
});
