import { createDeferred } from './deferred.ts';

/** The time, passed in wherever it decides something, so that a test can hold it. Works wherever `setTimeout` does. */
export interface Clock {
  /** Milliseconds since the epoch. Never compared with another machine's. */
  now(): number;
  /** Milliseconds of a clock that never jumps; only differences mean something. */
  monotonicMs(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A timer cannot hold more and fires at once instead: about 24.8 days. */
export const longestTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  async sleep(ms, signal) {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = createDeferred<void>();
    const stop = (): void => reject(signal?.reason);
    // Before the timer, for a signal that is none throws.
    signal?.addEventListener('abort', stop, { once: true });
    const timer = setTimeout(resolve, Math.min(ms, longestTimerMs));
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  },
};
