import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fullPageEvents, pageRestMs, restMs } from '../../../src/client/following/pace.ts';
import { sizes } from '../../../src/contract/tables/sizes.ts';

test('a long poll that waited is followed by the next at once', () => {
  const poll = { serverWaits: true, tookMs: 25_000, quietPolls: 3, newsPolls: 9 };
  expect(restMs({ ...poll, hasNews: false })).toBe(0);
  expect(restMs({ ...poll, hasNews: true })).toBe(0);
  expect(pageRestMs({ ...poll, news: 0 })).toBe(0);
});

test('the first changes of a run are read without a rest', () => {
  const poll = { serverWaits: true, hasNews: true, tookMs: 5, quietPolls: 0 };
  expect([1, 4, 5].map(newsPolls => restMs({ ...poll, newsPolls }))).toEqual([0, 0, 245]);
});

test('after the first changes, a client polls at most four times a second and rests at most 15 s', () => {
  const poll = fc.record({
    serverWaits: fc.boolean(),
    hasNews: fc.boolean(),
    tookMs: fc.nat({ max: 60_000 }),
    quietPolls: fc.nat({ max: 5_000 }),
    newsPolls: fc.integer({ min: 5, max: 5_000 }),
  });
  fc.assert(
    fc.property(poll, fc.float({ min: 0, max: 1, noNaN: true }), (outcome, random) => {
      const rest = restMs(outcome, () => random);
      expect(outcome.tookMs + rest).toBeGreaterThanOrEqual(250);
      expect(rest).toBeLessThanOrEqual(15_000);
    }),
  );
});

test("a full page is the largest page of this project's server", () => {
  expect(fullPageEvents).toBe(sizes.eventLimit);
});
