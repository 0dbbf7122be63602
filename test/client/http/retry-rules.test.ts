import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs } from '../../../src/base/network/retry.ts';
import { createApiError } from '../../../src/client/errors/answer-errors.ts';
import {
  judgeFailure,
  longestServerDelayMs,
  retryBackoff,
  retryDelayMs,
  serverDelayMs,
} from '../../../src/client/http/retry-rules.ts';

function answer(status: number, headers: Record<string, string> = {}, body: object = {}) {
  return createApiError({ method: 'GET', path: '/x', status, headers: new Headers(headers), body });
}

const now = Date.UTC(2030, 0, 1);

test('every other status is final below 500 and unknown from 500', () => {
  const named = new Set([408, 425, 429, 501, 505]);
  for (let status = 400; status < 600; status += 1)
    if (!named.has(status))
      expect([status, judgeFailure(answer(status))]).toEqual([status, status < 500 ? 'final' : 'unknown']);
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
