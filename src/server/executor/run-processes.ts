import { createMarkerTest, type Marker } from './marker.ts';
import {
  ownSession,
  type ProcessRow,
  readEnviron,
  readProcess,
  readProcessTable,
  readStartTicks,
} from './process-table.ts';

/** The first process of a run: its pid is also the number of its session. */
export interface Leader {
  readonly pid: number;
  readonly startTicks: string;
}

/** Whose processes are meant. */
export interface RunScope {
  readonly markers: readonly Marker[];
  readonly leaders: readonly Leader[];
}

/**
 * Every living process of a scope: those with one of its markers, those in a session that began within it, and their descendants. A session
 * is only ever entered by birth, so one member of it proves the others. What is missed: a process that left its session, lost its parent and
 * was given an empty environment, all three.
 */
export function findProcesses({ markers, leaders }: RunScope): ProcessRow[] {
  const table = readProcessTable();
  const isMarked = createMarkerTest(markers);
  const sessions = new Set(leaders.filter(leader => isSame(table, leader)).map(leader => leader.pid));
  const found = new Map<number, ProcessRow>();
  const others = new Set(table.filter(row => row.pid !== 1 && row.pid !== process.pid));
  const add = (row: ProcessRow) => {
    found.set(row.pid, row);
    others.delete(row);
    if (row.session !== ownSession && row.session > 0) sessions.add(row.session);
  };
  for (const row of others) if (isMarked(readEnviron(row.pid))) add(row);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const row of others) if (sessions.has(row.session) || found.has(row.parent)) add(row);
  }
  return [...found.values()];
}

/** False when the leader's pid went to another process, which the kernel allows only after the whole session is gone. */
function isSame(table: readonly ProcessRow[], leader: Leader): boolean {
  const row = table.find(candidate => candidate.pid === leader.pid);
  return row === undefined || row.startTicks === leader.startTicks;
}

/**
 * Sends a signal to the process group that a leader began; false when nothing is left of it. A group keeps its number as long as it has
 * members, so that only a new process of that very pid means that the number went to others.
 */
export function signalLeaderGroup({ pid, startTicks }: Leader, signal: NodeJS.Signals | 0): boolean {
  try {
    return ['', startTicks].includes(readStartTicks(pid)) && sendSignal(-pid, signal);
  } catch {
    return false;
  }
}

/** Sends a signal, unless the pid went to another process meanwhile. */
export function signalProcess(row: ProcessRow, signal: NodeJS.Signals): void {
  if (readProcess(row.pid)?.startTicks === row.startTicks) sendSignal(row.pid, signal);
}

/**
 * Kills the process groups of some processes, each group once. The kernel does that as one: no fork within the group gets away.
 * A process in the server's own session is killed alone.
 */
export function killGroups(rows: readonly ProcessRow[]): void {
  const done = new Set<number>();
  for (const row of rows) {
    if (done.has(row.group)) continue;
    const now = readProcess(row.pid);
    if (now === undefined || now.startTicks !== row.startTicks) continue;
    if (now.group > 1 && now.session !== ownSession) {
      sendSignal(-now.group, 'SIGKILL');
      done.add(now.group);
    } else sendSignal(row.pid, 'SIGKILL');
  }
}

/** False where there is no such process (any more), or it is another user's. */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
