/**
 * Remembers the descendants of running programs. A process that empties its environment, leaves its session and loses
 * its parent keeps no trace of its origin. An earlier sighting identifies it.
 */
import type { Clock } from '../../../base/clock.ts';
import { hasProcessTable, type ProcessRow, readProcessTable } from './process-table.ts';
import { findKin, findSame, type Leader } from './run-processes.ts';

const intervalMs = 250;
/** Largest share of time spent on looking. It matters on a machine with thousands of processes. */
const costMax = 0.04;

export interface SeenProcesses {
  /** The program, and those of its descendants that began a session with living members. */
  readonly leaders: readonly Leader[];
  readonly seen: readonly Leader[];
  forget(): void;
}

/** Looks at all programs at intervals, as long as there are any. */
export class Descendants {
  readonly #clock: Clock;
  readonly #programs = new Set<Program>();
  /** Ends the loop's pause; undefined while the loop is stopped. */
  #pause: AbortController | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Tracks the descendants of a program until it is forgotten. */
  follow(leader: Leader): SeenProcesses {
    const program: Program = { leader, leaders: [leader], seen: [] };
    this.#programs.add(program);
    if (hasProcessTable && this.#pause === undefined) {
      this.#pause = new AbortController();
      void this.#keepLooking(this.#pause.signal);
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
        this.#pause?.abort();
        this.#pause = undefined;
      },
    };
  }

  async #keepLooking(over: AbortSignal): Promise<void> {
    for (let pauseMs = intervalMs; ; ) {
      await this.#clock.sleep(pauseMs, over).catch(() => {});
      if (over.aborted) return;
      const start = this.#clock.monotonicMs();
      this.#update();
      pauseMs = Math.max(intervalMs, (this.#clock.monotonicMs() - start) / costMax);
    }
  }

  #update(): void {
    let table: readonly ProcessRow[];
    try {
      table = readProcessTable();
    } catch {
      // The cause may be too many open files. The next update may succeed, and the sweep looks again.
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

/** Removes duplicates and empty sessions, because the kernel may reuse the number of an empty session. */
function keepOpenSessions(began: readonly Leader[], first: Leader, table: readonly ProcessRow[]): readonly Leader[] {
  const open = new Set(table.map(row => row.session));
  const byPid = new Map(began.map(({ pid, startTicks }) => [pid, { pid, startTicks }]));
  byPid.delete(first.pid);
  return [...byPid.values()].filter(({ pid }) => open.has(pid));
}
