import type { Clock } from '../../../base/clock.ts';
import { isFinal } from '../../../contract/tables/state.ts';
import type { RunStore, StoredRun } from '../../store/store.ts';

/** A wait that begins or ends reads the run again if the last read is older. So a lost wake costs at most one wait. */
const trustMs = 5000;

interface Wait {
  /** The run as the caller knows it. */
  readonly run: StoredRun;
  /** A waiting creator renews the run's lease. */
  readonly callerUid: string | undefined;
  readonly waitMs: number;
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
  /** Whether the wait is over. Called again after every change. */
  readonly isReady: (run: StoredRun) => boolean;
}

interface WaiterParts {
  readonly store: Pick<RunStore, 'onChange' | 'readRun' | 'renewLease'>;
  readonly clock: Clock;
  /** Its abort ends all waits. */
  readonly stopping: AbortSignal;
}

/**
 * Requests that wait for changes of runs. A changed run is read once for all that wait for it, and they get the same
 * object. While nothing changes, a wait costs a timer, of which Node keeps one for all of the same length.
 */
export class RunWaiters {
  readonly #parts: WaiterParts;
  readonly #watched = new Map<string, WatchedRun>();
  readonly #stopListening: () => void;

  constructor(parts: WaiterParts) {
    this.#parts = parts;
    this.#stopListening = parts.store.onChange(runId => this.#watched.get(runId)?.lookAgain());
    parts.stopping.addEventListener('abort', this.#endAll);
  }

  /** Resolves with the run once it is ready, its time is over, the client has left or the server stops. */
  wait(wait: Wait): Promise<StoredRun> {
    const { runId } = wait.run;
    let watched = this.#watched.get(runId);
    if (watched === undefined) {
      watched = new WatchedRun(this.#parts, wait.run, () => this.#watched.delete(runId));
      this.#watched.set(runId, watched);
    }
    return watched.add(wait);
  }

  close(): void {
    this.#stopListening();
    this.#parts.stopping.removeEventListener('abort', this.#endAll);
  }

  readonly #endAll = (): void => {
    for (const watched of this.#watched.values()) watched.endAll();
  };
}

interface Waiter {
  readonly isReady: Wait['isReady'];
  /** It is the run's creator. */
  readonly holdsLease: boolean;
  /** Its time is over. It gets what is read next. */
  isOver: boolean;
  readonly settle: (run: StoredRun) => void;
  readonly fail: (error: unknown) => void;
}

/** A run that at least one request waits for. */
class WatchedRun {
  readonly #parts: WaiterParts;
  readonly #onUnwatched: () => void;
  readonly #waiters = new Set<Waiter>();
  #latest: StoredRun;
  #readAtMs = -Infinity;
  /** Something has changed since the last read began. */
  #isStale = false;
  #isLooking = false;
  #leaseTimer: NodeJS.Timeout | undefined;
  #isRenewing = false;

  constructor(parts: WaiterParts, run: StoredRun, onUnwatched: () => void) {
    this.#parts = parts;
    this.#latest = run;
    this.#onUnwatched = onUnwatched;
  }

  add({ run, callerUid, waitMs, signal, isReady }: Wait): Promise<StoredRun> {
    // The caller may have read a commit of which nobody was told yet.
    if (isNewer(run, this.#latest)) this.#latest = run;
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
        this.#waiters.delete(waiter);
        if (this.#waiters.size === 0) this.#stop();
      };
      const waiter: Waiter = {
        isReady,
        holdsLease: callerUid === run.creator.uid,
        isOver: waitMs <= 0 || signal.aborted || this.#parts.stopping.aborted,
        settle: latest => {
          end();
          resolve(latest);
        },
        fail: error => {
          end();
          reject(error);
        },
      };
      const leave = () => waiter.settle(this.#latest);
      const timer = setTimeout(() => {
        waiter.isOver = true;
        this.#check();
      }, waitMs);
      signal.addEventListener('abort', leave, { once: true });
      this.#waiters.add(waiter);
      this.#check();
    });
  }

  lookAgain(): void {
    this.#isStale = true;
    void this.#look();
  }

  endAll(): void {
    for (const waiter of this.#waiters) waiter.isOver = true;
    this.lookAgain();
  }

  /** Settles with what is known, or reads again if that may be old. A read in progress settles at its end. */
  #check(): void {
    if (this.#isLooking) return;
    if (this.#parts.clock.monotonicMs() - this.#readAtMs > trustMs) void this.#look();
    else this.#settle();
  }

  /** Never rejects. The waiters get its error. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      do {
        this.#isStale = false;
        const read = await this.#parts.store.readRun(this.#latest.runId);
        if (read !== undefined && !isNewer(this.#latest, read)) this.#latest = read;
        this.#readAtMs = this.#parts.clock.monotonicMs();
        this.#settle();
      } while (this.#isStale && this.#waiters.size > 0);
    } catch (error) {
      this.#fail(error, this.#waiters);
    } finally {
      this.#isLooking = false;
    }
  }

  #settle(): void {
    this.#holdLease();
    // The next read follows at once, and a stopping server answers with the last state.
    for (const waiter of this.#waiters)
      if ((waiter.isOver && !this.#isStale) || waiter.isReady(this.#latest)) waiter.settle(this.#latest);
  }

  /** Renews the lease for the run's creator each time a third of it has passed. */
  #holdLease(): void {
    clearTimeout(this.#leaseTimer);
    const { runId, state, leaseExpiresAt, leaseSeconds, cancelRequestedAt } = this.#latest;
    if (this.#isRenewing || isFinal(state) || cancelRequestedAt !== undefined) return;
    if (leaseExpiresAt === undefined || leaseSeconds === undefined) return;
    if (![...this.#waiters].some(({ holdsLease }) => holdsLease)) return;
    const dueMs = leaseExpiresAt - this.#parts.clock.now() - (leaseSeconds * 2000) / 3;
    if (dueMs > 0) this.#leaseTimer = setTimeout(() => this.#check(), dueMs);
    else void this.#renewLease(runId);
  }

  /** Never rejects. A new lease is a change, so the run is read again. */
  async #renewLease(runId: string): Promise<void> {
    this.#isRenewing = true;
    const renewed = await this.#parts.store.renewLease(runId).catch((error: unknown) => {
      // Others only watch.
      this.#fail(
        error,
        [...this.#waiters].filter(({ holdsLease }) => holdsLease),
      );
    });
    this.#isRenewing = false;
    if (renewed !== undefined) this.#check();
  }

  #fail(error: unknown, waiters: Iterable<Waiter>): void {
    for (const waiter of waiters) waiter.fail(error);
  }

  #stop(): void {
    clearTimeout(this.#leaseTimer);
    this.#onUnwatched();
  }
}

/** The log grows without a new version, so its length counts too. */
function isNewer(run: StoredRun, other: StoredRun): boolean {
  return run.version > other.version || run.lastSeq > other.lastSeq;
}
