/**
 * The time-outs of following, by the monotonic clock alone: durations begin with what was seen here, never with a time that the server says.
 */
import type { Run } from '../../contract/run.ts';
import type { FollowLimit } from '../errors/run-errors.ts';

export interface FollowLimitOptions {
  /** Limit for all of following. When any limit is reached, the run is read once more, for at most 2 s; if it has not ended, FollowTimeoutError is thrown. @default no limit */
  readonly timeoutMs?: number | undefined;
  /** Limit for waiting to start (QUEUED, PENDING, CLAIMED), from when it was first seen so. @default no limit */
  readonly queueTimeoutMs?: number | undefined;
  /** Limit for running, including BLOCKED, from when it was first seen so. @default no limit */
  readonly runTimeoutMs?: number | undefined;
  /** Limit for running without a new event or a new `updated_at`. BLOCKED does not count. @default no limit */
  readonly stallTimeoutMs?: number | undefined;
}

/** The limit that comes first, and what is left of it. */
interface Nearest {
  readonly limit: FollowLimit;
  readonly timeoutMs: number;
  readonly leftMs: number;
}

const waiting: ReadonlySet<string> = new Set(['QUEUED', 'PENDING', 'CLAIMED']);

/** Whether a run waits for a place. A state that is not known here is taken as at work. */
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
  #life = '';
  #lifeMs: number;
  #silentSinceMs: number | undefined;
  /** The last event that came by itself. */
  #seq = 0;

  constructor(options: FollowLimitOptions, nowMs: number) {
    this.#options = options;
    this.#beganMs = nowMs;
    this.#phaseBeganMs = nowMs;
    this.#lifeMs = nowMs;
  }

  /** Takes note of a whole run that has just come. */
  noteRun(run: Run, nowMs: number): void {
    if (this.#state === undefined || isWaiting(this.#state) !== isWaiting(run.state)) this.#phaseBeganMs = nowMs;
    this.#state = run.state;
    const life = JSON.stringify([run.state, run.attempt, run.updated_at, run.last_seq]);
    // Events that came before the run tells of them were signs when they came.
    const isKnown = this.#seq > 0 && run.last_seq != null && run.last_seq <= this.#seq;
    if (life !== this.#life && !isKnown) this.#lifeMs = nowMs;
    this.#life = life;
  }

  /** Takes note of an event. */
  noteEvent(seq: number, nowMs: number): void {
    this.#seq = seq;
    this.noteAnswer(nowMs);
    this.#lifeMs = nowMs;
  }

  /** A look that began then has failed. While the server is silent nobody knows whether the run is: that time does not count as a stall. */
  noteSilence(sinceMs: number): void {
    this.#silentSinceMs ??= sinceMs;
  }

  noteAnswer(nowMs: number): void {
    this.#lifeMs += this.#silenceMs(nowMs);
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
      make('stall', this.#mayStall() ? this.#options.stallTimeoutMs : none, this.#lifeMs + this.#silenceMs(nowMs)),
      make('total', timeoutMs, this.#beganMs),
    ].reduce((first, other) => (other.leftMs < first.leftMs ? other : first));
  }

  /** How long an answer without a whole run may be taken as enough, in ms: log lines move `updated_at`, and not the version that a long poll waits for. */
  get longestWithoutRunMs(): number {
    return this.#mayStall() ? (this.#options.stallTimeoutMs ?? none) / 4 : none;
  }

  #mayStall(): boolean {
    return this.#state !== undefined && !isWaiting(this.#state) && this.#state !== 'BLOCKED';
  }
}
