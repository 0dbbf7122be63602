/**
 * The states of a run, which two sources tell: its events, one by one from the first on, and the run itself, as it is when it is looked at. Either may be ahead
 * of the other, and either may be missing. The numbers of the events say who is.
 */
import type { Run } from '../../client/index.ts';

export interface StateChange {
  readonly state: string;
  /** RFC 3339, by the server's clock. */
  readonly at?: string | undefined;
}

/** A server that changes the state without end fills no memory. */
const changesMax = 100;
const stateUnits = 100;

export class StateHistory {
  readonly #byEvents: StateChange[] = [];
  readonly #byRuns: StateChange[] = [];
  #shown: string | undefined;
  /** The number of the last event that the shown state reflects. */
  #shownSeq = 0;

  /** The state, where it is news for a reader. */
  noteRun({
    state,
    last_seq = this.#shownSeq,
    updated_at,
  }: Pick<Run, 'state' | 'last_seq' | 'updated_at'>): string | undefined {
    if (last_seq < this.#shownSeq) return undefined;
    keepChange(this.#byRuns, { state: cut(state), at: updated_at });
    return this.#show(cut(state), last_seq);
  }

  /** The same of an event; `seq` is 0 where events are only made of the run. */
  noteEvent({ state, at, seq }: StateChange & { readonly seq: number }): string | undefined {
    keepChange(this.#byEvents, { state: cut(state), at });
    return seq > 0 && seq <= this.#shownSeq ? undefined : this.#show(cut(state), seq);
  }

  /** Every change, from the first on. */
  list(): readonly StateChange[] {
    const last = this.#byRuns.at(-1);
    if (this.#byEvents.length === 0) return [...this.#byRuns];
    const isMissing = last !== undefined && last.state !== this.#byEvents.at(-1)?.state && last.state === this.#shown;
    return isMissing ? [...this.#byEvents, last] : [...this.#byEvents];
  }

  #show(state: string, seq: number): string | undefined {
    this.#shownSeq = Math.max(this.#shownSeq, seq);
    if (state === this.#shown) return undefined;
    this.#shown = state;
    return state;
  }
}

function keepChange(changes: StateChange[], change: StateChange): void {
  if (changes.at(-1)?.state === change.state) return;
  changes.push(change);
  if (changes.length > changesMax) changes.shift();
}

/** Another service may say anything. */
function cut(state: unknown): string {
  return String(state).slice(0, stateUnits);
}
