import { isStartVisible, isVisible } from '../../border/visible-text.ts';
import type { RunText } from '../../contract/tables/run-text.ts';
import { sizes } from '../../contract/tables/sizes.ts';
import { takeResult } from './result-text.ts';
import { TextTail } from './text-tail.ts';

/** Almost always visible. Looking at the whole tail takes milliseconds. */
const headBytes = 4096;

/**
 * Printed output as a result: its end or, if that is invisible (blanks, escape sequences), the end of the last
 * visible output. Chunks are far smaller than a result may be.
 */
export class ResultTail {
  readonly #tail = new TextTail(sizes.resultBytes);
  /** A copy of the tail when it was last visible. */
  readonly #seen = new TextTail(sizes.resultBytes);
  #unseenBytes = 0;
  /** Whether a piece of the unseen text is visible by itself. Otherwise their sum is not either. */
  #mayShow = false;

  push(piece: string): void {
    const bytes = Buffer.byteLength(piece);
    // Text that leaves the tail from here on was checked.
    if (this.#unseenBytes + bytes > sizes.resultBytes) this.#look();
    this.#unseenBytes += bytes;
    this.#mayShow ||= isVisible(piece);
    this.#tail.push(piece);
  }

  /** Its text is '' if nothing visible was printed. */
  get result(): RunText {
    const result = takeResult(this.#tail);
    return result.text === '' ? takeResult(this.#seen) : result;
  }

  #look(): void {
    const tail = this.#tail;
    if (this.#mayShow && (isStartVisible(tail.head(headBytes)) || isVisible(tail.text))) this.#seen.assign(tail);
    this.#unseenBytes = 0;
    this.#mayShow = false;
  }
}
