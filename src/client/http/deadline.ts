import { type Clock, longestTimerMs } from '../../base/clock.ts';
import { createDeferred } from '../../base/deferred.ts';
import { AbortedError } from '../errors/errors.ts';

interface Bounds {
  readonly ms: number;
  readonly signal: AbortSignal | undefined;
  /** The error when `ms` have passed. */
  readonly onTimeout: () => Error;
}

/**
 * Lends `work` a signal that aborts with the caller's or after `ms`, and waits no longer than that even for work that ignores it. The timer
 * is the machine's own: it bounds what a socket does, which no held clock can hold. Throws AbortedError, or what `onTimeout` makes.
 */
export async function withDeadline<T>(bounds: Bounds, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  throwIfAborted(bounds.signal);
  const controller = new AbortController();
  const stopped = createDeferred<never>();
  // Work that throws at once leaves nobody to wait for it.
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
  // Before the timer, for a signal that is none throws.
  bounds.signal?.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(stop, Math.min(bounds.ms, longestTimerMs), bounds.onTimeout);
  try {
    return await Promise.race([work(controller.signal), stopped.promise]);
  } finally {
    clearTimeout(timer);
    bounds.signal?.removeEventListener('abort', onAbort);
  }
}

/** Waits by the client's clock. Throws AbortedError when the signal aborts first. */
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
