/**
 * Remembers what descends from the programs that run. A process that empties its environment, leaves its session and loses its parent shows
 * nothing any more of where it came from; whoever saw it before still knows.
 */
import type { Clock } from '../../../base/clock.ts';
import { hasProcessTable, type ProcessRow, readProcessTable } from './process-table.ts';
import { findKin, findSame, type Leader } from './run-processes.ts';

const lookMs = 250;
/** Of its time, a server with thousands of processes around it spends no more than this part on looking. */
const costMax = 0.04;

/** What was seen of one program. */
export interface SeenProcesses {
  /** The program, and those of its descendants that began a session of which something is left. */
  readonly leaders: readonly Leader[];
  readonly seen: readonly Leader[];
  forget(): void;
}

/** Looks now and then, at all programs at once, as long as there are any. */
export class Descendants {
  readonly #clock: Clock;
  readonly #programs = new Set<Program>();
  /** Ends the nap of the loop; undefined while it does not run. */
  #nap: AbortController | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Sees whatever descends from a program for as long as it is not forgotten. */
  follow(leader: Leader): SeenProcesses {
    const program: Program = { leader, leaders: [leader], seen: [] };
    this.#programs.add(program);
    if (hasProcessTable && this.#nap === undefined) {
      this.#nap = new AbortController();
      void this.#keepLooking(this.#nap.signal);
    }
    return {
      get leaders() {
        return program.leaders;
      },
      get seen() {
        return program.seen;
      },
      forget: () => {
        this.#programs.delete(program);
        if (this.#programs.size > 0) return;
        this.#nap?.abort();
        this.#nap = undefined;
      },
    };
  }

  async #keepLooking(over: AbortSignal): Promise<void> {
    for (let napMs = lookMs; ; ) {
      await this.#clock.sleep(napMs, over).catch(() => {});
      if (over.aborted) return;
      const start = this.#clock.monotonicMs();
      this.#look();
      napMs = Math.max(lookMs, (this.#clock.monotonicMs() - start) / costMax);
    }
  }

  #look(): void {
    let table: readonly ProcessRow[];
    try {
      table = readProcessTable();
    } catch {
      // No more open files, say: the next look sees more, and the sweep looks for itself.
      return;
    }
    for (const program of this.#programs) {
      const seen = findKin(table, { leaders: program.leaders, members: findSame(table, program.seen) });
      const began = [...program.leaders.slice(1), ...seen.filter(row => row.pid === row.session)];
      program.seen = seen;
      program.leaders = [program.leader, ...keepOpenSessions(began, program.leader, table)];
    }
  }
}

interface Program {
  readonly leader: Leader;
  leaders: readonly Leader[];
  seen: readonly Leader[];
}

/** Each once, without those whose session is empty: its number may go to others. */
function keepOpenSessions(began: readonly Leader[], first: Leader, table: readonly ProcessRow[]): readonly Leader[] {
  const open = new Set(table.map(row => row.session));
  const byPid = new Map(began.map(({ pid, startTicks }) => [pid, { pid, startTicks }]));
  byPid.delete(first.pid);
  return [...byPid.values()].filter(({ pid }) => open.has(pid));
}
