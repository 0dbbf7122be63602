import type { ActionHost } from '../host/host.ts';

/** From the runner's first signal on; it waits 7.5 s before it insists. */
const wholeMs = 4500;
/** What a request that is under way may take of it. */
const lateMs = 2000;

/** That the runner wants the step to stop, and how much time is left for that. */
export interface Cancellation {
  /** Aborted at the runner's signal. */
  readonly signal: AbortSignal;
  /** Aborted some time later: a create that is under way may still say which run it started, and a cancel be heard. */
  readonly lateSignal: AbortSignal;
  /** What is left, in milliseconds; at least one. */
  leftMs(): number;
  stopListening(): void;
}

export function listenForCancel(host: ActionHost): Cancellation {
  const cancel = new AbortController();
  const late = new AbortController();
  let endsAt = Number.POSITIVE_INFINITY;
  const stopListening = host.onCancel(() => {
    endsAt = performance.now() + wholeMs;
    setTimeout(() => late.abort(), lateMs).unref();
    cancel.abort();
  });
  return {
    signal: cancel.signal,
    lateSignal: late.signal,
    leftMs: () => Math.max(1, endsAt - performance.now()),
    stopListening,
  };
}
