import { createDeferred } from './deferred.ts';

/**
 * The time, passed in wherever it affects a decision, so that tests can stop it. Works wherever `setTimeout` does.
 */
export interface Clock {
  /** Milliseconds since the epoch. Never compared with another machine's. */
  now(): number;
  /** Milliseconds of a clock that never jumps. Only differences have a meaning. */
  monotonicMs(): number;
  /** Resolves after `ms`. Rejects with the signal's reason if that aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The longest delay of a timer, about 24.8 days. Timers fire at once for longer ones. */
export const longestTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  async sleep(ms, signal) {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = createDeferred<void>();
    const stop = (): void => reject(signal?.reason);
    // Before the timer starts, because an invalid signal throws.
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
