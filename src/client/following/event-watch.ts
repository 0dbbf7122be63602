/**
 * The events of a run, read beside following it. They decide nothing: what a run has come to is said by the run alone. But while their stream
 * is alive and has brought all that the run is known to have, it says when the run is worth a look, and nobody has to ask meanwhile.
 */
import { createDeferred } from '../../base/deferred.ts';
import type { RunEvent } from '../../contract/events.ts';
import type { Run } from '../../contract/run.ts';
import { headlineOf } from '../errors/answer-errors.ts';
import { withDeadline } from '../http/deadline.ts';
import type { Transport } from '../http/transport.ts';
import { EventReader, type StreamNews } from './event-reader.ts';
import type { PatienceOptions } from './patience.ts';
import { streamTimes } from './stream-reader.ts';

/** A stream that was asked for has this long to speak, and one that is behind the run to catch up. */
const openingMs = 1_000;

interface Watched {
  readonly transport: Transport;
  readonly runId: string;
  readonly patience: PatienceOptions;
  readonly signal: AbortSignal | undefined;
  /** Events are given one after the other; what it throws is thrown by whoever asks the watch next. */
  readonly onEvent: (event: RunEvent) => void | Promise<void>;
}

interface CatchUp {
  /** What the server has for the last events. */
  readonly graceMs: number;
  /** What is left of the time-outs. */
  readonly leftMs: () => number;
  /** Whether the run is; else it is BLOCKED. */
  readonly isOver: boolean;
  readonly signal: AbortSignal | undefined;
}

export class EventWatch {
  readonly #watched: Watched;
  readonly #stopping = new AbortController();
  readonly #onEvent: Watched['onEvent'];
  /** Ends the reader of now; one that was given up gives no event any more. */
  #reading = new AbortController();
  #stream: StreamNews = 'asked';
  /** By the machine's clock, like all times here: they are about what a socket does. */
  #heardMs = 0;
  #openingFromMs = performance.now();
  /** The last event that was given, and the last one of a change of state. */
  #seq = 0;
  #stateSeq = 0;
  /** The last event that the run is known to have. */
  #runSeq = 0;
  #isOver = false;
  /** When the event that the caller has in hand was given, and how long all before it were in hand. */
  #givingFromMs: number | undefined;
  #gaveMs = 0;
  #fault: { readonly error: unknown } | undefined;
  #wake = createDeferred<void>();

  constructor(watched: Watched) {
    this.#watched = watched;
    this.#onEvent = watched.onEvent;
    this.#begin(true);
  }

