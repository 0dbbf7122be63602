/** The time limit for reporting a step's end: a deadline, and an early end when the runner wants the step to stop. */

/** `readMs` is the share for requests to a server. Documented in docs/action.md. */
export const reportTimes = Object.freeze({ wholeMs: 120_000, readMs: 60_000 });

/** Time for file writes in a canceled step. */
const hurriedWriteMs = 1000;

export type ReportTimes = Readonly<Record<keyof typeof reportTimes, number>>;

export interface ReportTime {
  /** For requests to a server. The reasons of all three signals are Errors with a sentence. */
  readonly reading: AbortSignal;
  /** For reports over the network. Aborts at once too. */
  readonly telling: AbortSignal;
  /** For local files. A canceled step still has a second for them. */
  readonly writing: AbortSignal;
  /** Must be called at the end, because it keeps the process alive. */
  end(): void;
}

/** Starts the clock. `stop` aborts when the runner wants the step to stop. */
export function startReportTime(stop: AbortSignal, { wholeMs, readMs }: ReportTimes = reportTimes): ReportTime {
  const [reading, telling, writing] = [new AbortController(), new AbortController(), new AbortController()];
  const timers: NodeJS.Timeout[] = [];
  const abortAfter = (ms: number, why: string, ...controllers: readonly AbortController[]) => {
    const abort = () => {
      for (const controller of controllers) controller.abort(new Error(why));
    };
    timers.push(setTimeout(abort, ms));
  };
  const over = (ms: number) => `the limit of ${ms / 1000} s for reporting was reached`;
  abortAfter(readMs, over(readMs), reading);
  abortAfter(wholeMs, over(wholeMs), telling, writing);
  const hurry = () => {
    for (const controller of [reading, telling]) controller.abort(new Error(stopping));
    abortAfter(hurriedWriteMs, stopping, writing);
  };
  stop.addEventListener('abort', hurry, { once: true });
  if (stop.aborted) hurry();
  return {
    reading: reading.signal,
    telling: telling.signal,
    writing: writing.signal,
    end() {
      stop.removeEventListener('abort', hurry);
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

const stopping = 'the step is being stopped';

/** Returns the work's value. Rejects with the signal's reason as soon as it aborts, even if the work continues. */
export async function waitWithin<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([work, over]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
