import type { Clock } from '../../base/clock.ts';
import type { Log } from '../log.ts';
import type { Claim, RunStore } from '../store/store.ts';
import type { Stop } from './run-ending.ts';

/** A lost wake costs this much at most. */
const lookMs = 5000;
/** The run's own events wake the watch too; it looks no more often than this. */
const pauseMs = 100;

/**
 * Looks after a claimed run while its program works: calls `onStop` once when the run is to be cancelled, is over, or was given to another
 * worker. Returns how to stop watching.
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

  const watch = async () => {
    while (!over.signal.aborted) {
      // The wake is renewed before the look, so that none is lost during it.
      const { promise: woken, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      const stop = await look(store, claim).catch(error => {
        log('warn', 'looking after a run failed', { run: claim.runId, error: String(error) });
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

async function look(store: RunStore, { runId, attempt }: Claim): Promise<Stop | undefined> {
  const run = await store.readRun(runId);
  if (run === undefined || run.state !== 'INPROGRESS' || run.attempt !== attempt) return { kind: 'lost' };
  if (run.cancelRequestedAt === undefined) return undefined;
  return { kind: 'cancel', reason: run.cancelReason ?? 'cancelled' };
}
