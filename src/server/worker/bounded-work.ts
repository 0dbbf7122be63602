import type { Clock } from '../../base/clock.ts';
import type { RunContext } from './run-context.ts';

/**
 * Waits for a promise at most `ms`, or `spareMs` after the signal aborts. Returns undefined if it takes longer: the
 * work continues, but nobody waits for its result.
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

/** Bounds a step after the agent. If the step takes too long, logs that and returns `instead`. */
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
