/** What goes wrong between an agent and its model, and what the run then says. */
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { always, describeEnd, kinds, openAgentBench } from '../agent-bench.ts';
import { listProcesses } from '../run-processes.ts';

describe.each(kinds)('%s', kind => {
  beforeEach(({ skip }) => skip(inject('missingAgents')[kind] !== undefined, inject('missingAgents')[kind]));

  test('a model that is busy twice is asked again', async () => {
    const busy = { status: 429, headers: { 'retry-after': '0' } };
    const bench = await openAgentBench(kind, { script: [busy, busy, { text: 'At last.' }] });
    const ended = await bench.work('Say anything.');
    expect([ended.run.state, ended.run.result?.text], describeEnd(ended)).toEqual(['SUCCEEDED', 'At last.']);
    expect(bench.model.remaining).toBe(0);
  });

  test('an endpoint that always fails is given up', async () => {
    const bench = await openAgentBench(kind, { script: always({ status: 500, error: 'out of order' }) });
    const ended = await bench.work('Say anything.');
    expect([ended.run.state, ended.run.status_message?.reason], describeEnd(ended)).toEqual([
      'ERROR',
      'resource_unavailable',
    ]);
  });

  test('an answer that is always cut is no success', async () => {
    const bench = await openAgentBench(kind, {
      script: always({ text: 'It is cut here, in the middle of it.', cutAfterChunks: 3 }),
    });
    const ended = await bench.work('Say anything.');
    expect([ended.run.state, ended.run.status_message?.reason], describeEnd(ended)).toEqual([
      'ERROR',
      'resource_unavailable',
    ]);
  });

  test('an endpoint that falls silent is waited for as long as the harness says, and no longer', async () => {
    const bench = await openAgentBench(kind, { script: always({ text: 'Wait', stall: true }), stallMs: 25_000 });
    const ended = await bench.work('Say anything.');
    expect([ended.run.state, ended.run.status_message?.reason], describeEnd(ended)).toEqual(['FAILED', 'stalled']);
    expect(listProcesses({ runId: ended.run.run_id })).toEqual([]);
  });

  test('a refusal is no success', async () => {
    const bench = await openAgentBench(kind, { script: always({ refusal: 'I will not do that.' }) });
    const ended = await bench.work('Say anything.');
    expect([ended.run.state, ended.run.status_message?.reason], describeEnd(ended)).toEqual(['FAILED', 'agent_failed']);
    expect(ended.run.status_message?.message).toContain('refused to answer');
  });
});
