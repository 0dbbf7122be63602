import { type Clock, longestTimerMs } from '../../base/clock.ts';
import { describeError } from '../error-text.ts';
import type { Log } from '../log.ts';
import type { RunEnding, RunStore, StoredRun } from '../store/store.ts';

/** Gives queued runs to workers in this process. Also cancels runs with expired leases. */
interface LocalDispatcher {
  /** Number of runs in progress. */
  readonly runsInHand: number;
  start(): void;
  /**
   * Claims no more runs, waits `drainMs` for those in progress, then stops them. Resolves when none is left. A second
   * call with less time shortens the wait.
   */
  stop(drainMs: number): Promise<void>;
}

interface DispatcherParts {
  readonly store: RunStore;
  /** Completes one claimed run or puts it back (QUEUED). The signal aborts when the server stops. Never rejects. */
  readonly work: (run: StoredRun, stopping: AbortSignal) => Promise<RunEnding['state'] | undefined>;
  readonly concurrency: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** The most that a lost wake can cost. */
const napMs = 5000;
const leaseLookMs = 500;
/** Pauses after a run was put back for a shortage. Doubled each time up to the second value. */
const pauseMs = [1000, 30_000] as const;
/** A longer gap between two lease checks, or between two clocks, means that time jumped. */
const jumpMs = 5000;

export function createLocalDispatcher(parts: DispatcherParts): LocalDispatcher {
  return new Dispatcher(parts);
}

class Dispatcher implements LocalDispatcher {
  readonly #parts: DispatcherParts;
  readonly #inHand = new Map<string, Promise<void>>();
  readonly #noMoreClaims = new AbortController();
  readonly #stopRuns = new AbortController();
  #nap = new AbortController();
  #pause = { ms: 0, untilMs: 0 };
  #claiming: Promise<void> | undefined;
  #leases: Promise<void> | undefined;
  #stopListening = () => {};

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  get runsInHand(): number {
    return this.#inHand.size;
  }

  start(): void {
    this.#stopListening = this.#parts.store.onChange(runId => {
      // Writes of our own workers free no slot and queue no run.
      if (!this.#inHand.has(runId)) this.#wake();
    });
    this.#claiming = this.#claimLoop();
    this.#leases = this.#leaseLoop();
  }

  async stop(drainMs: number): Promise<void> {
    this.#noMoreClaims.abort();
    this.#wake();
    const timer = setTimeout(() => this.#stopRuns.abort(), Math.min(drainMs, longestTimerMs));
    await this.#claiming;
    await Promise.all(this.#inHand.values());
    clearTimeout(timer);
    await this.#leases;
    this.#stopListening();
  }

  async #claimLoop(): Promise<void> {
    while (!this.#noMoreClaims.signal.aborted) {
      // The nap begins before the claim, so that a wake during the claim is not lost.
      this.#nap = new AbortController();
      try {
        if (await this.#claimOne()) continue;
      } catch (error) {
        this.#parts.log('error', 'could not claim a run', { error: describeError(error) });
      }
      const leftMs = this.#pause.untilMs - this.#parts.clock.monotonicMs();
      await this.#sleep(
        leftMs > 0 ? Math.min(leftMs, napMs) : napMs,
        AbortSignal.any([this.#nap.signal, this.#noMoreClaims.signal]),
      );
    }
  }

  async #claimOne(): Promise<boolean> {
    const { store, work, concurrency, clock } = this.#parts;
    if (this.#inHand.size >= concurrency || clock.monotonicMs() < this.#pause.untilMs) return false;
    const run = await store.claimRun();
    if (run === undefined) return false;
    const working = work(run, this.#stopRuns.signal).then(state => {
      this.#notePause(state === 'QUEUED');
      this.#inHand.delete(run.runId);
      this.#wake();
    });
    this.#inHand.set(run.runId, working);
    return true;
  }

  #notePause(isShort: boolean): void {
    const nowMs = this.#parts.clock.monotonicMs();
    if (!isShort) this.#pause = { ms: 0, untilMs: 0 };
    // Several runs that are put back together count once.
    else if (nowMs >= this.#pause.untilMs) {
      const ms = Math.min(Math.max(this.#pause.ms * 2, pauseMs[0]), pauseMs[1]);
      this.#pause = { ms, untilMs: nowMs + ms };
    }
  }

  async #leaseLoop(): Promise<void> {
    const { store, clock, log } = this.#parts;
    let wallMs = clock.now();
    let steadyMs = clock.monotonicMs();
    let hasFailed = false;
    // Leases expire as long as runs are in progress, even while the server drains.
    while (!this.#noMoreClaims.signal.aborted || this.#inHand.size > 0) {
      await this.#sleep(leaseLookMs, this.#noMoreClaims.signal.aborted ? undefined : this.#noMoreClaims.signal);
      const wallPassedMs = clock.now() - wallMs;
      const steadyPassedMs = clock.monotonicMs() - steadyMs;
      wallMs += wallPassedMs;
      steadyMs += steadyPassedMs;
      // The clock was set or the machine slept. No caller could renew its lease in that time.
      const isUntrue = Math.abs(wallPassedMs - steadyPassedMs) > jumpMs || steadyPassedMs > jumpMs;
      try {
        if (isUntrue) {
          log('warn', 'the clock jumped or the server was suspended; every lease starts over', {
            ms: Math.round(wallPassedMs),
          });
          await store.restartLeases();
        }
        for (const runId of await store.cancelLapsedLeases())
          log('warn', 'lease expired, canceling the run', { run: runId });
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) log('error', 'could not check for expired leases', { error: describeError(error) });
        hasFailed = true;
      }
    }
  }

  #wake(): void {
    this.#nap.abort();
  }

  async #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await this.#parts.clock.sleep(ms, signal).catch(() => {});
  }
}
