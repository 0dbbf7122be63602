/**
 * Follows a run: by conditional long polls where the server announces `wait`, else by plain polls that grow rarer. Where its events are read as
 * well, and their stream is alive, the run is asked for only when an event says that its state has moved. Only differences of the monotonic
 * clock are looked at, never a time of the server.
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
import { longPollSeconds, restMs } from './pace.ts';
import { Patience, type PatienceOptions, patienceNames } from './patience.ts';

export interface FollowOptions extends PatienceOptions, FollowLimitOptions {
  /** Ends following with AbortedError. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with every event, once and in order; its promise is awaited. Events that a run had when it ended or became BLOCKED arrive
   * before that run. A BLOCKED run waits at most `eventsGraceMs` for `onEvent`; so does an ended run once a time limit is reached.
   * Errors that it throws end following. If events cannot be read, the logger gets a warning and following continues.
   */
  readonly onEvent?: ((event: RunEvent) => void | Promise<void>) | undefined;
  /** Called if the server has no events for `onEvent`. Errors that it throws end following. */
  readonly onStatesOnly?: (() => void | Promise<void>) | undefined;
  /** How long to wait for the last events of an ended or BLOCKED run: once by stream, then once more by pages. @default 5_000 */
  readonly eventsGraceMs?: number | undefined;
}

const eventNames = ['onEvent', 'onStatesOnly', 'eventsGraceMs'] as const;

/** What the last look takes at most, which is made when a limit is reached. */
const lastLookMs = 2_000;
/** A look for signs of work came between two long polls; the next need not wait. */
const afterLifeMs = 250;
/** However well a stream of events tells when to look, the run is looked at so often. */
const toldLookMs = 300_000;

/**
 * The present run, then every one that differs in more than its times; ends after a final state. BLOCKED is passed on and following goes
 * on. Throws AbortedError, FollowTimeoutError, RunLostError, ConnectionError when no good answer came for `toleranceMs`, and at once what
 * no waiting cures (401, 403, other 4xx in a document of the service).
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
  /** For the next conditional long poll; undefined where the server does not offer it. */
  #etag: string | undefined;
  /** When a whole run came last. */
  #wholeMs: number;
  /** What was left of the time limits when the last look began. */
  #leftMs = Number.POSITIVE_INFINITY;
  #looksForLife = false;
  #quietPolls = 0;
  #restMs = 0;
  #failure: unknown;
  #watch: EventWatch | undefined;
  /** Whether it was said that there are no events. */
  #isStatesOnly = false;

  constructor(transport: Transport, runId: string, options: FollowOptions) {
    // `wait` takes `onRun` as well and gives its options on.
    checkOptions('the options of following', options, ['onRun', ...eventNames, ...limitNames, ...patienceNames]);
    this.#transport = transport;
    this.#runId = runId;
    this.#path = fillRoute('readRun', { runId });
    this.#options = options;
    this.#signal = options.signal;
    this.#patience = new Patience(runId, transport, options);
    this.#limits = new FollowLimits(options, transport.clock.monotonicMs());
    this.#wholeMs = transport.clock.monotonicMs();
  }

  /** Polls once. The run where it has changed; a failure that is borne counts as no change. */
  async look(): Promise<Run | undefined> {
    const { clock } = this.#transport;
    this.#patience.noteAsked();
    const askedMs = clock.monotonicMs();
    let answer: Answer;
    try {
      answer = await this.#poll();
    } catch (error) {
      this.#failure = error;
      this.#restMs = this.#patience.bear(error, this.#shownState());
      this.#limits.noteSilence(askedMs);
      return undefined;
    }
    this.#failure = undefined;
    this.#limits.noteAnswer(clock.monotonicMs());
    this.#patience.noteGoodAnswer();
    const news = answer.status === 304 ? undefined : await this.#take(answer);
    this.#quietPolls = news === undefined ? this.#quietPolls + 1 : 0;
    this.#restMs = this.#looksForLife
      ? afterLifeMs
      : restMs({
          hasNews: news !== undefined,
          serverWaits: this.#etag !== undefined,
          tookMs: clock.monotonicMs() - askedMs,
          quietPolls: this.#quietPolls,
        });
    return news;
  }

  /** Waits until the next look is due. Throws FollowTimeoutError if a limit was reached before the last look began. */
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
      // While the run itself cannot be read, a stream is no reason to wait.
      const isTold = this.#failure === undefined && this.#watch?.isCurrent === true;
      const dueMs = (isTold ? toldLookMs : this.#restMs) - (nowMs - beganMs);
      // Less than a millisecond can vanish in the sum of a clock that counts in fractions.
      if (dueMs < 1) return;
      const sleep = (signal: AbortSignal | undefined) => pause(clock, Math.min(dueMs, Math.max(leftMs, 1)), signal);
      await (this.#watch === undefined ? sleep(this.#signal) : this.#watch.race(sleep, this.#signal));
    }
  }

  /** Waits a moment for the events that the run had when it was looked at. */
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
    // After a failure a short poll tells sooner whether the server is back.
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
      // One failed poll is borne here, with everything else that goes wrong.
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
    return before === undefined || printOf(before) !== printOf(run) ? run : undefined;
  }

  /** Begins to, where that is wanted and the server has any. */
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

  /** As it may stand in a message: a server can say anything. */
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

/** The parts of a run whose change is news to a follower. */
function printOf(run: Run): string {
  const { state, attempt, session_link, cancel_requested_at, status_message, result, artifacts } = run;
  return JSON.stringify([state, attempt, session_link, cancel_requested_at, status_message, result, artifacts]);
}
