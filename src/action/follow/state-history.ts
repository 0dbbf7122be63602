/**
 * The states of a run from two sources: its events, one by one from the first, and the run as last read. Either may
 * be ahead of the other, and either may be missing. Event numbers tell which one is ahead.
 */
import type { Run } from '../../client/index.ts';

export interface StateChange {
  readonly state: string;
  /** RFC 3339, by the server's clock. */
  readonly at?: string | undefined;
}

/** Limits memory for a server that changes states endlessly. */
const changesMax = 100;
const stateUnits = 100;

export class StateHistory {
  readonly #byEvents: StateChange[] = [];
  readonly #byRuns: StateChange[] = [];
  #shown: string | undefined;
  /** Number of the last event that the shown state includes. */
  #shownSeq = 0;

  /** Returns the state if a reader does not know it yet. */
  noteRun({
    state,
    last_seq = this.#shownSeq,
    updated_at,
  }: Pick<Run, 'state' | 'last_seq' | 'updated_at'>): string | undefined {
    if (last_seq < this.#shownSeq) return undefined;
    keepChange(this.#byRuns, { state: cut(state), at: updated_at });
    return this.#show(cut(state), last_seq);
  }

  /** The same for an event. `seq` is 0 if the client derived the events from the run. */
  noteEvent({ state, at, seq }: StateChange & { readonly seq: number }): string | undefined {
    keepChange(this.#byEvents, { state: cut(state), at });
    return seq > 0 && seq <= this.#shownSeq ? undefined : this.#show(cut(state), seq);
  }

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

/** Another service may send any value. */
function cut(state: unknown): string {
  return String(state).slice(0, stateUnits);
}
