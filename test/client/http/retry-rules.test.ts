import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs } from '../../../src/base/network/retry.ts';
import { createApiError, UnexpectedResponseError } from '../../../src/client/errors/answer-errors.ts';
import { ApiKeyError, ConnectionError } from '../../../src/client/errors/errors.ts';
import {
  judgeFailure,
  longestServerDelayMs,
  retryBackoff,
  retryDelayMs,
  serverDelayMs,
  type Verdict,
} from '../../../src/client/http/retry-rules.ts';

function answer(status: number, headers: Record<string, string> = {}, body: object = {}) {
  return createApiError({ method: 'GET', path: '/x', status, headers: new Headers(headers), body });
}

const now = Date.UTC(2030, 0, 1);

test.each<[number, Verdict]>([
  [400, 'final'],
  [401, 'final'],
  [403, 'final'],
  [404, 'final'],
  [408, 'unknown'],
  [409, 'final'],
  [422, 'final'],
  [425, 'not-done'],
  [429, 'not-done'],
  [500, 'unknown'],
  [501, 'final'],
  [502, 'unknown'],
  [503, 'unknown'],
  [504, 'unknown'],
  [505, 'final'],
  [529, 'unknown'],
])('an answer %i is %s', (status, verdict) => {
  expect(judgeFailure(answer(status))).toBe(verdict);
});

test('every other status is final below 500 and unknown from 500', () => {
  const named = new Set([408, 425, 429, 501, 505]);
  for (let status = 400; status < 600; status += 1)
    if (!named.has(status))
      expect([status, judgeFailure(answer(status))]).toEqual([status, status < 500 ? 'final' : 'unknown']);
});

test('a key function that threw is retried, one that returned no key is not', () => {
  expect(judgeFailure(new ApiKeyError('', { retryable: true }))).toBe('not-done');
  expect(judgeFailure(new ApiKeyError('', { retryable: false }))).toBe('final');
});

test.each([
  [0, 0, 250],
  [0, 1, 500],
  [1, 0.5, 750],
  [3, 0, 2000],
  [30, 1, 8000],
])('retry %i with the random number %d comes %i ms later', (attempt, random, ms) => {
  expect(retryDelayMs(answer(503), attempt, now, () => random)).toBe(ms);
});

test('a 409 is retried only if the body says so', () => {
  expect(judgeFailure(answer(409, {}, { retryable: true }))).toBe('not-done');
  expect(judgeFailure(answer(409, {}, { retryable: false }))).toBe('final');
});

test('retryable: false overrides a transient status, and x-should-retry overrides both', () => {
  expect(judgeFailure(answer(500, {}, { retryable: false }))).toBe('final');
  expect(judgeFailure(answer(429, {}, { retryable: false }))).toBe('final');
  expect(judgeFailure(answer(503, { 'x-should-retry': 'false' }, { retryable: true }))).toBe('final');
  expect(judgeFailure(answer(500, { 'x-should-retry': 'true' }, { retryable: false }))).toBe('unknown');
  expect(judgeFailure(answer(400, { 'x-should-retry': 'true' }))).toBe('not-done');
});

test('an unsent request is not done, a reset is unknown, a bad certificate is final', () => {
  const fail = (fault: ConnectionError['fault'], neverLeft: boolean) =>
    judgeFailure(new ConnectionError('', { host: 'h', fault, neverLeft }));
  expect(fail('refused', true)).toBe('not-done');
  expect(fail('closed', false)).toBe('unknown');
  expect(fail('certificate', true)).toBe('final');
});

test('a truncated answer is unknown, any other unexpected one is final', () => {
  const facts = { method: 'GET', path: '/x', status: 200, headers: new Headers(), text: '', why: '' };
  expect(judgeFailure(new UnexpectedResponseError({ ...facts, cut: true }))).toBe('unknown');
  expect(judgeFailure(new UnexpectedResponseError(facts))).toBe('final');
});

test("the wait is at least 250 ms or the server's delay, and at most a minute", () => {
  const header = fc.oneof(
    fc.nat({ max: 10 ** 9 }).map(String),
    fc.string(),
    fc.date({ noInvalidDate: true }).map(date => date.toUTCString()),
    fc.double().map(String),
  );
  fc.assert(
    fc.property(
      fc.option(header),
      fc.option(header),
      fc.nat({ max: 50 }),
      fc.float({ min: 0, max: 1, noNaN: true }),
      (seconds, ms, attempt, random) => {
        const headers = new Headers();
        for (const [name, value] of [
          ['retry-after', seconds],
          ['retry-after-ms', ms],
        ] as const) {
          if (value !== null && /^[\x20-\x7e]*$/.test(value)) headers.set(name, value);
        }
        const error = createApiError({ method: 'GET', path: '/x', status: 503, headers, body: undefined });
        const told = serverDelayMs(error, now) ?? 0;
        const delay = retryDelayMs(error, attempt, now, () => random);
        expect(delay).toBeLessThanOrEqual(longestServerDelayMs);
        expect(delay).toBeGreaterThanOrEqual(
          told > 0 ? Math.min(told, longestServerDelayMs) : retryBackoff.baseDelayMs / 2,
        );
      },
    ),
  );
});

test('backoff is half to all of the doubled delay, up to its limit', () => {
  fc.assert(
    fc.property(fc.nat({ max: 2000 }), fc.float({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
      const full = Math.min(retryBackoff.baseDelayMs * 2 ** attempt, retryBackoff.maxDelayMs);
      const delay = backoffMs(attempt, retryBackoff, () => random);
      expect(delay).toBeGreaterThanOrEqual(full / 2);
      expect(delay).toBeLessThanOrEqual(full);
    }),
  );
});
