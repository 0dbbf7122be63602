/**
 * Follows a run: with conditional long polls if the server announces `wait`, otherwise with plain polls at growing
 * intervals. While a live event stream is open, the run is read only when an event reports a change of state. Only
 * differences of the monotonic clock count, never a server's time.
 */

import { plainLine } from '../../border/terminal-text.ts';
import type { RunEvent } from '../../contract/events.ts';
import type { Run } from '../../contract/run.ts';
import { headerNames, readFeatures } from '../../contract/tables/headers.ts';
import { isFinal, runStates } from '../../contract/tables/state.ts';
import { FollowTimeoutError } from '../errors/run-errors.ts';
import type { Answer } from '../http/answer.ts';
import { pause } from '../http/deadline.ts';
import { fillRoute } from '../http/request-url.ts';
import { isRunOf, parseRun } from '../http/shape.ts';
import type { Transport } from '../http/transport.ts';
import { checkOptions, defaults } from '../options/options.ts';
import { EventWatch } from './event-watch.ts';
import { type FollowLimitOptions, FollowLimits, isWaiting, limitNames } from './follow-limits.ts';
import { longPollSeconds, promptNews, restMs } from './pace.ts';
import { Patience, type PatienceOptions, patienceNames } from './patience.ts';

export interface FollowOptions extends PatienceOptions, FollowLimitOptions {
  /** Ends following with AbortedError. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with every event, once and in order; its promise is awaited. Events that a run had when it ended or became
   * BLOCKED arrive before that run. A BLOCKED run waits at most `eventsGraceMs` for `onEvent`; so does an ended run
   * once a time limit is reached. Errors that it throws end following. If events cannot be read, the logger gets a
   * warning and following continues.
   */
  readonly onEvent?: ((event: RunEvent) => void | Promise<void>) | undefined;
  /** Called if the server has no events for `onEvent`. Errors that it throws end following. */
  readonly onStatesOnly?: (() => void | Promise<void>) | undefined;
  /**
   * How long to wait for the last events of an ended or BLOCKED run: once by stream, then once more by pages.
   * @default 5_000
   */
  readonly eventsGraceMs?: number | undefined;
}

const eventNames = ['onEvent', 'onStatesOnly', 'eventsGraceMs'] as const;

/** The limit for the last look after a time limit was reached. */
const lastLookMs = 2_000;
/** The next long poll can start at once if a look for activity came between the two. */
const afterActivityMs = 250;
/** The run is read this often even if a live stream reports no change. */
const streamingLookMs = 300_000;

/**
 * Yields the run now and after every change, except changes of times alone. Ends after a final state. A BLOCKED run
 * is yielded and following continues. Throws AbortedError, FollowTimeoutError, RunLostError, ConnectionError if no
 * good response came for `toleranceMs`, and any error that waiting cannot fix (401, 403, other 4xx from the service)
 * at once.
 */
export async function* followRun(
  transport: Transport,
  runId: string,
  options: FollowOptions,
): AsyncGenerator<Run, void, undefined> {
  const follower = new Follower(transport, runId, options);
  try {
    for (;;) {
      const run = await follower.look();
      if (run !== undefined) {
        if (isFinal(run.state) || run.state === 'BLOCKED') await follower.awaitEvents(run);
        yield run;
        if (isFinal(run.state)) return;
      }
      await follower.rest();
    }
  } finally {
    follower.stop();
  }
}

class Follower {
  readonly #transport: Transport;
  readonly #runId: string;
  readonly #path: string;
  readonly #options: FollowOptions;
  readonly #signal: AbortSignal | undefined;
  readonly #patience: Patience;
  readonly #limits: FollowLimits;
  readonly #strangeStates = new Set<string>();
  #run: Run | undefined;
  /** For the next conditional long poll; undefined if the server does not offer one. */
  #etag: string | undefined;
  /** When the last whole run arrived. */
  #wholeMs: number;
  /** The time left until the first limit when the last look began. */
  #leftMs = Number.POSITIVE_INFINITY;
  #looksForLife = false;
  #quietPolls = 0;
  /** Polls that brought news. Infinity with `onEvent`: the event stream reports changes sooner than a poll. */
  #newsPolls: number;
  /** Looks that did not rest because an event reported a change of state. */
  #promptLooks = 0;
  #restMs = 0;
  #failure: unknown;
  #watch: EventWatch | undefined;
  /** Whether `onStatesOnly` was called. */
  #isStatesOnly = false;

