import { budgets, keepHead, measureText } from '../text/budget.ts';

/** Keeps the last lines of an endless stream. */
export class RecentLines {
  readonly #max: number;
  readonly #lines: string[] = [];
  #count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get count(): number {
    return this.#count;
  }

  add(line: string): void {
    this.#count += 1;
    this.#lines.push(keepHead(line, { surface: 'logLine', room: longestUnits }));
    if (this.#lines.length > this.#max) this.#lines.shift();
  }

  /** The last lines, at most `count`, that fit into `budgets.lastLines`. */
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

/** Keeps one line with three bytes per character from using up the budget. */
const longestUnits = 2000;
