import type { Clock } from '../../base/clock.ts';
import { counted, headOfUtf8 } from '../../base/text.ts';
import { OpenCalls } from '../../base/wording/open-calls.ts';
import type { EventDraft } from '../../contract/events.ts';
import type { RunText } from '../../contract/tables/run-text.ts';
import { sizes } from '../../contract/tables/sizes.ts';
import { EventBuffer, eventCostBytes } from './event-buffer.ts';
import { fitEvent } from './event-size.ts';
import { replaceNul } from './nul.ts';
import { OutputTail } from './output-tail.ts';
import { ResultTail } from './result-tail.ts';
import { UsageSum } from './usage-sum.ts';

type Stream = 'stdout' | 'stderr';

/** Unwritten output waits this long for more. */
const gatherMs = 100;
const tailBytes = 64 * 1024;

/**
 * Turns a program's output into log events, in order. An event holds at most 16 KiB of one stream and is written
 * within 100 ms. Output over the run's limit is counted but not kept. Buffered events are committed together. Once they
 * fill a commit, writers wait for it, which bounds memory.
 */
export class EventWriter {
  readonly #append: (events: readonly EventDraft[]) => Promise<void>;
  readonly #clock: Clock;
  readonly #logBytes: number;
  readonly #onFailure: (error: unknown) => void;
  #stdout = new ResultTail();
  #outputTail = new OutputTail(tailBytes);
  readonly #over = new AbortController();
  readonly #usage: UsageSum;
  readonly #buffer = new EventBuffer();
  #keptBytes = 0;
  #cutBytes = 0;
  /** The latest usage over the limit. It is written once, at the end, because a program can print any number. */
  #cutUsage: EventDraft | undefined;
  #isTimed = false;
  readonly #calls = new OpenCalls();
  #writing: Promise<void> = Promise.resolve();

  /** `onFailure` gets the error of a write that is not awaited. */
  constructor(parts: {
    readonly append: (events: readonly EventDraft[]) => Promise<void>;
    readonly clock: Clock;
    readonly logBytes: number;
    /** Usage of the run before it was BLOCKED. */
    readonly usage?: Readonly<Record<string, unknown>> | undefined;
    readonly onFailure: (error: unknown) => void;
  }) {
    this.#append = parts.append;
    this.#clock = parts.clock;
    this.#logBytes = parts.logBytes;
    this.#usage = new UsageSum(parts.usage);
    this.#onFailure = parts.onFailure;
  }

  /** Standard output as a result. A longer one is cut at its start. Its text is '' if nothing visible was printed. */
  get stdout(): RunText {
    return this.#stdout.result;
  }

  /** The end of both streams in the order of arrival, from the last part only, at most 64 KiB. */
  get outputTail(): string {
    return this.#outputTail.text;
  }

  /** Usage of the run so far. */
  get usage(): Readonly<Record<string, unknown>> {
    return this.#usage.sum;
  }

  /** `, 28 of them in \`npm test\``: the agent's call that took the time. '' if no call is running. */
  describeOpenCall(allMs: number): string {
    return this.#calls.describeOldest(this.#clock.monotonicMs(), allMs);
  }

  /** Output so far was that of setup commands, not part of the program's result. */
  beginProgram(): void {
    this.#stdout = new ResultTail();
    this.#outputTail = new OutputTail(tailBytes);
  }

  /** The agent is started again. Its usage is added to the earlier usage. */
  beginTurn(): void {
    this.#usage.beginTurn();
  }

  /** Later output of the stream belongs to the next part of the program's work. */
  beginPart(stream: Stream): void {
    this.#outputTail.beginPart(stream);
  }

  async write(stream: Stream, text: string): Promise<void> {
    this.#take(stream, replaceNul(text));
    if (this.#buffer.isFull) await this.#flush('full events');
    if (!this.#buffer.isEmpty) this.#flushLater();
  }

  /**
   * Writes events of an agent at once, after all earlier output. Events over the run's limit are counted like output.
   */
  async writeEvents(drafts: readonly EventDraft[]): Promise<void> {
    for (const draft of drafts) {
      const event = fitEvent(draft.type === 'usage' ? { type: 'usage', data: this.#usage.note(draft.data) } : draft);
      const { type, data } = event;
      if (type === 'tool_call') this.#calls.begin(data.id, data.name, { ...data, atMs: this.#clock.monotonicMs() });
      if (type === 'tool_result') this.#calls.end(data.id);
      const bytes = Buffer.byteLength(JSON.stringify(data)) + eventCostBytes;
      if (this.#cutBytes === 0 && this.#keptBytes + bytes <= this.#logBytes) {
        this.#buffer.pushEvent(event, bytes);
        this.#keptBytes += bytes;
      } else {
        if (type === 'usage') this.#cutUsage = event;
        this.#cutBytes += bytes;
      }
    }
    if (this.#buffer.isFull) await this.#flush('everything');
    else if (!this.#buffer.isEmpty) this.#flush('everything').catch(this.#onFailure);
  }

  /** Writes a line of the server itself after all earlier output. */
  async writeSystem(text: string): Promise<void> {
    await this.#writeLine(text, {});
  }

  /** Writes such a line in its place, and does not wait for that. */
  noteSystem(text: string): void {
    this.writeSystem(text).catch(this.#onFailure);
  }

  /** Writes a warning for the caller of the run. */
  async writeWarning(text: string): Promise<void> {
    await this.#writeLine(`warning: ${text}`, { level: 'warning' });
  }

  async #writeLine(text: string, more: { readonly level?: 'warning' }): Promise<void> {
    const line = `${headOfUtf8(text, sizes.logEventBytes - 1)}\n`;
    this.#buffer.pushEvent({ type: 'log', data: { stream: 'system', text: line, ...more } }, line.length);
    await this.#flush('everything');
  }

  /** Writes the rest and reports what was cut. */
  async finish(): Promise<void> {
    this.#over.abort();
    await this.#flush('everything');
    const cut = this.#cutBytes;
    const usage = this.#cutUsage;
    this.#cutBytes = 0;
    this.#cutUsage = undefined;
    if (usage !== undefined) await this.#append([usage]);
    if (cut > 0)
      await this.writeSystem(
        `the log ends here: ${counted(cut, 'more byte')} of output ${cut === 1 ? 'was' : 'were'} not kept (limit: ${this.#logBytes} bytes)`,
      );
  }

  #take(stream: Stream, text: string): void {
    this.#outputTail.push(stream, text);
    if (stream === 'stdout') this.#stdout.push(text);
    const bytes = Buffer.byteLength(text);
    const room = this.#cutBytes > 0 ? 0 : Math.max(0, this.#logBytes - this.#keptBytes);
    const kept = bytes <= room ? text : headOfUtf8(text, room);
    const keptBytes = bytes <= room ? bytes : Buffer.byteLength(kept);
    this.#cutBytes += bytes - keptBytes;
    this.#keptBytes += keptBytes;
    if (kept !== '' && this.#buffer.pushText(stream, kept)) this.#keptBytes += eventCostBytes;
  }

  #flushLater(): void {
    if (this.#isTimed) return;
    this.#isTimed = true;
    const later = async () => {
      await this.#clock.sleep(gatherMs, this.#over.signal).catch(() => {});
      this.#isTimed = false;
      await this.#flush('everything');
    };
    later().catch(this.#onFailure);
  }

  /** Writes one after another. After a failed write, all later ones fail. */
  #flush(what: 'full events' | 'everything'): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      for (const events of this.#buffer.take(what)) await this.#append(events);
    });
    return this.#writing;
  }
}
