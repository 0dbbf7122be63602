import { expect, test } from 'vitest';
import { AbortedError, AgentRunsError } from '../../../src/client/index.ts';
import { collect, createClient, createRun, failureOf } from '../fixtures.ts';
import { answerJson, answerProblem, hang, startScriptedServer } from '../scripted-server.ts';

const first = createRun('FAILED', { run_id: 'a' });
const second = createRun('FAILED', { run_id: 'b' });
const third = createRun('FAILED', { run_id: 'c' });

function answerPage(runs: readonly object[], page_info: object = { has_next_page: false }) {
  return answerJson({ runs, page_info });
}
const more = (next_cursor: string) => ({ has_next_page: true, next_cursor });

test('await gives the first page, and the next one repeats the filters with the cursor', async () => {
  await using server = await startScriptedServer([answerPage([first, second], more('x y')), answerPage([third])]);
  const { client } = createClient(server.url);
  const page = await client.runs.list({ state: ['FAILED', 'ERROR'], name: 'nightly', limit: 2 });
  expect(page.runs).toEqual([first, second]);
  expect(page.hasNextPage()).toBe(true);
  const next = await page.getNextPage();
  expect(next.runs).toEqual([third]);
  expect(next.hasNextPage()).toBe(false);
  expect(await failureOf(next.getNextPage())).toBeInstanceOf(AgentRunsError);
  expect(server.requests.map(({ path }) => path)).toEqual([
    '/agent/runs?state=FAILED&state=ERROR&name=nightly&limit=2',
    '/agent/runs?state=FAILED&state=ERROR&name=nightly&limit=2&cursor=x%20y',
  ]);
});

test('iterating gives every run of every page, and retries a failed page', async () => {
  await using server = await startScriptedServer([
    answerPage([first], more('1')),
    answerProblem(503, 'x'),
    answerPage([second], more('2')),
    answerPage([third]),
  ]);
  const { client } = createClient(server.url);
  expect(await collect(client.runs.list())).toEqual([first, second, third]);
});

test('a list that is left early requests no more pages', async () => {
  await using server = await startScriptedServer([answerPage([first, second], more('1'))]);
  for await (const run of createClient(server.url).client.runs.list()) {
    expect(run.run_id).toBe('a');
    break;
  }
  expect(server.requests).toHaveLength(1);
});

test('pages can be iterated from any page', async () => {
  await using server = await startScriptedServer([answerPage([first], more('1')), answerPage([second, third])]);
  const page = await createClient(server.url).client.runs.list();
  expect((await collect(page.iterPages())).map(({ runs }) => runs.length)).toEqual([1, 2]);
});

test('a page can request its next page more than once', async () => {
  const next = answerPage([second], more('2'));
  await using server = await startScriptedServer([answerPage([first], more('1')), next, next, answerPage([third])]);
  const page = await createClient(server.url).client.runs.list();
  expect((await page.getNextPage()).hasNextPage()).toBe(true);
  expect((await collect(page.iterPages())).map(({ runs }) => runs)).toEqual([[first], [second], [third]]);
});

test('a page keeps its page_info, and a list has its response and request id', async () => {
  const info = { has_next_page: true, next_cursor: '1', total: 12 };
  const reply = answerJson({ runs: [first], page_info: info }, { 'X-Request-Id': 'req-1' });
  await using server = await startScriptedServer([reply, reply]);
  const { client } = createClient(server.url);
  const { data, requestId, response } = await client.runs.list().withResponse();
  expect(data.page_info).toEqual(info);
  expect([requestId, response.status]).toEqual(['req-1', 200]);
  expect(await (await client.runs.list().asResponse()).json()).toEqual({ runs: [first], page_info: info });
});

test('unknown states and members of a newer server are kept', async () => {
  await using server = await startScriptedServer([answerPage([{ ...first, state: 'PAUSED_FOR_REVIEW', shiny: 1 }])]);
  const [run] = await collect(createClient(server.url).client.runs.list());
  expect(run).toMatchObject({ state: 'PAUSED_FOR_REVIEW', shiny: 1 });
});

test('the signal ends an iteration between two pages', async () => {
  await using server = await startScriptedServer([answerPage([first], more('1')), hang]);
  const controller = new AbortController();
  const { client } = createClient(server.url);
  const iterate = async () => {
    for await (const _run of client.runs.list({}, { signal: controller.signal }))
      setTimeout(() => controller.abort(), 20);
  };
  expect(await failureOf(iterate())).toBeInstanceOf(AbortedError);
});
