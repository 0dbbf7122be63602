import type { RunStore } from '../../store/store.ts';

/** Waits for changes of runs with one listener on the store for all requests. */
export class RunWaiters {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #stopListening: () => void;

  constructor(store: Pick<RunStore, 'onChange'>) {
    this.#stopListening = store.onChange(runId => {
      for (const wake of this.#waiting.get(runId) ?? []) wake();
    });
  }

  /**
   * Listens at once, so that no change between a check and the wait is missed. `changed` resolves at the next change,
   * after `timeoutMs` or on abort. It never rejects. Call `stop` in the end.
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
