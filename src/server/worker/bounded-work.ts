import type { Clock } from '../../base/clock.ts';
import type { RunContext } from './run-context.ts';

/**
 * Waits for a work no longer than `ms`, or than `spareMs` once the signal is aborted; undefined where it takes longer. The work goes on then, and nobody
 * hears of it any more.
 */
export async function waitWithin<T>(
  work: Promise<T>,
  {
    clock,
    ms,
    spareMs,
    signal,
  }: { readonly clock: Clock; readonly ms: number; readonly spareMs: number; readonly signal: AbortSignal },
): Promise<{ readonly made: T } | undefined> {
  const over = new AbortController();
  const sleepOn = (error: unknown) => {
    if (over.signal.aborted) throw error;
    return clock.sleep(spareMs, over.signal);
  };
  const late = clock
    .sleep(ms, AbortSignal.any([over.signal, signal]))
    .catch(sleepOn)
    .then(
      () => undefined,
      () => undefined,
    );
  try {
    return await Promise.race([work.then(made => ({ made })), late]);
  } finally {
    over.abort();
    await late;
  }
}

/** Waits for a step after the agent, but not forever, whatever the agent left there: then `instead` counts, and the log says so. */
export async function finishWithin<T>(
  { clock, after, signal, log, run, events }: RunContext,
  what: string,
  work: Promise<T>,
  instead: T,
): Promise<T> {
  const { patchMs, spareMs } = after;
  const done = await waitWithin(work, { clock, ms: patchMs + spareMs, spareMs, signal });
  if (done !== undefined) return done.made;
  log('error', 'a step after the agent does not end', { run: run.runId, what });
  await events.writeWarning(`${what} could not be found in time`);
  return instead;
}
