import type { ActionHost } from '../host/host.ts';

/** Counted from the runner's first signal. The runner sends a second one after 7.5 s. */
const wholeMs = 4500;
/** Share of that time for a pending request. */
const lateMs = 2000;

export interface Cancellation {
  readonly signal: AbortSignal;
  /** Aborted later than `signal`, so that a pending create can still return its run and a cancel can arrive. */
  readonly lateSignal: AbortSignal;
  /** Milliseconds left, at least 1. */
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