  constructor(transport: Transport, runId: string, options: FollowOptions) {
    // `wait` also takes `onRun` and passes all its options.
    checkOptions('the options of following', options, ['onRun', ...eventNames, ...limitNames, ...patienceNames]);
    this.#transport = transport;
    this.#runId = runId;
    this.#path = fillRoute('readRun', { runId });
    this.#options = options;
    this.#signal = options.signal;
    this.#newsPolls = options.onEvent === undefined ? 0 : Number.POSITIVE_INFINITY;
    this.#patience = new Patience(runId, transport, options);
    this.#limits = new FollowLimits(options, transport.clock.monotonicMs());
    this.#wholeMs = transport.clock.monotonicMs();
  }

  /** Polls once and returns the run if it changed. A tolerated failure counts as no change. */
  async look(): Promise<Run | undefined> {
    const { clock } = this.#transport;
    this.#patience.noteAsked();
    const askedMs = clock.monotonicMs();
    let answer: Answer;
    try {
      answer = await this.#poll();
    } catch (error) {
      this.#failure = error;
      this.#restMs = this.#patience.waitAfter(error, this.#shownState());
      this.#limits.noteSilence(askedMs);
      return undefined;
    }
    this.#failure = undefined;
    this.#limits.noteAnswer(clock.monotonicMs());
    this.#patience.noteGoodAnswer();
    const news = answer.status === 304 ? undefined : await this.#take(answer);
    this.#quietPolls = news === undefined ? this.#quietPolls + 1 : 0;
    if (news !== undefined) this.#newsPolls += 1;
    this.#restMs = this.#looksForLife
      ? afterActivityMs
      : restMs({
          hasNews: news !== undefined,
          serverWaits: this.#etag !== undefined,
          tookMs: clock.monotonicMs() - askedMs,
          quietPolls: this.#quietPolls,
          newsPolls: this.#newsPolls,
        });
    return news;
  }

