import type { Clock } from '../../base/clock.ts';
import { describeError } from '../error-text.ts';
import type { Log } from '../log.ts';
import type { Stop } from '../run-failure.ts';
import type { Claim, RunStore } from '../store/store.ts';

/** Longest delay after a lost wake-up. */
const lookMs = 5000;
/**
 * How long a lease may have lapsed before the worker stops the run by itself. Usually the store's upkeep requests the
 * cancellation first, but on a full disk it cannot write.
 */
const lapsedLeaseMs = 5000;
/** The run's own events wake the watch too, so this bounds how often it looks. */
const pauseMs = 100;

/**
 * Watches a claimed run while its program works. Calls `onStop` once when the run must be canceled, is over, or was
 * given to another worker. Returns a function that stops watching.
 */
export function watchClaim(
  { store, clock, log, claim }: { store: RunStore; clock: Clock; log: Log; claim: Claim },
  onStop: (stop: Stop) => void,
): () => void {
  const over = new AbortController();
  let wake = () => {};
  const stopListening = store.onChange(runId => {
    if (runId === claim.runId) wake();
  });
  over.signal.addEventListener('abort', stopListening, { once: true });

  let lapsedAtMs: number | undefined;
  const look = async (): Promise<Stop | undefined> => {
    const run = await store.readRun(claim.runId);
    if (run === undefined || run.state !== 'INPROGRESS' || run.attempt !== claim.attempt) return { kind: 'lost' };
    if (run.cancelRequestedAt !== undefined) return { kind: 'cancel', reason: run.cancelReason ?? 'cancelled' };
    const isLapsed = run.leaseExpiresAt !== undefined && run.leaseExpiresAt <= clock.now();
    lapsedAtMs = isLapsed ? (lapsedAtMs ?? clock.monotonicMs()) : undefined;
    if (lapsedAtMs === undefined || clock.monotonicMs() - lapsedAtMs < lapsedLeaseMs) return undefined;
    return { kind: 'cancel', reason: `its lease of ${run.leaseSeconds} s expired, so nobody is waiting for it` };
  };

  const watch = async () => {
    while (!over.signal.aborted) {
      // Renew the wake-up before the look, so none is lost during it.
      const { promise: woken, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      const stop = await look().catch(error => {
        log('warn', 'could not check on a run', { run: claim.runId, error: describeError(error) });
      });
      if (over.signal.aborted) return;
      if (stop !== undefined) {
        over.abort();
        onStop(stop);
        return;
      }
      const nap = new AbortController();
      await Promise.race([woken, clock.sleep(lookMs, AbortSignal.any([over.signal, nap.signal]))]).catch(() => {});
      nap.abort();
      await clock.sleep(pauseMs, over.signal).catch(() => {});
    }
  };
  void watch();
  return () => over.abort();
}
