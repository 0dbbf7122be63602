import type { Clock } from '../../src/base/clock.ts';

/** A clock whose sleeps end at once and advance it. `slept` has the sleeps in order, in ms. */
export function createSkippingClock(): Clock & { readonly slept: readonly number[] } {
  const slept: number[] = [];
  let passedMs = 0;
  const startMs = Date.UTC(2030, 0, 1);
  return {
    slept,
    now: () => startMs + passedMs,
    monotonicMs: () => passedMs,
    async sleep(ms, signal) {
      slept.push(ms);
      await new Promise(resolve => setImmediate(resolve));
      signal?.throwIfAborted();
      passedMs += ms;
    },
  };
}
