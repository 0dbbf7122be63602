import type { Clock } from '../../src/base/clock.ts';

/** A clock that moves only by hand. Sleeps end when it moves past them. */
export function createHandClock(startMs = Date.UTC(2030, 0, 1)): Clock & { advance(ms: number): void } {
  let now = startMs;
  const sleepers = new Set<() => void>();
  return {
    now: () => now,
    monotonicMs: () => now - startMs,
    sleep(ms, signal) {
      if (signal?.aborted === true) return Promise.reject(signal.reason);
      const until = now + ms;
      return new Promise((resolve, reject) => {
        const look = () => {
          if (now < until) return;
          sleepers.delete(look);
          resolve();
        };
        sleepers.add(look);
        signal?.addEventListener('abort', () => {
          sleepers.delete(look);
          reject(signal.reason);
        });
        look();
      });
    },
    advance(ms) {
      now += ms;
      for (const look of [...sleepers]) look();
    },
  };
}
