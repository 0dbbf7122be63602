import type { RunText } from '../../contract/tables/run-text.ts';
import { sizes, utf8Bytes } from '../../contract/tables/sizes.ts';
import { takeResult } from './result-text.ts';
import { TextTail } from './text-tail.ts';

/**
 * What is printed, as a result: its end, or, where nothing can be seen of that, the end of what came before, however much follows it. Pieces are
 * far smaller than a result may be.
 */
export class ResultTail {
  readonly #tail = new TextTail(sizes.resultBytes);
  /** The last one of which anything could be seen. */
  #seen: RunText = { text: '', leftOutBytes: 0 };
  #unseenBytes = 0;

  push(piece: string): void {
    const bytes = utf8Bytes(piece);
    // What leaves the tail from here on was looked at.
    if (this.#unseenBytes + bytes > sizes.resultBytes) this.#look();
    this.#unseenBytes += bytes;
    this.#tail.push(piece);
  }

  /** Its text is '' when nothing can be seen of anything. */
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
