import { budgets, keepHead, measureText } from '../text/budget.ts';

/** The last lines of something that may be without end. */
export class RecentLines {
  readonly #max: number;
  readonly #lines: string[] = [];
  #count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** How many there were in all. */
  get count(): number {
    return this.#count;
  }

  add(line: string): void {
    this.#count += 1;
    this.#lines.push(keepHead(line, { surface: 'logLine', room: longestUnits }));
    if (this.#lines.length > this.#max) this.#lines.shift();
  }

  /** The last of them, at most `count`, that have `budgets.lastLines` together. */
  last(count: number): readonly string[] {
    let left: number = budgets.lastLines.max;
    let first = this.#lines.length;
    for (; first > Math.max(0, this.#lines.length - count); first -= 1) {
      left -= measureText(this.#lines[first - 1] ?? '', 'lastLines') + 1;
      if (left < 0) break;
    }
    return this.#lines.slice(first);
  }
}

/** So that one line of three bytes a character does not take the room of all. */
const longestUnits = 2000;
