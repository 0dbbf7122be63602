import { expect, test } from 'vitest';
import { describeDuration, endWithCode } from '../../../src/server/worker/run-ending.ts';

test('a duration is told in minutes and seconds, whatever of them there is', () => {
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

test('the state and whether another try is worth it come from the table of error codes', () => {
  expect(endWithCode('time_limit', 'text')).toMatchObject({ state: 'FAILED', statusMessage: { retryable: false } });
  expect(endWithCode('internal_error', 'text')).toMatchObject({ state: 'ERROR', statusMessage: { retryable: true } });
});