  /**
   * Waits until the next look is due. Throws FollowTimeoutError if a limit was reached before the last look began.
   */
  async rest(): Promise<void> {
    const { clock } = this.#transport;
    for (const beganMs = clock.monotonicMs(); ; ) {
      this.#watch?.throwFault();
      const nowMs = clock.monotonicMs();
      const { limit, timeoutMs, leftMs } = this.#limits.nearest(nowMs);
      if (leftMs <= 0 && this.#leftMs > 0) return;
      if (leftMs <= 0)
        throw new FollowTimeoutError({
          runId: this.#runId,
          limit,
          timeoutMs,
          state: this.#shownState(),
          phase: this.#run === undefined ? undefined : isWaiting(this.#run.state) ? 'queue' : 'run',
          cause: this.#failure,
        });
      if (this.#failure === undefined && this.#watch?.hasNewState === true && this.#promptLooks < promptNews) {
        this.#promptLooks += 1;
        return;
      }
      // While the run cannot be read, keep polling even if the stream is alive.
      const isStreamCurrent = this.#failure === undefined && this.#watch?.isCurrent === true;
      const dueMs = (isStreamCurrent ? streamingLookMs : this.#restMs) - (nowMs - beganMs);
      // A clock with fractions can lose up to 1 ms in the sum.
      if (dueMs < 1) return;
      const sleep = (signal: AbortSignal | undefined) => pause(clock, Math.min(dueMs, Math.max(leftMs, 1)), signal);
      await (this.#watch === undefined ? sleep(this.#signal) : this.#watch.race(sleep, this.#signal));
    }
  }

  /** Waits for the events that the run had when it was read. */
  async awaitEvents({ state }: Run): Promise<void> {
    const { eventsGraceMs: graceMs = defaults.eventsGraceMs, signal } = this.#options;
    const leftMs = () => this.#limits.nearest(this.#transport.clock.monotonicMs()).leftMs;
    await this.#watch?.catchUp({ graceMs, leftMs, isOver: isFinal(state), signal });
  }

  stop(): void {
    this.#watch?.stop();
  }

  async #poll(): Promise<Answer> {
    const nowMs = this.#transport.clock.monotonicMs();
    const { leftMs } = this.#limits.nearest(nowMs);
    const withoutRunMs = this.#limits.longestWithoutRunMs - (nowMs - this.#wholeMs);
    this.#leftMs = leftMs;
    this.#looksForLife = this.#etag !== undefined && (withoutRunMs <= 0 || leftMs <= 0);
    const etag = this.#looksForLife ? undefined : this.#etag;
    // After a failure, a short poll finds out sooner whether the server is back.
    const mayWait = etag !== undefined && this.#failure === undefined;
    const waitMs = mayWait ? Math.min(longPollSeconds * 1000, leftMs, withoutRunMs) : 0;
    const waitSeconds = Math.floor(waitMs / 1000);
    const { timeoutMs } = this.#transport.limits({});
    const attemptMs = Math.min(timeoutMs + waitSeconds * 1000, leftMs > 0 ? leftMs : lastLookMs);
    return await this.#transport.send({
      method: 'GET',
      path: this.#path,
      headers: {
        'If-None-Match': etag,
        [headerNames.prefer]: waitSeconds > 0 ? `wait=${waitSeconds}` : undefined,
      },
      as: 'json',
      isExpected: isRunOf(this.#runId),
      takesNotModified: etag !== undefined,
      isIdempotent: true,
      // The patience of following covers failed polls.
      maxRetries: 0,
      timeoutMs: attemptMs,
      totalTimeoutMs: attemptMs,
      signal: this.#signal,
    });
  }

  async #take(answer: Answer): Promise<Run | undefined> {
    const run = parseRun(answer.data);
    const before = this.#run;
    const nowMs = this.#transport.clock.monotonicMs();
    this.#run = run;
    this.#wholeMs = nowMs;
    this.#limits.noteRun(run, nowMs);
    const features = readFeatures(answer.headers);
    const serverWaits = features.has('wait');
    await this.#readEvents(features);
    this.#watch?.noteRun(run);
    this.#etag = serverWaits ? (answer.headers.get('etag') ?? undefined) : undefined;
    this.#warnOfStrangeState(run.state);
    return before === undefined || fingerprintOf(before) !== fingerprintOf(run) ? run : undefined;
  }

  /** Starts reading events if they are wanted and the server has any. */
  async #readEvents(features: ReadonlySet<string>): Promise<void> {
    const { onEvent, onStatesOnly } = this.#options;
    if (onEvent === undefined || this.#watch !== undefined) return;
    if (!features.has('events')) {
      if (!this.#isStatesOnly) await onStatesOnly?.();
      this.#isStatesOnly = true;
      return;
    }
    const { toleranceMs, notFoundGraceMs } = this.#options;
    this.#watch = new EventWatch({
      transport: this.#transport,
      runId: this.#runId,
      patience: { toleranceMs, notFoundGraceMs },
      signal: this.#signal,
      onEvent: event => {
        this.#limits.noteEvent(event.seq, this.#transport.clock.monotonicMs());
        return onEvent(event);
      },
    });
  }

  /** The state made safe for a message: a server may send any text. */
  #shownState(): string | undefined {
    const state = this.#run?.state;
    return state === undefined ? undefined : plainLine(this.#transport.redact(state.slice(0, 200)));
  }

  #warnOfStrangeState(state: string): void {
    if (this.#strangeStates.has(state) || runStates.some(known => known === state)) return;
    this.#strangeStates.add(state);
    this.#transport.logger.warn(
      `run ${this.#runId}: unknown state "${this.#shownState()}"; treating the run as still running`,
    );
  }
}

/** The fields whose change is news to a follower. */
function fingerprintOf(run: Run): string {
  const { state, attempt, session_link, cancel_requested_at, status_message, result, artifacts } = run;
  return JSON.stringify([state, attempt, session_link, cancel_requested_at, status_message, result, artifacts]);
}
