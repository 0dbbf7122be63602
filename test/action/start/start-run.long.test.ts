import { expect, onTestFinished, test } from 'vitest';
import { InputError } from '../../../src/action/inputs/values.ts';
import { findAlive, startRun } from '../../../src/action/start/start-run.ts';
import { AgentRuns, StartUnknownError } from '../../../src/client/index.ts';
import { createTestServer, type FaultPlan, type TestServerOptions } from '../../../src/testing/index.ts';

const sleeping = '```sh\nsleep 30\n```';
const quick = '```sh\necho done\n```';

async function openServer(options: TestServerOptions = {}) {
  const server = await createTestServer({ listen: false, ...options });
  onTestFinished(() => server.stop());
  const client = new AgentRuns({
    baseUrl: server.baseUrl,
    apiKey: server.apiKey,
    fetch: server.fetch,
    logLevel: 'off',
  });
  const said: string[] = [];
  const start = (
    attempt: number,
    more: { prompt?: string; looksForEarlier?: boolean; leaseSeconds?: number | undefined; limitMs?: number } = {},
  ) =>
    startRun({
      client,
      task: { prompt: more.prompt ?? sleeping, config: { name: 'step' } },
      key: { ofStep: 'label-of-the-step', ofAttempt: `step-label-${attempt}` },
      looksForEarlier: more.looksForEarlier ?? attempt > 1,
      leaseSeconds: 'leaseSeconds' in more ? more.leaseSeconds : 60,
      limitMs: more.limitMs ?? 60_000,
      signal: AbortSignal.timeout(20_000),
      print: line => said.push(line),
      onStart: () => {},
    });
  const countRuns = async () => (await client.runs.list({ limit: 100 })).runs.length;
  return { server, client, start, said, countRuns };
}

test.each<readonly [string, FaultPlan]>([
  ['a lost answer', [{ kind: 'lost-answer', route: 'createRun' }]],
  ['two lost answers', [{ kind: 'lost-answer', route: 'createRun', times: 2 }]],
  ['a reset before it', [{ kind: 'reset', route: 'createRun' }]],
  ['a cut answer', [{ kind: 'cut-body', route: 'createRun' }]],
  ['a 502 of a proxy', [{ kind: 'answer', status: 502, body: '<html>', route: 'createRun' }]],
])('%s makes one run, and it is no foreign one', async (_what, faults) => {
  const { start, said, countRuns } = await openServer({ faults });
  expect(await start(1)).toMatchObject({ attached: false });
  expect(await countRuns()).toBe(1);
  expect(said).toEqual([]);
});

test('a server that accepts the create but never responds is waited for until the limit', async () => {
  const { start } = await openServer({ faults: [{ kind: 'hang', when: 'after', route: 'createRun', times: 'all' }] });
  const began = performance.now();
  await expect(start(1, { limitMs: 2000 })).rejects.toBeInstanceOf(StartUnknownError);
  expect(performance.now() - began).toBeLessThan(15_000);
});

test('a re-run follows the live run of any earlier attempt', async () => {
  const { start, said, countRuns } = await openServer();
  const first = await start(1);
  const third = await start(3);
  expect(third).toMatchObject({ attached: true, answer: { run_id: first.answer.run_id } });
  expect(said.join()).toContain('earlier attempt of this job has a run that is still open');
  expect(await countRuns()).toBe(1);
});

test('a re-run does not follow a run that is still being canceled', async () => {
  const { client, start, countRuns } = await openServer({ limits: { grace_seconds: 3 } });
  const stubborn = '```sh\ntrap "" TERM\necho at work\nsleep 30 & wait\nsleep 30\n```';
  const first = await start(1, { prompt: stubborn });
  for await (const event of client.runs.events(first.answer.run_id)) if (event.type === 'log') break;
  await client.runs.cancel(first.answer.run_id);
  expect((await client.runs.retrieve(first.answer.run_id)).state).toBe('INPROGRESS');
  const second = await start(2);
  expect(second.attached).toBe(false);
  expect(await countRuns()).toBe(2);
});

