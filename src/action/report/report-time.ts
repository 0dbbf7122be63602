/** The time that the telling of a step's end may take: one deadline, and an end of it as soon as the runner wants the step to stop. */

/** In milliseconds. `readMs` is the part of the whole in which a server is asked; the rest is left for what is told with that. docs/action.md says so. */
export const reportTimes = Object.freeze({ wholeMs: 120_000, readMs: 60_000 });

/** What a disk may take of the time of a step that is being stopped. */
const hurriedWriteMs = 1000;

export type ReportTimes = Readonly<Record<keyof typeof reportTimes, number>>;

export interface ReportTime {
  /** For what is asked of a server; it ends at once when the step is to stop. The reasons of all three are Errors with a sentence. */
  readonly reading: AbortSignal;
  /** For what is told over the network; it ends at once as well. */
  readonly telling: AbortSignal;
  /** For files of this machine, which a step that is being stopped still has a second for. */
  readonly writing: AbortSignal;
  /** To be called in the end, for it keeps the process alive. */
  end(): void;
}

/** Begins now. `stop`: that the runner wants the step to stop. */
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

/** What the work gives; rejects with the signal's reason as soon as that is aborted, whatever becomes of the work. */
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
