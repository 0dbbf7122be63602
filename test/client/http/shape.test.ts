import { expect, test } from 'vitest';
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

test('a valid run is unchanged, with unknown members', () => {
  expect(parseRun({ ...run, news: [1] })).toEqual({ ...run, news: [1] });
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
])('%j is not a valid %s', (odd, name) => {
  expect(parseRun({ ...run, ...odd })).not.toHaveProperty(name);
});

test('a message keeps both codes, and drops values that are not codes', () => {
  const status = (status_message: unknown) => parseRun({ ...run, status_message }).status_message;
  const both = { message: 'm', error_code: 'internal_error', reason: 'stalled' };
  expect(status(both)).toEqual(both);
  expect(status({ message: 5, error_code: null, reason: 'stalled' })).toEqual({ message: '', reason: 'stalled' });
  expect(status({ message: 'm', reason: 7 })).toEqual({ message: 'm' });
});

test('one invalid artifact or skill does not remove the others', () => {
  const odd = {
    artifacts: [null, ...run.artifacts, { artifact_type: 'FILE', data: {} }],
    agent_config: { name: 3, skills: 'x' },
  };
  const checked = parseRun({ ...run, ...odd });
  expect([checked.artifacts, checked.agent_config]).toEqual([run.artifacts, {}]);
});
