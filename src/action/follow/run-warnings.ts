/** What the server warns of in the log of a run: something was not done or not kept, and nothing else of the run may show it. */
import { textOfValue } from '../../base/wording/tool-text.ts';
import type { RunEvent } from '../../client/index.ts';
import { keepHead } from '../text/budget.ts';

/** Another service may warn of any number of things. */
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

  /** As they came, each once; a last one says how many were left out. */
  list(): readonly string[] {
    return [...this.#texts, ...(this.#leftOut === 0 ? [] : [`${this.#leftOut} more warnings are in the run's log`])];
  }
}
