import type { Readable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import type { ExecutorRequest } from './executor.ts';

/** Once every process is gone, the pipes end after their remaining bytes. This limits a pause between chunks. */
const drainPauseMs = 1000;
const drainBytes = 4 * 1024 * 1024;

/** Reads both streams of a program. It awaits each chunk before the next, so the pipe fills and the program waits. */
export class OutputReaders {
  /** Resolves when neither stream is read any more. */
  readonly done: Promise<void>;
  readonly #streams: readonly Readable[];
  readonly #onOutput: ExecutorRequest['onOutput'];
  readonly #onFailure: (error: unknown) => void;
  #open = 2;
  #inHand = 0;
  #bytes = 0;

  /** `onFailure` gets the error of `onOutput`. Nothing is read after that. */
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

  /** Reads to the end after every process is gone. False if a process that was not found holds a pipe open. */
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

  get isDone(): boolean {
    return this.#open === 0;
  }

  async #read(stream: Readable, name: 'stdout' | 'stderr'): Promise<void> {
    const chunks = stream[Symbol.asyncIterator]();
    try {
      for (;;) {
        // A closed stream or a broken pipe has no more data.
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
