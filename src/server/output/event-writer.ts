import { TextDecoder } from 'node:util';
import type { Clock } from '../../base/clock.ts';
import { headOfUtf8 } from '../../base/text.ts';
import { OpenCalls } from '../../base/wording/open-calls.ts';
import type { EventDraft } from '../../contract/events.ts';
import type { RunText } from '../../contract/tables/run-text.ts';
import { sizes, utf8Bytes } from '../../contract/tables/sizes.ts';
import { fitEvent } from './event-size.ts';
import { OutputTail } from './output-tail.ts';
import { ResultTail } from './result-tail.ts';
import { UsageSum } from './usage-sum.ts';

type Stream = 'stdout' | 'stderr';

interface Piece {
  readonly stream: Stream;
  text: string;
}

/** Unwritten output waits this long for more. */
const gatherMs = 100;
/** Cost of an event in addition to its text, so that a program printing single characters cannot fill the store. */
const eventCostBytes = 64;
const tailBytes = 64 * 1024;

/**
 * Turns the output of a program into log events, in order. An event has at most 16 KiB or 100 ms of one stream.
 * Output over the run's limit is counted, not kept. Writers wait while 16 KiB are in flight, which bounds memory.
 */
export class EventWriter {
  readonly #append: (events: readonly EventDraft[]) => Promise<void>;
  readonly #clock: Clock;
  readonly #logBytes: number;
  readonly #onFailure: (error: unknown) => void;
  readonly #decoders = { stdout: createDecoder(), stderr: createDecoder() };
  #stdout = new ResultTail();
  #outputTail = new OutputTail(tailBytes);
  readonly #over = new AbortController();
  readonly #usage: UsageSum;
  #pieces: Piece[] = [];
  #pendingBytes = 0;
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
    for (const stream of ['stdout', 'stderr'] as const) this.#take(stream, this.#decoders[stream].decode());
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

  async write(stream: Stream, chunk: Uint8Array): Promise<void> {
    this.#take(stream, this.#decoders[stream].decode(chunk, { stream: true }));
    if (this.#pendingBytes >= sizes.logEventBytes) await this.#flush('full events');
    if (this.#pendingBytes > 0) this.#flushLater();
  }

  /** Writes events of an agent after all earlier output. Events over the run's limit are counted like output. */
  async writeEvents(drafts: readonly EventDraft[]): Promise<void> {
    const kept: EventDraft[] = [];
    for (const draft of drafts) {
      const event = fitEvent(draft.type === 'usage' ? { type: 'usage', data: this.#usage.note(draft.data) } : draft);
      const { type, data } = event;
      if (type === 'tool_call') this.#calls.begin(data.id, data.name, { ...data, atMs: this.#clock.monotonicMs() });
      if (type === 'tool_result') this.#calls.end(data.id);
      const bytes = utf8Bytes(JSON.stringify(event.data)) + eventCostBytes;
      const isKept = this.#cutBytes === 0 && this.#keptBytes + bytes <= this.#logBytes;
      if (isKept) kept.push(event);
      else if (event.type === 'usage') this.#cutUsage = event;
      if (isKept) this.#keptBytes += bytes;
      else this.#cutBytes += bytes;
    }
    if (kept.length === 0) return;
    await this.#flush('everything');
    await this.#append(kept);
  }

  /** Writes a line of the server itself after all earlier output. */
  async writeSystem(text: string): Promise<void> {
    await this.#writeLine(text, {});
  }

  /** Writes a warning for the caller of the run. */
  async writeWarning(text: string): Promise<void> {
    await this.#writeLine(`warning: ${text}`, { level: 'warning' });
  }

  async #writeLine(text: string, more: { readonly level?: 'warning' }): Promise<void> {
    await this.#flush('everything');
    const line = `${headOfUtf8(text, sizes.logEventBytes - 1)}\n`;
    await this.#append([{ type: 'log', data: { stream: 'system', text: line, ...more } }]);
  }

  /** Writes the rest and reports what was cut. */
  async finish(): Promise<void> {
    this.#over.abort();
    for (const stream of ['stdout', 'stderr'] as const) this.#take(stream, this.#decoders[stream].decode());
    await this.#flush('everything');
    const cut = this.#cutBytes;
    const usage = this.#cutUsage;
    this.#cutBytes = 0;
    this.#cutUsage = undefined;
    if (usage !== undefined) await this.#append([usage]);
    if (cut > 0)
      await this.writeSystem(
        `the log ends here: ${cut} more bytes of output were not kept (limit: ${this.#logBytes} bytes)`,
      );
  }

  #take(stream: Stream, decoded: string): void {
    const text = decoded.replaceAll('\0', '\uFFFD');
    this.#outputTail.push(stream, text);
    if (stream === 'stdout') this.#stdout.push(text);
    const kept = this.#cutBytes > 0 ? '' : headOfUtf8(text, Math.max(0, this.#logBytes - this.#keptBytes));
    const keptBytes = utf8Bytes(kept);
    this.#keptBytes += keptBytes;
    this.#cutBytes += utf8Bytes(text) - keptBytes;
    if (kept === '') return;
    let last = this.#pieces.at(-1);
    if (last?.stream !== stream) {
      last = { stream, text: '' };
      this.#pieces.push(last);
      this.#keptBytes += eventCostBytes;
      this.#pendingBytes += eventCostBytes;
    }
    last.text += kept;
    this.#pendingBytes += keptBytes;
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
      const pieces = this.#pieces;
      const rest = what === 'everything' ? undefined : pieces.at(-1);
      const events = pieces.flatMap(piece => cutEvents(piece, piece === rest));
      this.#pieces = rest === undefined || rest.text === '' ? [] : [rest];
      this.#pendingBytes = this.#pieces.length === 0 ? 0 : utf8Bytes(rest?.text ?? '') + eventCostBytes;
      if (events.length > 0) await this.#append(events);
    });
    return this.#writing;
  }
}

/** Cuts output into events, at line ends if possible. With `keepRest`, an incomplete last one stays in the piece. */
function cutEvents(piece: Piece, keepRest: boolean): readonly EventDraft[] {
  const texts: string[] = [];
  while (utf8Bytes(piece.text) > sizes.logEventBytes) {
    const head = headOfUtf8(piece.text, sizes.logEventBytes);
    const text = head.slice(0, head.lastIndexOf('\n') + 1) || head;
    texts.push(text);
    piece.text = piece.text.slice(text.length);
  }
  if (!keepRest && piece.text !== '') texts.push(piece.text);
  return texts.map(text => ({ type: 'log', data: { stream: piece.stream, text } }));
}

function createDecoder(): TextDecoder {
  return new TextDecoder('utf-8', { ignoreBOM: true });
}
