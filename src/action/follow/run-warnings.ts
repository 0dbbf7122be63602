/** The server's warnings in a run's log: something was not done or not kept, and nothing else may show it. */
import { textOfValue } from '../../base/wording/tool-text.ts';
import type { RunEvent } from '../../client/index.ts';
import { keepHead } from '../text/budget.ts';

/** Another service may send any number of warnings. */
const keptMax = 8;

export class RunWarnings {
  readonly #texts = new Set<string>();
  #leftOut = 0;

  note(event: RunEvent): void {
    if (event.type !== 'log' || event.data.stream !== 'system' || event.data.level !== 'warning') return;
    const text = keepHead(textOfValue(event.data.text), { surface: 'annotation' })
      .replace(/^warning: /, '')
      .trim();
    if (text === '' || this.#texts.has(text)) return;
    if (this.#texts.size < keptMax) this.#texts.add(text);
    else this.#leftOut += 1;
  }

  /** In order, without repetitions. A final line counts those left out. */
  list(): readonly string[] {
    return [...this.#texts, ...(this.#leftOut === 0 ? [] : [`${this.#leftOut} more warnings are in the run's log`])];
  }
}
