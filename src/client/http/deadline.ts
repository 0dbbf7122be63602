import { type Clock, longestTimerMs } from '../../base/clock.ts';
import { createDeferred } from '../../base/deferred.ts';
import { AbortedError } from '../errors/errors.ts';

interface Bounds {
  readonly ms: number;
  readonly signal: AbortSignal | undefined;
  /** The error to throw after `ms`. */
  readonly onTimeout: () => Error;
}

/**
 * Runs `work` with a signal that aborts with the caller's or after `ms`, and stops waiting then even if `work`
 * ignores it. The timer is the system's, because a test clock cannot stop a socket. Throws AbortedError, or the error
 * from `onTimeout`.
 */
export async function withDeadline<T>(bounds: Bounds, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  throwIfAborted(bounds.signal);
  const controller = new AbortController();
  const stopped = createDeferred<never>();
  // Prevents an unhandled rejection if `work` throws at once.
  stopped.promise.catch(() => {});
  const stop = (makeReason: () => unknown): void => {
    let reason: unknown;
    try {
      reason = makeReason();
    } catch (thrown) {
      reason = thrown;
    }
    stopped.reject(reason);
    controller.abort(reason);
  };
  const onAbort = (): void => stop(() => new AbortedError(bounds.signal?.reason));
  // Before the timer starts, because an invalid signal throws.
  bounds.signal?.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(stop, Math.min(bounds.ms, longestTimerMs), bounds.onTimeout);
  try {
    return await Promise.race([work(controller.signal), stopped.promise]);
  } finally {
    clearTimeout(timer);
    bounds.signal?.removeEventListener('abort', onAbort);
  }
}

/** Waits by the client's clock. Throws AbortedError if the signal aborts first. */
export async function pause(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  throwIfAborted(signal);
  if (ms <= 0) return;
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  }
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AbortedError(signal.reason);
}
