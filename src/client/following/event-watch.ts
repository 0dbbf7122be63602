/**
 * Reads the events of a run while the run is followed. Events decide nothing: only the run says what became of it.
 * While their stream is alive and complete, it says when to look at the run, so nobody polls meanwhile.
 */
import { createDeferred } from '../../base/deferred.ts';
import type { RunEvent } from '../../contract/events.ts';
import type { Run } from '../../contract/run.ts';
import { headlineOf } from '../errors/answer-errors.ts';
import { withDeadline } from '../http/deadline.ts';
import type { Transport } from '../http/transport.ts';
import { EventReader } from './event-reader.ts';
import type { PatienceOptions } from './patience.ts';

interface Watched {
  readonly transport: Transport;
  readonly runId: string;
  readonly patience: PatienceOptions;
  readonly signal: AbortSignal | undefined;
  /** Called with one event at a time. The next call on the watch throws what it throws. */
  readonly onEvent: (event: RunEvent) => void | Promise<void>;
}

interface CatchUp {
  /** How long to wait for each next event. */
  readonly graceMs: number;
  /** The time left until the first time limit. */
  readonly leftMs: () => number;
  /** Whether the run has ended; otherwise it is BLOCKED. */
  readonly isOver: boolean;
  readonly signal: AbortSignal | undefined;
}

export class EventWatch {
  readonly #watched: Watched;
  readonly #stopping = new AbortController();
  /** Stops the current reader, which then yields no more events. */
  #reading = new AbortController();
  #isStreaming = false;
  /** The last delivered event and the last delivered change of state. */
  #seq = 0;
  #stateSeq = 0;
  /** The last event that the run is known to have. */
  #runSeq = 0;
  /** Whether `onEvent` is running. */
  #isGiving = false;
  #isOver = false;
  #fault: { readonly error: unknown } | undefined;
  #wake = createDeferred<void>();

  constructor(watched: Watched) {
    this.#watched = watched;
    this.#begin(true);
  }

  /** Whether an open stream has delivered all known events, and no change of state since. */
  get isCurrent(): boolean {
    return this.#isStreaming && this.#seq >= this.#runSeq && this.#stateSeq <= this.#runSeq;
  }

  /** Whether a change of state was delivered that the run does not show yet. */
  get hasNewState(): boolean {
    return this.#stateSeq > this.#runSeq;
  }

  /** Call this with every whole run that arrives. */
  noteRun({ last_seq }: Run): void {
    // Without `last_seq` the stream cannot prove that it is complete.
    this.#runSeq = last_seq ?? Number.POSITIVE_INFINITY;
  }

  /** Waits for `sleep`, or until there may be news; then aborts `sleep`. */
  async race(sleep: (signal: AbortSignal) => Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    const nap = new AbortController();
    const either = signal === undefined ? nap.signal : AbortSignal.any([signal, nap.signal]);
    await Promise.race([sleep(either), this.#wake.promise]).finally(() => nap.abort());
  }

  /**
   * Waits until all known events were delivered. If none arrives for `graceMs`, it asks for them by pages, once.
   * While `onEvent` runs, an ended run waits until the time limits. A BLOCKED one waits for `graceMs` in all, because
   * the caller may be waiting for that run. Throws what `onEvent` threw.
   */
  async catchUp({ graceMs, leftMs, isOver, signal }: CatchUp): Promise<void> {
    const { transport, runId } = this.#watched;
    const endMs = performance.now() + graceMs;
    const latestMs = Math.min(0, leftMs()) - graceMs;
    for (let asksForPages = false; !this.#isOver && this.#seq < this.#runSeq; ) {
      const isGiving = this.#isGiving;
      const callerMs = isOver ? leftMs() + graceMs : Math.min(leftMs(), endMs - performance.now());
      const hasMoved = await this.#moves(isGiving ? callerMs : graceMs, signal);
      // The caller already has the run, so an abort does not throw here.
      if (signal?.aborted) break;
      const isLate = leftMs() <= latestMs;
      if (hasMoved && !isLate) continue;
      if (!isGiving && !isLate && !asksForPages) {
        // A stream that delivers nothing reports it too late. Pages contain the missing events.
        asksForPages = true;
        this.#begin(false);
        continue;
      }
      if (!isGiving) transport.logger.warn(`run ${runId}: not all of its events arrived in time`);
      else if (isOver) transport.logger.warn(`run ${runId}: onEvent was too slow to receive all of its events`);
      break;
    }
    this.throwFault();
  }

  /** Throws what `onEvent` threw. */
  throwFault(): void {
    if (this.#fault !== undefined) throw this.#fault.error;
  }

  /** Delivers no more events. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Whether an event arrives, or `onEvent` returns, within `ms`. */
  async #moves(ms: number, signal: AbortSignal | undefined): Promise<boolean> {
    if (ms <= 0) return false;
    const onTimeout = () => new Error('the last events are late');
    return await withDeadline({ ms, signal, onTimeout }, () => this.#wake.promise).then(
      () => true,
      () => false,
    );
  }

  /** Starts a new reader after the last delivered event. */
  #begin(usesStreams: boolean): void {
    const { transport, runId, patience, signal } = this.#watched;
    this.#reading.abort();
    const reading = new AbortController();
    this.#reading = reading;
    const ends = [reading.signal, this.#stopping.signal, ...(signal === undefined ? [] : [signal])];
    const ending = AbortSignal.any(ends);
    const options = { ...patience, signal: ending, after: this.#seq };
    const onStream = (isStreaming: boolean) => this.#noteStream(isStreaming);
    const reader = new EventReader(transport, runId, options, { onStream, usesStreams });
    const read = async (): Promise<void> => {
      for await (const event of reader.read()) {
        if (ending.aborted) return;
        await this.#give(event);
        if (this.#fault !== undefined) return;
      }
    };
    void read()
      .catch(error => {
        if (!ending.aborted)
          transport.logger.warn(`run ${runId}: its events can no longer be read: ${headlineOf(error)}`);
      })
      .finally(() => {
        if (reading !== this.#reading) return;
        this.#isOver = true;
        this.#isStreaming = false;
        this.#rouse();
      });
  }

  async #give(event: RunEvent): Promise<void> {
    const isBehind = this.#seq < this.#runSeq;
    if (event.type === 'state') this.#stateSeq = event.seq;
    this.#isGiving = true;
    if (event.type === 'state' || isBehind) this.#rouse();
    try {
      await this.#watched.onEvent(event);
    } catch (error) {
      this.#fault = { error };
    }
    this.#isGiving = false;
    this.#seq = event.seq;
    if (isBehind) this.#rouse();
  }

  #noteStream(isStreaming: boolean): void {
    const isNew = isStreaming !== this.#isStreaming;
    this.#isStreaming = isStreaming;
    if (isNew) this.#rouse();
  }

  #rouse(): void {
    this.#wake.resolve();
    this.#wake = createDeferred();
  }
}
