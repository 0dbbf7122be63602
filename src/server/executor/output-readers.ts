import type { Readable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import type { ExecutorRequest } from './executor.ts';

/** Once every process is gone, the pipes hold what is left and then end: no pause is longer than this, and no rest larger. */
const drainPauseMs = 1000;
const drainBytes = 4 * 1024 * 1024;

/** Reads both streams of a program, each chunk awaited before the next is asked for, so that the pipe fills and the program waits. */
export class OutputReaders {
  /** Resolves when neither stream is read any more. */
  readonly done: Promise<void>;
  readonly #streams: readonly Readable[];
  readonly #onOutput: ExecutorRequest['onOutput'];
  readonly #onFailure: (error: unknown) => void;
  #open = 2;
  #inHand = 0;
  #bytes = 0;

  /** `onFailure` gets what `onOutput` rejected with; nothing is read after that. */
  constructor(parts: {
    readonly streams: { readonly stdout: Readable; readonly stderr: Readable };
    readonly onOutput: ExecutorRequest['onOutput'];
    readonly onFailure: (error: unknown) => void;
  }) {
    const { stdout, stderr } = parts.streams;
    this.#streams = [stdout, stderr];
    this.#onOutput = parts.onOutput;
    this.#onFailure = parts.onFailure;
    this.done = Promise.all([this.#read(stdout, 'stdout'), this.#read(stderr, 'stderr')]).then(() => {});
  }

  /**
   * Reads to the end after every process is gone. False when somebody still holds a pipe open, so that there is a process that was
   * not found.
   */
  async drain(clock: Clock, signal: AbortSignal): Promise<boolean> {
    const limit = this.#bytes + drainBytes;
    while (this.#open > 0) {
      const before = this.#bytes;
      await Promise.race([this.done, clock.sleep(drainPauseMs, signal)]);
      const isStuck = this.#inHand === 0 && this.#bytes === before;
      if (this.#open === 0 || !(isStuck || this.#bytes > limit)) continue;
      this.#close();
      await this.done;
      return false;
    }
    return true;
  }

  /** Whether neither stream is read any more. */
  get isDone(): boolean {
    return this.#open === 0;
  }

  async #read(stream: Readable, name: 'stdout' | 'stderr'): Promise<void> {
    const chunks = stream[Symbol.asyncIterator]();
    try {
      for (;;) {
        // A stream that was closed, or a pipe that broke, holds nothing more.
        const next: IteratorResult<Uint8Array> = await chunks.next().catch(() => ({ done: true, value: undefined }));
        if (next.done === true) return;
        this.#bytes += next.value.length;
        this.#inHand += 1;
        await this.#onOutput(name, next.value);
        this.#inHand -= 1;
      }
    } catch (error) {
      this.#onFailure(error);
      this.#close();
    } finally {
      this.#open -= 1;
    }
  }

  #close(): void {
    for (const stream of this.#streams) stream.destroy();
  }
}
