import type { RunStore } from '../../store/store.ts';

/** Who waits for which run to change: one listener on the store, however many requests wait. */
export class RunWaiters {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #stopListening: () => void;

  constructor(store: Pick<RunStore, 'onChange'>) {
    this.#stopListening = store.onChange(runId => {
      for (const wake of this.#waiting.get(runId) ?? []) wake();
    });
  }

  /**
   * Begins to listen at once, so that a change between a look and the wait is not missed. `changed` resolves at the next change, after `timeoutMs`, or when the signal
   * aborts; it never rejects. `stop` must be called in the end.
   */
  listen(runId: string): { changed(timeoutMs: number, signal: AbortSignal): Promise<void>; stop(): void } {
    let pending = false;
    let resolveWait: (() => void) | undefined;
    const wake = () => {
      pending = true;
      resolveWait?.();
    };
    const wakes = this.#waiting.get(runId) ?? new Set();
    this.#waiting.set(runId, wakes.add(wake));
    return {
      async changed(timeoutMs, signal) {
        if (!pending && !signal.aborted) {
          await new Promise<void>(resolve => {
            const done = () => {
              clearTimeout(timer);
              signal.removeEventListener('abort', done);
              resolve();
            };
            const timer = setTimeout(done, timeoutMs);
            resolveWait = done;
            signal.addEventListener('abort', done, { once: true });
          });
          resolveWait = undefined;
        }
        pending = false;
      },
      stop: () => {
        wakes.delete(wake);
        if (wakes.size === 0 && this.#waiting.get(runId) === wakes) this.#waiting.delete(runId);
      },
    };
  }

  close(): void {
    this.#stopListening();
  }
}
