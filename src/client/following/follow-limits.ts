/**
 * The time limits of following. Durations start when this client saw a change, by the monotonic clock. Server times
 * are not used.
 */
import type { Run } from '../../contract/run.ts';
import type { FollowLimit } from '../errors/run-errors.ts';

export interface FollowLimitOptions {
  /**
   * Limit for all of following. When any limit is reached, the run is read once more, for at most 2 s. If it has not
   * ended, FollowTimeoutError is thrown. @default no limit
   */
  readonly timeoutMs?: number | undefined;
  /** Limit for waiting to start (QUEUED, PENDING, CLAIMED), from when it was first seen so. @default no limit */
  readonly queueTimeoutMs?: number | undefined;
  /** Limit for running, including BLOCKED, from when it was first seen so. @default no limit */
  readonly runTimeoutMs?: number | undefined;
  /** Limit for running without a new event or a new `updated_at`. BLOCKED does not count. @default no limit */
  readonly stallTimeoutMs?: number | undefined;
}

/** The next limit and the time left until it. */
interface Nearest {
  readonly limit: FollowLimit;
  readonly timeoutMs: number;
  readonly leftMs: number;
}

const waiting: ReadonlySet<string> = new Set(['QUEUED', 'PENDING', 'CLAIMED']);

/** Whether a run waits to start. Unknown states count as running. */
export function isWaiting(state: string): boolean {
  return waiting.has(state);
}

export const limitNames = ['timeoutMs', 'queueTimeoutMs', 'runTimeoutMs', 'stallTimeoutMs'] as const;

const none = Number.POSITIVE_INFINITY;

export class FollowLimits {
  readonly #options: FollowLimitOptions;
  readonly #beganMs: number;
  #state: string | undefined;
  #phaseBeganMs: number;
  #activity = '';
  #activeAtMs: number;
  #silentSinceMs: number | undefined;
  /** The last event that arrived outside a run. */
  #seq = 0;

  constructor(options: FollowLimitOptions, nowMs: number) {
    this.#options = options;
    this.#beganMs = nowMs;
    this.#phaseBeganMs = nowMs;
    this.#activeAtMs = nowMs;
  }

  /** Call this with every whole run that arrives. */
  noteRun(run: Run, nowMs: number): void {
    if (this.#state === undefined || isWaiting(this.#state) !== isWaiting(run.state)) this.#phaseBeganMs = nowMs;
    this.#state = run.state;
    const activity = JSON.stringify([run.state, run.attempt, run.updated_at, run.last_seq]);
    // Events that arrived before the run reported them already counted as activity.
    const isKnown = this.#seq > 0 && run.last_seq != null && run.last_seq <= this.#seq;
    if (activity !== this.#activity && !isKnown) this.#activeAtMs = nowMs;
    this.#activity = activity;
  }

  noteEvent(seq: number, nowMs: number): void {
    this.#seq = seq;
    this.noteAnswer(nowMs);
    this.#activeAtMs = nowMs;
  }

  /**
   * A look that began at `sinceMs` failed. Time without a server does not count as a stall, because the run may be
   * active.
   */
  noteSilence(sinceMs: number): void {
    this.#silentSinceMs ??= sinceMs;
  }

  noteAnswer(nowMs: number): void {
    this.#activeAtMs += this.#silenceMs(nowMs);
    this.#silentSinceMs = undefined;
  }

  #silenceMs(nowMs: number): number {
    return this.#silentSinceMs === undefined ? 0 : nowMs - this.#silentSinceMs;
  }

  nearest(nowMs: number): Nearest {
    const { timeoutMs, queueTimeoutMs, runTimeoutMs } = this.#options;
    const state = this.#state;
    const isQueued = state === undefined || isWaiting(state);
    const make = (limit: FollowLimit, ms: number | undefined, sinceMs: number): Nearest => ({
      limit,
      timeoutMs: ms ?? none,
      leftMs: (ms ?? none) - (nowMs - sinceMs),
    });
    return [
      isQueued ? make('queue', queueTimeoutMs, this.#phaseBeganMs) : make('run', runTimeoutMs, this.#phaseBeganMs),
      make('stall', this.#mayStall() ? this.#options.stallTimeoutMs : none, this.#activeAtMs + this.#silenceMs(nowMs)),
      make('total', timeoutMs, this.#beganMs),
    ].reduce((first, other) => (other.leftMs < first.leftMs ? other : first));
  }

  /**
   * How long answers without a whole run are enough, in ms. Log lines change `updated_at`, but not the version that a
   * long poll waits for.
   */
  get longestWithoutRunMs(): number {
    return this.#mayStall() ? (this.#options.stallTimeoutMs ?? none) / 4 : none;
  }

  #mayStall(): boolean {
    return this.#state !== undefined && !isWaiting(this.#state) && this.#state !== 'BLOCKED';
  }
}