test('a re-run starts a new run if the earlier one ended, or if told to', async () => {
  const { client, start, countRuns } = await openServer();
  const first = await start(1, { prompt: quick });
  await client.runs.wait(first.answer.run_id);
  const second = await start(2, { prompt: quick });
  expect(second.attached).toBe(false);
  expect(second.answer.run_id).not.toBe(first.answer.run_id);
  const third = await start(3, { looksForEarlier: false });
  expect(third.attached).toBe(false);
  expect(await countRuns()).toBe(3);
});

test('a step with the same request in the same attempt follows the live run', async () => {
  const { start, said, countRuns } = await openServer();
  const first = await start(1);
  expect(await start(1)).toMatchObject({ attached: true, answer: { run_id: first.answer.run_id } });
  expect(said.join()).toContain('Set a different `name` or `title`');
  expect(await countRuns()).toBe(1);
});

test('a step with the same request and another lease learns how to tell them apart', async () => {
  const { start, countRuns } = await openServer();
  await start(1);
  const refusal = start(1, { leaseSeconds: undefined });
  await expect(refusal).rejects.toThrow(InputError);
  await expect(refusal).rejects.toThrow(/`wait` or `lease`.* give each step its own `name` or `title`$/);
  await expect(refusal).rejects.not.toThrow(/Idempotency-Key|422/);
  expect(await countRuns()).toBe(1);
});

test("other 422 responses are reported in the server's words", async () => {
  const client = new AgentRuns({
    baseUrl: 'http://127.0.0.1:1',
    apiKey: 'k'.repeat(20),
    logLevel: 'off',
    fetch: async () => Response.json({ detail: 'no such harness' }, { status: 422 }),
  });
  const start = { client, task: { prompt: 'x' }, key: { ofStep: 'a', ofAttempt: 'a-1' }, leaseSeconds: 60 };
  const rest = {
    looksForEarlier: false,
    limitMs: 9000,
    signal: AbortSignal.timeout(9000),
    print: () => {},
    onStart: () => {},
  };
  await expect(startRun({ ...start, ...rest })).rejects.toThrow('no such harness');
});

test('a run that ended under the same key is not taken up, because run numbers may repeat', async () => {
  const { client, start, said, countRuns } = await openServer();
  const first = await start(1, { prompt: quick });
  await client.runs.wait(first.answer.run_id);
  const second = await start(1, { prompt: quick });
  expect(second.attached).toBe(false);
  expect(second.answer.run_id).not.toBe(first.answer.run_id);
  expect(said.join()).toContain('starting a new one');
  expect(await countRuns()).toBe(2);
});

test('a service without labels has no earlier run, and one that cannot be asked stops the start', async () => {
  const find = async (status: number, body: unknown) => {
    const { client } = await openServer({
      faults: [{ kind: 'answer', status, body, route: 'listRuns', times: 'all' }],
    });
    return await findAlive(client, 'x', { totalTimeoutMs: 300 });
  };
  expect(await find(400, { error: 'unknown filter' })).toBeUndefined();
  expect(await find(405, '<html>')).toBeUndefined();
  await expect(find(401, { error: 'no' })).rejects.toThrow('401');
  await expect(find(400, '<html>')).rejects.toThrow('400');
});

test('a run with another label is not found, even if a service ignores the filter', async () => {
  const { client, start } = await openServer();
  await start(1);
  const deaf = new AgentRuns({
    baseUrl: 'http://127.0.0.1:1',
    apiKey: 'k'.repeat(20),
    fetch: async () => Response.json({ runs: (await client.runs.list()).runs, page_info: { has_next_page: false } }),
  });
  expect(await findAlive(deaf, 'another-label')).toBeUndefined();
});
