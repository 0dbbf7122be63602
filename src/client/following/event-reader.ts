/**
 * Reads the events of a run in the best way available:
 *
 * 1. a stream of server-sent events, reopened after the last event if it breaks;
 * 2. JSON pages that wait for more, if no stream gets through (a proxy that buffers responses, a server that only has
 *    pages) or streams keep bringing nothing new;
 * 3. changes of the run's state alone, if the server has no events.
 *
 * A way that was given up is not tried again.
 */
import type { EventPage, RunEvent } from '../../contract/events.ts';
import { headerNames, readFeatures } from '../../contract/tables/headers.ts';
import { ConnectionTimeoutError } from '../errors/errors.ts';
import { FeatureUnavailableError } from '../errors/run-errors.ts';
import type { Answer } from '../http/answer.ts';
import { pause, throwIfAborted } from '../http/deadline.ts';
import { fillRoute } from '../http/request-url.ts';
import { isEventPage, isRun } from '../http/shape.ts';
import type { Transport } from '../http/transport.ts';
import { checkOptions } from '../options/options.ts';
import { isAddressMissing } from './features.ts';
import { longPollSeconds, pageRestMs, streamRestMs } from './pace.ts';
import { Patience, type PatienceOptions, patienceNames } from './patience.ts';
import { readStream, type StreamEnd, streamTimes } from './stream-reader.ts';

export interface EventsOptions extends PatienceOptions {
  /** Number of the last event that you already have. @default 0 */
  readonly after?: number | undefined;
  /** Ends the iteration with AbortedError. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called if the server has no events, so that only changes of state arrive. Errors that it throws are passed on.
   */
  readonly onStatesOnly?: (() => void | Promise<void>) | undefined;
}

const eventsNames = ['after', 'onStatesOnly', ...patienceNames] as const;

/** After this many consecutive streams without an event, read pages. */
const emptyStreamsMax = 2;

interface Way {
  /** Called with whether a live stream is open. */
  readonly onStream?: (isStreaming: boolean) => void;
  /** @default true */
  readonly usesStreams?: boolean;
}

/**
 * Reads by the first two ways. Throws FeatureUnavailableError if the server has no events, and what `iterateEvents`
 * throws.
 */
export class EventReader {
  readonly #transport: Transport;
  readonly #path: string;
  readonly #runPath: string;
  readonly #signal: AbortSignal | undefined;
  readonly #patience: Patience;
  readonly #onStream: (isStreaming: boolean) => void;
  #after: number;
  #streams: boolean;
  #barrenStreams = 0;
  /** Set after a stream without events: a page says whether the run is over. */
  #asksForPage = false;
  #wasThere = false;
  #quietPolls = 0;
  #newsPolls = 0;

  constructor(
    transport: Transport,
    runId: string,
    options: EventsOptions,
    { onStream = () => {}, usesStreams = true }: Way = {},
  ) {
    this.#streams = usesStreams;
    checkOptions('the options of events', options, eventsNames);
    const { after = 0, signal } = options;
    this.#transport = transport;
    this.#path = fillRoute('listEvents', { runId });
    this.#runPath = fillRoute('readRun', { runId });
    this.#signal = signal;
    this.#patience = new Patience(runId, transport, options);
    this.#after = after;
    this.#onStream = onStream;
  }

