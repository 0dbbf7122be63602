import { expect, test } from 'vitest';
import { endWithCode } from '../../../src/server/run-failure.ts';
import { describeDuration, endByStop } from '../../../src/server/worker/run-ending.ts';

test('a duration is printed in minutes and seconds, without zero parts', () => {
  expect([3_600_000, 60_000, 90_000, 1000, 500, 61_500, 1].map(describeDuration)).toEqual([
    '60 minutes',
    '1 minute',
    '1 minute 30 seconds',
    '1 second',
    '0.5 seconds',
    '1 minute 1.5 seconds',
    '0.1 seconds',
  ]);
});

test('the state and whether a retry helps come from the table of error codes', () => {
  expect(endWithCode('time_limit', 'text')).toMatchObject({ state: 'FAILED', statusMessage: { retryable: false } });
  expect(endWithCode('internal_error', 'text')).toMatchObject({ state: 'ERROR', statusMessage: { retryable: true } });
});

test('only a shortage before the agent has begun puts a run back', () => {
  const endBy = (error: Error, hasBegun: boolean) =>
    endByStop({ kind: 'fault', error }, { runId: 'r', log: () => {}, hasBegun })?.state;
  const shortage = Object.assign(new Error('spawn git EMFILE'), { code: 'EMFILE' });
  const wrapped = new Error('no namespace', { cause: new Error('x', { cause: shortage }) });
  expect([endBy(shortage, false), endBy(wrapped, false)]).toEqual(['QUEUED', 'QUEUED']);
  expect([endBy(shortage, true), endBy(new Error('x'), false)]).toEqual(['ERROR', 'ERROR']);
});
