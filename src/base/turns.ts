import { setImmediate } from 'node:timers/promises';

/** Lets long works take turns: one step in each turn of the event loop, so that others come in between. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when the caller may take its next step. */
  next(): Promise<void> {
    this.#last = this.#last.then(() => setImmediate());
    return this.#last;
  }
}