  /** How long from now, in ms, the stream makes it needless to ask for the run; 0 where it does not. */
  trustMs(): number {
    if (this.#stream === 'none' || this.#stateSeq > this.#runSeq) return 0;
    const isAbreast = this.#stream === 'heard' && this.#seq >= this.#runSeq;
    const untilMs = isAbreast ? this.#heardMs + streamTimes.silenceMs : this.#openingFromMs + openingMs;
    return Math.max(0, untilMs - performance.now());
  }

  /** Takes note of a whole run that has just come. */
  noteRun({ last_seq }: Run): void {
    // Of a run that does not say so nobody knows that all has come.
    this.#runSeq = last_seq ?? Number.POSITIVE_INFINITY;
    this.#openingFromMs = performance.now();
  }

  /** Waits for `work`, or until there is something to look at; `work` is then told to stop. */
  async race(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const nap = new AbortController();
    try {
      await Promise.race([work(nap.signal), this.#wake.promise]);
    } finally {
      nap.abort();
    }
  }

  /**
   * Waits until every event that the run is known to have was given, `graceMs` of the server's time at most: while the caller has one in hand,
   * none passes. Throws what `onEvent` threw.
   */
  async catchUp({ graceMs, leftMs, isOver, signal }: CatchUp): Promise<void> {
    const beganMs = performance.now();
    const isThrough = () => this.#isOver || this.#seq >= this.#runSeq || signal?.aborted === true;
    const serverMs = () => (this.#givingFromMs ?? performance.now()) - this.#gaveMs;
    // After the end nobody waits for the run but the caller. One that is BLOCKED may wait for what the caller does when it hears of that.
    const callerLeftMs = () => {
      const graceLeftMs = beganMs + graceMs - performance.now();
      return isOver ? Math.max(leftMs() + graceMs, graceLeftMs) : Math.min(leftMs(), graceLeftMs);
    };
    const onTimeout = () => new Error('the last events are late');
    let endMs = serverMs() + graceMs;
    for (let asksForPages = false; !isThrough(); ) {
      const isInHand = this.#givingFromMs !== undefined;
      const ms = isInHand ? Math.min(graceMs, callerLeftMs()) : endMs - serverMs();
      const { transport, runId } = this.#watched;
      if (ms > 0) {
        // The run is known already: neither the time nor the caller's signal takes that away.
        await withDeadline({ ms, signal, onTimeout }, () => this.#wake.promise).catch(() => {});
      } else if (isInHand) {
        if (isOver) transport.logger.warn(`run ${runId}: onEvent was too slow to receive all of its events`);
        break;
      } else if (asksForPages) {
        transport.logger.warn(`run ${runId}: not all of its events arrived in time`);
        break;
      } else {
        // A stream that lets nothing through says so too late: the pages have what is missing.
        asksForPages = true;
        this.#begin(false);
        endMs = serverMs() + graceMs;
      }
    }
    this.throwFault();
  }

  /** Throws what `onEvent` threw. */
  throwFault(): void {
    if (this.#fault !== undefined) throw this.#fault.error;
  }

  /** No event is given from now on. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Reads on from the last event that was given, in place of the reader before. */
  #begin(usesStreams: boolean): void {
    const { transport, runId, patience, signal } = this.#watched;
    this.#reading.abort();
    const reading = new AbortController();
    this.#reading = reading;
    const ends = [reading.signal, this.#stopping.signal, ...(signal === undefined ? [] : [signal])];
    const ending = AbortSignal.any(ends);
    const options = { ...patience, signal: ending, after: this.#seq };
    const reader = new EventReader(transport, runId, options, news => this.#noteStream(news), usesStreams);
    void this.#read(reader, reading, error => {
      if (ending.aborted) return;
      transport.logger.warn(`run ${runId}: its events can no longer be read: ${headlineOf(error)}`);
    });
  }

  async #read(reader: EventReader, reading: AbortController, explain: (error: unknown) => void): Promise<void> {
    try {
      for await (const event of reader.read()) {
        if (this.#stopping.signal.aborted || reading.signal.aborted) return;
        await this.#give(event);
        if (this.#fault !== undefined) return;
      }
    } catch (error) {
      explain(error);
    } finally {
      if (reading === this.#reading) {
        this.#isOver = true;
        this.#stream = 'none';
        this.#rouse();
      }
    }
  }

  async #give(event: RunEvent): Promise<void> {
    if (event.type === 'state') {
      this.#stateSeq = event.seq;
      this.#rouse();
    }
    this.#givingFromMs = performance.now();
    try {
      await this.#onEvent(event);
    } catch (error) {
      this.#fault = { error };
    }
    this.#gaveMs += performance.now() - this.#givingFromMs;
    this.#givingFromMs = undefined;
    const wasBehind = this.#seq < this.#runSeq;
    this.#seq = event.seq;
    if (wasBehind && this.#seq >= this.#runSeq) this.#rouse();
  }

  #noteStream(news: StreamNews): void {
    const isNew = news !== this.#stream;
    this.#stream = news;
    if (news === 'heard') this.#heardMs = performance.now();
    if (news === 'asked' && isNew) this.#openingFromMs = performance.now();
    if (isNew) this.#rouse();
  }

  #rouse(): void {
    this.#wake.resolve();
    this.#wake = createDeferred();
  }
}