  async *read(): AsyncGenerator<RunEvent, void, undefined> {
    const { clock } = this.#transport;
    for (let restMs: number | 'over' = 0; ; ) {
      this.#patience.noteAsked();
      const askedMs = clock.monotonicMs();
      let answer: Answer;
      try {
        answer = await (this.#streams && !this.#asksForPage ? this.#askForStream() : this.#askForPage());
      } catch (error) {
        this.#onStream(false);
        restMs = this.#patience.waitAfter(await this.#explain(error), undefined);
        await pause(clock, restMs, this.#signal);
        continue;
      }
      this.#patience.noteGoodAnswer();
      this.#wasThere = true;
      restMs =
        answer.stream === undefined
          ? yield* this.#readPage(answer, clock.monotonicMs() - askedMs)
          : yield* this.#readStream(answer.stream);
      if (restMs === 'over') return;
      await pause(clock, restMs, this.#signal);
    }
  }

  /**
   * The 404 may come from a proxy that does not know the address. The run's response says whether the server has
   * events.
   */
  async #explain(error: unknown): Promise<unknown> {
    if (this.#wasThere || !isAddressMissing(error, 'events')) return error;
    try {
      const { timeoutMs } = this.#transport.limits({});
      const { headers } = await this.#transport.send({
        method: 'GET',
        path: this.#runPath,
        as: 'json',
        isExpected: isRun,
        isIdempotent: true,
        maxRetries: 0,
        totalTimeoutMs: timeoutMs,
        signal: this.#signal,
      });
      return readFeatures(headers).has('events') ? error : new FeatureUnavailableError('events', error);
    } catch (failure) {
      return failure;
    }
  }

  /** Returns the wait before the next page, in ms. */
  async *#readPage(answer: Answer, tookMs: number): AsyncGenerator<RunEvent, number | 'over', undefined> {
    this.#onStream(false);
    // A page in answer to a stream request means that the server has no streams.
    if (!this.#asksForPage) this.#streams = false;
    this.#asksForPage = false;
    const { events, done } = answer.data as EventPage;
    const news = yield* this.#pick(events);
    if (done) return 'over';
    if (this.#streams) return streamRestMs();
    this.#quietPolls = news > 0 ? 0 : this.#quietPolls + 1;
    if (news > 0) this.#newsPolls += 1;
    const serverWaits = readFeatures(answer.headers).has('wait');
    const polls = { newsPolls: this.#newsPolls, quietPolls: this.#quietPolls };
    return pageRestMs({ news, serverWaits, tookMs, ...polls });
  }

  /** Returns the wait before the next connection, in ms. */
  async *#readStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<RunEvent, number | 'over', undefined> {
    const reading = readStream(stream, { signal: this.#signal, onChunk: () => this.#onStream(true) });
    const before = this.#after;
    let end: StreamEnd;
    try {
      for (;;) {
        const step = await reading.next();
        if (step.done) {
          end = step.value;
          break;
        }
        yield* this.#pick([step.value]);
      }
    } finally {
      // A caller that stops early must not leave the connection open.
      await reading.return('ended');
    }
    if (end === 'over') return 'over';
    this.#asksForPage = this.#after === before;
    this.#barrenStreams = this.#asksForPage ? this.#barrenStreams + 1 : 0;
    if (end === 'useless' || this.#barrenStreams >= emptyStreamsMax) this.#streams = false;
    this.#onStream(false);
    return streamRestMs();
  }

  /** Yields the events that are new. */
  *#pick(events: readonly RunEvent[]): Generator<RunEvent, number, undefined> {
    let news = 0;
    for (const event of events) {
      if (event.seq <= this.#after) continue;
      this.#after = event.seq;
      news += 1;
      throwIfAborted(this.#signal);
      yield event;
    }
    return news;
  }

  async #askForStream(): Promise<Answer> {
    const after = this.#after;
    try {
      return await this.#ask(Math.min(this.#transport.limits({}).timeoutMs, streamTimes.firstByteMs), {
        Accept: 'text/event-stream, application/json;q=0.5',
        'Last-Event-ID': after > 0 ? String(after) : undefined,
      });
    } catch (error) {
      // Even the headers were held back.
      if (error instanceof ConnectionTimeoutError) this.#streams = false;
      throw error;
    }
  }

  async #askForPage(): Promise<Answer> {
    const waitSeconds = this.#streams ? 0 : longPollSeconds;
    return await this.#ask(this.#transport.limits({}).timeoutMs + waitSeconds * 1000, {
      [headerNames.prefer]: waitSeconds === 0 ? undefined : `wait=${waitSeconds}`,
    });
  }

  async #ask(timeoutMs: number, headers: Readonly<Record<string, string | undefined>>): Promise<Answer> {
    return await this.#transport.send({
      method: 'GET',
      path: this.#path,
      query: { after: this.#after },
      headers,
      as: 'json',
      isExpected: isEventPage,
      takesStream: headers.Accept !== undefined,
      isIdempotent: true,
      // The reader's patience covers failed requests.
      maxRetries: 0,
      timeoutMs,
      totalTimeoutMs: timeoutMs,
      signal: this.#signal,
    });
  }
}
