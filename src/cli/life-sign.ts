import { type Clock, systemClock } from '../base/clock.ts';
import type { Shell } from './shell.ts';

/** Where a line cannot be replaced, one is enough for a log that nothing else was added to for so long. */
const silenceMs = 60_000;

/** Shows that a command still waits: one line that changes, or a line after each minute without another. */
export class LifeSign {
  readonly #shell: Pick<Shell, 'note' | 'showStatus' | 'canReplace'>;
  readonly #clock: Clock;
  readonly #fromMs: number;
  #state = 'waiting';
  #heardMs: number;

  constructor(shell: Pick<Shell, 'note' | 'showStatus' | 'canReplace'>, clock: Clock = systemClock) {
    this.#shell = shell;
    this.#clock = clock;
    this.#fromMs = clock.monotonicMs();
    this.#heardMs = this.#fromMs;
  }

  setState(state: string): void {
    this.#state = state;
  }

  /** Another line was shown. */
  reset(): void {
    this.#heardMs = this.#clock.monotonicMs();
  }

  look(): void {
    const nowMs = this.#clock.monotonicMs();
    const text = `${this.#state}, ${printElapsed(nowMs - this.#fromMs)}`;
    if (this.#shell.canReplace) this.#shell.showStatus(text);
    else if (nowMs - this.#heardMs >= silenceMs) {
      this.#shell.note(`still ${text}`, 'quiet');
      this.#heardMs = nowMs;
    }
  }
}

function printElapsed(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
