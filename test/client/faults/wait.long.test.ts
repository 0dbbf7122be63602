/**
 * 1,000 random fault plans against one real server, 150 at once and in process, and 60 more over ports. Of the 1,000,
 * 300 create a run without a program (its prompt has no block), 100 create one with a program, and 600 only wait: for
 * one of four ended runs, or for one that still works.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AgentRuns, type CreateRunBody, isFinal } from '../../../src/client/index.ts';
import { createTestServer, type FaultPlan, type TestServer, withFaults } from '../../../src/testing/index.ts';
import { waitUntil } from '../../support/wait-until.ts';
import {
  checkPlans,
  createFaultyClient,
  createLeapingClock,
  mayHang,
  outcomeOf,
  slackMs,
  waitPlan,
} from './random-plans.ts';

const rejections: unknown[] = [];
const noteRejection = (reason: unknown): void => void rejections.push(reason);
let server: TestServer;
let truth: AgentRuns;
let resourcesBefore: number;
const endedRuns: string[] = [];

beforeAll(async () => {
  process.on('unhandledRejection', noteRejection);
  server = await createTestServer({ listen: false, limits: { concurrency: 4 } });
  truth = clientOf(server);
  for (const prompt of ['nothing', fenced('true'), fenced('exit 3'), fenced('sleep 60')])
    endedRuns.push((await truth.runs.create({ prompt })).run_id);
  await truth.runs.cancel(endedRuns[3] ?? '');
  for (const runId of endedRuns) await truth.runs.wait(runId);
  resourcesBefore = process.getActiveResourcesInfo().length;
});

afterAll(async () => {
  await server.stop();
  process.off('unhandledRejection', noteRejection);
});

function clientOf({ baseUrl, apiKey, fetch }: TestServer): AgentRuns {
  return new AgentRuns({ baseUrl, apiKey, fetch, logLevel: 'off' });
}

function fenced(script: string): string {
  return `\`\`\`sh\n${script}\n\`\`\``;
}

let names = 0;
/** The number of waits that reached the run's state. */
let good = 0;

/** Creates a run and waits for it under the plan, then checks the result against the server. */
async function checkCreate(body: CreateRunBody, plan: FaultPlan, at: TestServer, isOverPort = false): Promise<void> {
  names += 1;
  const name = `plan-${names}`;
  const clock = createLeapingClock();
  const fetch = isOverPort ? globalThis.fetch : withFaults(at.fetch, plan);
  const client = createFaultyClient({ ...pick(at), fetch, clock, plan });
  const began = clock.monotonicMs();
  const created = await outcomeOf(client.runs.create({ ...body, config: { name } }));
  expect(clock.monotonicMs() - began).toBeLessThan(120_000 + slackMs);
  const waited = 'value' in created ? await checkWait(created.value.run_id, client, clock, plan) : undefined;
  if (isOverPort) at.setFaults([]);
  const { runs } = await clientOf(at).runs.list({ name });
  expect(runs.length).toBeLessThanOrEqual(1);
  if (!('value' in created)) return;
  expect(runs.map(run => run.run_id)).toEqual([created.value.run_id]);
  if (waited !== undefined) expect(waited).toBe(runs[0]?.state);
}

/** The state that the wait returned; undefined for a typed error. */
async function checkWait(
  runId: string,
  client: AgentRuns,
  clock: ReturnType<typeof createLeapingClock>,
  plan: FaultPlan,
): Promise<string | undefined> {
  const timeoutMs = mayHang(plan) ? 1_500 : 900_000;
  const began = clock.monotonicMs();
  const waited = await outcomeOf(client.runs.wait(runId, { timeoutMs }));
  expect(clock.monotonicMs() - began).toBeLessThan(timeoutMs + slackMs);
  if ('error' in waited) return undefined;
  expect(waited.value.run_id).toBe(runId);
  expect(isFinal(waited.value.state)).toBe(true);
  good += 1;
  return waited.value.state;
}

function pick({ baseUrl, apiKey }: TestServer) {
  return { baseUrl, apiKey };
}

test('random faults: create and wait ends in the true state or a typed error, with one run', async () => {
  good = 0;
  await checkPlans(waitPlan, 300, plan => checkCreate({ prompt: 'nothing to run' }, plan, server));
  expect(good).toBeGreaterThan(100);
}, 300_000);

test('random faults: so does a run with a program', async () => {
  await checkPlans(waitPlan, 100, plan => checkCreate({ prompt: fenced('true') }, plan, server));
}, 300_000);

test('random faults: a wait ends in the true state or a typed error, within its deadline', async () => {
  let running: Promise<string> | undefined;
  const startRun = async (): Promise<string> => (await truth.runs.create({ prompt: fenced('sleep 0.5') })).run_id;
  let count = 0;
  good = 0;
  await checkPlans(waitPlan, 600, async plan => {
    count += 1;
    // Every 25th plan starts the run that the next plans wait for.
    if (count % 25 === 1) running = startRun();
    const runId = count % 5 === 0 ? await (running ?? startRun()) : (endedRuns[count % 4] ?? '');
    const clock = createLeapingClock();
    const client = createFaultyClient({ ...pick(server), fetch: withFaults(server.fetch, plan), clock, plan });
    const state = await checkWait(runId, client, clock, plan);
    if (state !== undefined) expect(state).toBe((await truth.runs.wait(runId)).state);
  });
  expect(good).toBeGreaterThan(200);
}, 300_000);

test('random faults leave no open handle and no unhandled rejection', async () => {
  const left = () => process.getActiveResourcesInfo().length - resourcesBefore;
  await waitUntil(() => left() <= 0);
  expect(rejections).toEqual([]);
});

test('random faults over a port, with real resets: the results are the same', async () => {
  const before = process.getActiveResourcesInfo().length;
  const servers = await Promise.all(Array.from({ length: 6 }, () => createTestServer()));
  const free = [...servers];
  await checkPlans(waitPlan, 60, async plan => {
    while (free.length === 0) await new Promise(wake => setTimeout(wake, 5));
    const mine = free.pop();
    if (mine === undefined) throw new Error('no server is free');
    mine.setFaults(plan);
    try {
      await checkCreate({ prompt: 'nothing to run' }, plan, mine, true);
    } finally {
      free.push(mine);
    }
  });
  await Promise.all(servers.map(one => one.stop()));
  const left = () => process.getActiveResourcesInfo().length - before;
  await waitUntil(() => left() <= 0);
  expect(rejections).toEqual([]);
}, 300_000);
