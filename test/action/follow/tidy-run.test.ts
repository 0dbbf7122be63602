import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tidyRun } from '../../../src/action/follow/tidy-run.ts';
import { outputsOfRun } from '../../../src/action/report/outputs.ts';
import { resultOf } from '../../../src/action/report/result.ts';
import { printSummary } from '../../../src/action/report/summary/summary.ts';
import { decide } from '../../../src/action/verdict/verdict.ts';
import type { Run } from '../../../src/client/index.ts';

const run = {
  run_id: 'r',
  task_id: 'r',
  state: 'SUCCEEDED',
  title: 't',
  prompt: 'p',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:01.000Z',
  started_at: null,
  result: { text: 'done', truncated: false, structured: { a: 1 } },
  agent_config: { name: 'n', skills: ['octo-org/shop:a'], harness: { type: 'script' } },
  artifacts: [{ artifact_type: 'PULL_REQUEST', created_at: 'x', data: { url: 'https://example.com/1', branch: 'b' } }],
};

test('a run as it should be stays as it is, with members that nobody knows', () => {
  expect(tidyRun({ ...run, news: [1] } as unknown as Run)).toEqual({ ...run, news: [1] });
});

test.each([
  [{ result: { text: 5 } }, 'result'],
  [{ result: null }, 'result'],
  [{ result: { text: 'x', truncated: true, left_out_bytes: -1 } }, 'result.left_out_bytes'],
  [{ status_message: { message: null, error_code: null } }, 'status_message'],
  [{ status_message: 'all well' }, 'status_message'],
  [{ agent_config: null }, 'agent_config'],
  [{ artifacts: 'none' }, 'artifacts'],
  [{ request_usage: [] }, 'request_usage'],
])('%j is no %s', (odd, name) => {
  expect(tidyRun({ ...run, ...odd } as unknown as Run)).not.toHaveProperty(name);
});

test('both codes of a status are kept, and what is no code is not', () => {
  const status = (status_message: unknown) => tidyRun({ ...run, status_message } as unknown as Run).status_message;
  const both = { message: 'm', error_code: 'internal_error', reason: 'stalled' };
  expect(status(both)).toEqual(both);
  expect(status({ message: 5, error_code: null, reason: 'stalled' })).toEqual({ message: '', reason: 'stalled' });
  expect(status({ message: 'm', reason: 7 })).toEqual({ message: 'm' });
});

test('one odd artifact or skill takes none of the others with it', () => {
  const odd = { artifacts: [null, ...run.artifacts, { artifact_type: 7 }], agent_config: { name: 3, skills: 'x' } };
  const tidy = tidyRun({ ...run, ...odd } as unknown as Run);
  expect([tidy.artifacts, tidy.agent_config]).toEqual([run.artifacts, {}]);
});

test('whatever a service says of a run, its verdict is that of its state and it can be reported', () => {
  const odd = fc.dictionary(
    fc.constantFrom(
      ...Object.keys(run),
      'status_message',
      'request_usage',
      'session_link',
      'finished_at',
      'agent_skill',
    ),
    fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constant({ message: { toString: null }, text: 5, url: 7, data: null })),
  );
  fc.assert(
    fc.property(odd, said => {
      const tidy = tidyRun({ ...run, ...said, state: 'FAILED' } as unknown as Run);
      expect(decide({ kind: 'ended' }, tidy, { requiresResult: true }).conclusion).toBe('failed');
      const outputs = outputsOfRun(tidy, { usage: tidy.request_usage, link: undefined });
      for (const value of Object.values(outputs)) expect(typeof value).toBe('string');
      const report = { conclusion: 'failed', sentence: 'x', run: tidy, result: resultOf(tidy) } as const;
      printSummary(
        {
          ...report,
          known: undefined,
          durationSeconds: 1,
          lastLines: [],
          states: [],
          usage: {},
        },
        text => text,
      );
    }),
    { numRuns: 500 },
  );
});
