/**
 * Follows a run: by conditional long polls where the server announces `wait`, else by plain polls that grow rarer. Only differences of the
 * monotonic clock are looked at, never a time of the server.
 */
import { headerNames, readFeatures } from '../../contract/headers.ts';
import type { Run } from '../../contract/run.ts';
import { isFinal, runStates } from '../../contract/state.ts';
import { FollowTimeoutError } from '../errors/run-errors.ts';
import { fillRoute } from '../http/address.ts';
import type { Answer } from '../http/answer.ts';
import { pause } from '../http/deadline.ts';
import { isRun } from '../http/shape.ts';
import type { Transport } from '../http/transport.ts';
import { checkDuration } from '../options/options.ts';
import { longPollSeconds, restMs } from './pace.ts';
import { Patience, type PatienceOptions } from './patience.ts';

export interface FollowOptions extends PatienceOptions {
  /** Ends following with AbortedError. */
  readonly signal?: AbortSignal | undefined;
  /** All of following; then FollowTimeoutError, after one last look of at most 2 s, for a late success is one. @default no limit */
  readonly timeoutMs?: number | undefined;
}

const lastLookMs = 2_000;

/**
 * The present run, then every one that differs in more than its times; ends after a final state. BLOCKED is passed on and following goes
 * on. Throws AbortedError, FollowTimeoutError, RunLostError, ConnectionError when no good answer came for `toleranceMs`, and at once what
 * no waiting cures (401, 403, other 4xx).
 */
export async function* followRun(
  transport: Transport,
  runId: string,
  options: FollowOptions,
): AsyncGenerator<Run, void, undefined> {
  const follower = new Follower(transport, runId, options);
  for (;;) {
    const run = await follower.look();
    if (run !== undefined) {
      yield run;
      if (isFinal(run.state)) return;
    }
    await follower.rest();
  }
}

class Follower {
  readonly #transport: Transport;
  readonly #runId: string;
  readonly #path: string;
  readonly #signal: AbortSignal | undefined;
  readonly #patience: Patience;
  readonly #timeoutMs: number;
  readonly #beganMs: number;
  readonly #strangeStates = new Set<string>();
  #run: Run | undefined;
  /** For the next conditional long poll; undefined where the server does not offer it. */
  #etag: string | undefined;
  #quietPolls = 0;
  #restMs = 0;
  #failure: unknown;

  constructor(transport: Transport, runId: string, options: FollowOptions) {
    checkDuration('timeoutMs', options.timeoutMs);
    this.#transport = transport;
    this.#runId = runId;
    this.#path = fillRoute('readRun', { runId });
    this.#signal = options.signal;
    this.#patience = new Patience(runId, transport, options);
    this.#timeoutMs = options.timeoutMs ?? Number.POSITIVE_INFINITY;
    this.#beganMs = transport.clock.monotonicMs();
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
      this.#restMs = this.#patience.bear(error, this.#run?.state);
      return undefined;
    }
    this.#failure = undefined;
    this.#patience.noteGoodAnswer();
    const news = answer.status === 304 ? undefined : this.#take(answer);
    this.#quietPolls = news === undefined ? this.#quietPolls + 1 : 0;
    this.#restMs = restMs({
      hasNews: news !== undefined,
      serverWaits: this.#etag !== undefined,
      tookMs: clock.monotonicMs() - askedMs,
      quietPolls: this.#quietPolls,
    });
    return news;
  }

  /** Waits until the next poll is due. Throws FollowTimeoutError when the time is over. */
  async rest(): Promise<void> {
    const leftMs = this.#leftMs();
    if (leftMs <= 0) {
      throw new FollowTimeoutError({
        runId: this.#runId,
        timeoutMs: this.#timeoutMs,
        state: this.#run?.state,
        phase: hasStarted(this.#run) ? 'run' : 'queue',
        cause: this.#failure,
      });
    }
    await pause(this.#transport.clock, Math.min(this.#restMs, leftMs), this.#signal);
  }

  async #poll(): Promise<Answer> {
    const leftMs = Math.max(this.#leftMs(), lastLookMs);
    const etag = this.#etag;
    // After a failure a short poll tells sooner whether the server is back.
    const mayWait = etag !== undefined && this.#failure === undefined;
    const waitSeconds = mayWait ? Math.min(longPollSeconds, Math.floor(this.#leftMs() / 1000)) : 0;
    const attemptMs = Math.min(this.#transport.limits({}).timeoutMs + Math.max(waitSeconds, 0) * 1000, leftMs);
    return await this.#transport.send({
      method: 'GET',
      path: this.#path,
      headers: {
        'If-None-Match': etag,
        [headerNames.prefer]: waitSeconds > 0 ? `wait=${waitSeconds}` : undefined,
      },
      as: 'json',
      isExpected: isRun,
      takesNotModified: etag !== undefined,
      isIdempotent: true,
      // One failed poll is borne here, with everything else that goes wrong.
      maxRetries: 0,
      timeoutMs: attemptMs,
      totalTimeoutMs: attemptMs,
      signal: this.#signal,
    });
  }

  #take(answer: Answer): Run | undefined {
    const run = answer.data as Run;
    const before = this.#run;
    this.#run = run;
    const serverWaits = readFeatures(answer.headers).has('wait');
    this.#etag = serverWaits ? (answer.headers.get('etag') ?? undefined) : undefined;
    this.#warnOfStrangeState(run.state);
    return before === undefined || printOf(before) !== printOf(run) ? run : undefined;
  }

  #warnOfStrangeState(state: string): void {
    if (runStates.some(known => known === state) || this.#strangeStates.has(state)) return;
    this.#strangeStates.add(state);
    this.#transport.logger.warn(
      `run ${this.#runId}: the state "${state}" is not known here; it is taken as still running`,
    );
  }

  #leftMs(): number {
    return this.#timeoutMs - (this.#transport.clock.monotonicMs() - this.#beganMs);
  }
}

/** What of a run is news to someone who follows it. */
function printOf(run: Run): string {
  return JSON.stringify([
    run.state,
    run.status_message,
    run.result,
    run.artifacts,
    run.attempt,
    run.session_link,
    run.cancel_requested_at,
  ]);
}

function hasStarted(run: Run | undefined): boolean {
  return typeof run?.started_at === 'string' || run?.state === 'INPROGRESS' || run?.state === 'BLOCKED';
}
