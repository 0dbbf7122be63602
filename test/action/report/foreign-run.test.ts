import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outputsOfRun } from '../../../src/action/report/outputs.ts';
import { resultOf } from '../../../src/action/report/result.ts';
import { printSummary } from '../../../src/action/report/summary/summary.ts';
import { decide } from '../../../src/action/verdict/verdict.ts';
import { parseRun } from '../../../src/client/http/shape.ts';

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

test('a run with any fields gets the verdict of its state and can be reported', () => {
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
      const checked = parseRun({ ...run, ...said, state: 'FAILED' });
      expect(decide({ kind: 'ended' }, checked, { requiresResult: true }).conclusion).toBe('failed');
      const outputs = outputsOfRun(checked, { usage: checked.request_usage, link: undefined });
      for (const value of Object.values(outputs)) expect(typeof value).toBe('string');
      const report = { conclusion: 'failed', sentence: 'x', run: checked, result: resultOf(checked) } as const;
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
