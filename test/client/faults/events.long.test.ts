/**
 * 300 random fault plans for a reader of events, 150 at once, on ended and on working runs; 30 more over ports, and
 * 150 while a run is followed with its events.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AgentRuns, isFinal, type RunEvent } from '../../../src/client/index.ts';
import { createTestServer, type FaultPlan, type TestServer, withFaults } from '../../../src/testing/index.ts';
import { checkPlans, createFaultyClient, createLeapingClock, eventPlan, outcomeOf } from './random-plans.ts';

const ended = ['nothing', fenced('true'), fenced('echo one; sleep 0.3; echo two; sleep 0.3; echo three >&2')];
const going = fenced('for n in 1 2 3 4 5; do echo $n; sleep 0.2; done');

function fenced(script: string): string {
  return `\`\`\`sh\n${script}\n\`\`\``;
}

function clientOf({ baseUrl, apiKey, fetch }: TestServer): AgentRuns {
  return new AgentRuns({ baseUrl, apiKey, fetch, logLevel: 'off' });
}

async function startEnded(server: TestServer): Promise<string[]> {
  const client = clientOf(server);
  const started = await Promise.all(ended.map(prompt => client.runs.create({ prompt })));
  await Promise.all(started.map(({ run_id }) => client.runs.wait(run_id)));
  return started.map(({ run_id }) => run_id);
}

let server: TestServer;
let endedRuns: readonly string[];

beforeAll(async () => {
  server = await createTestServer({ listen: false });
  endedRuns = await startEnded(server);
});
afterAll(() => server.stop());

/** The number of plans that delivered all events. */
let whole = 0;

/** Reads the events of a run under the plan: all of them, once and in order, or a typed error. Must end. */
async function checkEvents(runId: string, at: TestServer, plan: FaultPlan, fetch: typeof at.fetch): Promise<void> {
  const { baseUrl, apiKey } = at;
  const client = createFaultyClient({ baseUrl, apiKey, fetch, clock: createLeapingClock(), plan });
  const events: RunEvent[] = [];
  let isStatesOnly = false;
  const read = async (): Promise<void> => {
    const onStatesOnly = (): void => {
      isStatesOnly = true;
    };
    for await (const event of client.runs.events(runId, { onStatesOnly, signal: AbortSignal.timeout(120_000) }))
      events.push(event);
  };
  const outcome = await outcomeOf(read());
  expect('error' in outcome ? outcome.error.name : '').not.toBe('AbortedError');
  at.setFaults([]);
  const run = await clientOf(at).runs.wait(runId);
  if (isStatesOnly) {
    expect(plan.some(({ kind }) => kind === 'feature-off' || kind === 'answer')).toBe(true);
    expect(events.every(({ seq, type }) => seq === 0 && type === 'state')).toBe(true);
    if ('value' in outcome) expect(events.at(-1)?.data).toMatchObject({ state: run.state });
    return;
  }
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
  if ('error' in outcome) return;
  whole += 1;
  expect(events).toHaveLength(run.last_seq ?? 0);
  expect(isFinal(run.state)).toBe(true);
}

/** Event iteration has no time limit, so an unknown state that never ends would be read forever. */
function endStrangeStates(fault: FaultPlan[number]): FaultPlan[number] {
  return fault.kind === 'unknown-state' && fault.times === 'all' ? { ...fault, times: 5 } : fault;
}

test('random faults: all events arrive once and in order, or a typed error is thrown', async () => {
  const truth = clientOf(server);
  let running = '';
  let count = 0;
  whole = 0;
  await checkPlans(eventPlan, 300, async plan => {
    count += 1;
    const mine = count;
    if (mine % 30 === 1) running = (await truth.runs.create({ prompt: going })).run_id;
    const runId = mine % 3 === 0 && running !== '' ? running : (endedRuns[mine % endedRuns.length] ?? '');
    const ending = plan.map(endStrangeStates);
    await checkEvents(runId, server, ending, withFaults(server.fetch, ending));
  });
  expect(whole).toBeGreaterThan(100);
}, 300_000);

test('random faults: following with events reaches the true state, with each event at most once', async () => {
  const truth = clientOf(server);
  let running = '';
  let count = 0;
  let good = 0;
  await checkPlans(eventPlan, 150, async plan => {
    count += 1;
    const mine = count;
    if (mine % 30 === 1) running = (await truth.runs.create({ prompt: going })).run_id;
    const runId = mine % 3 === 0 && running !== '' ? running : (endedRuns[mine % endedRuns.length] ?? '');
    const fetch = withFaults(server.fetch, plan);
    const { baseUrl, apiKey } = server;
    const client = createFaultyClient({ baseUrl, apiKey, fetch, clock: createLeapingClock(), plan });
    const seqs: number[] = [];
    const onEvent = ({ seq }: RunEvent): void => void seqs.push(seq);
    // An unknown state that never ends would be followed forever.
    const timeoutMs = plan.some(({ kind }) => kind === 'unknown-state') ? 900_000 : undefined;
    const signal = AbortSignal.timeout(120_000);
    const outcome = await outcomeOf(client.runs.wait(runId, { onEvent, eventsGraceMs: 500, timeoutMs, signal }));
    expect('error' in outcome ? outcome.error.name : '').not.toBe('AbortedError');
    expect(seqs).toEqual(seqs.map((_seq, index) => index + 1));
    if ('error' in outcome) return;
    good += 1;
    expect(outcome.value.state).toBe((await truth.runs.wait(runId)).state);
  });
  expect(good).toBeGreaterThan(75);
}, 300_000);

test('random faults over a port: all events arrive once and in order, or a typed error is thrown', async () => {
  const free = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const one = await createTestServer();
      return { one, runs: await startEnded(one) };
    }),
  );
  const all = [...free];
  let count = 0;
  await checkPlans(eventPlan, 30, async plan => {
    while (free.length === 0) await new Promise(wake => setTimeout(wake, 5));
    const mine = free.pop();
    if (mine === undefined) throw new Error('no server is free');
    count += 1;
    const ending = plan.map(endStrangeStates);
    mine.one.setFaults(ending);
    try {
      await checkEvents(mine.runs[count % mine.runs.length] ?? '', mine.one, ending, fetch as typeof mine.one.fetch);
    } finally {
      free.push(mine);
    }
  });
  await Promise.all(all.map(({ one }) => one.stop()));
}, 300_000);
