import { expect, test } from 'vitest';
import { waitWithin } from '../../../src/server/worker/bounded-work.ts';
import { createHandClock } from '../../support/hand-clock.ts';

const never = new Promise<string>(() => {});

function openBounds() {
  const clock = createHandClock();
  const control = new AbortController();
  return { clock, control, bounds: { clock, ms: 1000, spareMs: 100, signal: control.signal } };
}

/** Whether a promise has settled. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.then(
    () => (settled = true),
    () => (settled = true),
  );
  await new Promise(resolve => setImmediate(resolve));
  return settled;
}

test('a value in time is returned, and an error in time is thrown', async () => {
  const { bounds } = openBounds();
  expect(await waitWithin(Promise.resolve('x'), bounds)).toEqual({ made: 'x' });
  await expect(waitWithin(Promise.reject(new Error('no')), bounds)).rejects.toThrow('no');
});

test('a promise that never settles is waited for up to the limit', async () => {
  const { clock, bounds } = openBounds();
  const waiting = waitWithin(never, bounds);
  clock.advance(999);
  expect(await isSettled(waiting)).toBe(false);
  clock.advance(1);
  expect(await waiting).toBeUndefined();
});

test('after a cancel, now or before, only the spare time is left', async () => {
  const { clock, control, bounds } = openBounds();
  const waiting = waitWithin(never, bounds);
  control.abort();
  expect(await isSettled(waiting)).toBe(false);
  clock.advance(100);
  expect(await waiting).toBeUndefined();
  const late = waitWithin(never, { ...bounds, clock });
  expect(await isSettled(late)).toBe(false);
  clock.advance(100);
  expect(await late).toBeUndefined();
});
