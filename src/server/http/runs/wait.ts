import type { Clock } from '../../../base/clock.ts';
import { headerNames } from '../../../contract/tables/headers.ts';
import { sizes } from '../../../contract/tables/sizes.ts';
import { isFinal } from '../../../contract/tables/state.ts';
import type { RunStore, StoredRun } from '../../store/store.ts';
import type { RunWaiters } from './run-waiters.ts';

/** A waiting request polls at this interval too, so a lost wake only costs time. */
const pollMs = 5000;

/** Seconds of `Prefer: wait=N` (RFC 7240), capped; undefined without it. */
export function readWaitSeconds(headers: Headers): number | undefined {
  const match = /(?:^|,)\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)/i.exec(headers.get(headerNames.prefer) ?? '');
  return match === null ? undefined : Math.min(Number(match[1]), sizes.waitSeconds);
}

interface Wait {
  readonly store: RunStore;
  readonly clock: Clock;
  readonly waiters: RunWaiters;
  readonly run: StoredRun;
  /** The caller. A waiting creator renews the run's lease. */
  readonly callerUid: string | undefined;
  readonly waitSeconds: number;
  readonly signal: AbortSignal;
  /** Whether the wait is over. Called again after every change. */
  readonly isReady: (run: StoredRun) => boolean | Promise<boolean>;
}

/** Holds a request until it is ready, its time is over or the signal aborts. Returns the run at that moment. */
export async function waitForRun({
  store,
  clock,
  waiters,
  run,
  callerUid,
  waitSeconds,
  signal,
  isReady,
}: Wait): Promise<StoredRun> {
  const endsAt = clock.monotonicMs() + waitSeconds * 1000;
  const listening = waiters.listen(run.runId);
  let latest = run;
  try {
    for (;;) {
      await holdLease({ store, clock, run: latest, callerUid });
      latest = (await store.readRun(run.runId)) ?? latest;
      const leftMs = endsAt - clock.monotonicMs();
      if ((await isReady(latest)) || leftMs <= 0 || signal.aborted) return latest;
      await listening.changed(Math.min(leftMs, pollMs, leaseThirdMs(latest)), signal);
    }
  } finally {
    listening.stop();
  }
}

/** Renews the lease for the run's creator each time a third of it has passed. */
async function holdLease({
  store,
  clock,
  run,
  callerUid,
}: Pick<Wait, 'store' | 'clock' | 'run' | 'callerUid'>): Promise<void> {
  if (run.leaseExpiresAt === undefined || run.creator.uid !== callerUid || isFinal(run.state)) return;
  const leftMs = run.leaseExpiresAt - clock.now();
  if (leftMs <= 2 * leaseThirdMs(run)) await store.renewLease(run.runId);
}

function leaseThirdMs(run: StoredRun): number {
  return run.leaseExpiresAt === undefined || run.leaseSeconds === undefined ? pollMs : (run.leaseSeconds * 1000) / 3;
}
