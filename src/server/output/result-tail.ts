import type { RunText } from '../../contract/tables/run-text.ts';
import { sizes, utf8Bytes } from '../../contract/tables/sizes.ts';
import { takeResult } from './result-text.ts';
import { TextTail } from './text-tail.ts';

/**
 * Printed output as a result: its end or, if that is invisible (blanks, escape sequences), the end of the last
 * visible output. Chunks are far smaller than a result may be.
 */
export class ResultTail {
  readonly #tail = new TextTail(sizes.resultBytes);
  /** The last chunk with visible text. */
  #seen: RunText = { text: '', leftOutBytes: 0 };
  #unseenBytes = 0;

  push(piece: string): void {
    const bytes = utf8Bytes(piece);
    // Text that leaves the tail from here on was checked.
    if (this.#unseenBytes + bytes > sizes.resultBytes) this.#look();
    this.#unseenBytes += bytes;
    this.#tail.push(piece);
  }

  /** Its text is '' if nothing visible was printed. */
  get result(): RunText {
    const result = takeResult(this.#tail);
    return result.text === '' ? this.#seen : result;
  }

  #look(): void {
    const result = takeResult(this.#tail);
    if (result.text !== '') this.#seen = result;
    this.#unseenBytes = 0;
  }
}
