import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';

test('a sleep rejects with the reason of a signal that aborts before or during it', async () => {
  const reason = new Error('enough');
  await expect(systemClock.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
  const controller = new AbortController();
  const sleeping = systemClock.sleep(60_000, controller.signal);
  controller.abort(reason);
  await expect(sleeping).rejects.toBe(reason);
});

test('a sleep longer than a timer can hold does not end at once', async () => {
  const controller = new AbortController();
  const sleeping = systemClock.sleep(Number.POSITIVE_INFINITY, controller.signal);
  const first = await Promise.race([sleeping.then(() => 'slept'), systemClock.sleep(20).then(() => 'still asleep')]);
  controller.abort();
  await expect(sleeping).rejects.toThrow();
  expect(first).toBe('still asleep');
});
