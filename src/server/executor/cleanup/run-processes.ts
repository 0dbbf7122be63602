import { basename } from 'node:path';
import { createMarkerTest, type Marker } from './marker.ts';
import {
  ownSession,
  type ProcessRow,
  readEnviron,
  readOpenFiles,
  readProcess,
  readProcessTable,
  readStartTicks,
  readWorkingFolder,
} from './process-table.ts';

/** The first process of a run: its pid is also the number of its session. */
export interface Leader {
  readonly pid: number;
  readonly startTicks: string;
}

/** Whose processes are meant. */
export interface RunScope {
  readonly markers: readonly Marker[];
  /** The first processes of sessions that began within the scope. */
  readonly leaders: readonly Leader[];
  /** Processes that were seen to descend from a leader. */
  readonly seen?: readonly Leader[];
  /** Real paths. What works in one of them, or below, belongs to the scope, unless it has the marker of another run. */
  readonly folders?: readonly string[];
  readonly orphans?: readonly Orphans[];
  /** Beginnings of the names of pipes; whoever holds one belongs to the scope. To be asked for seldom: there are many open files. */
  readonly pipes?: readonly string[];
}

/** Processes that lost their parent, which nothing else ties to the run that they come from. */
export interface Orphans {
  /** A real path that is the run's alone. Their environment names it, or the run's id: a program that sheds the marker keeps OLDPWD, HOME or TMPDIR. */
  readonly runFolder: string;
  readonly runId: string;
  /** A real path: they work in it, or below. @default none */
  readonly folder?: string | undefined;
  /** They began no earlier than this process. */
  readonly since: Leader;
  /** Who the kernel gives them to. */
  readonly reapers: readonly number[];
  /** In the same ticks: they began no later. @default at any time */
  readonly until?: string | undefined;
}

/**
 * Whom the kernel may give a process of a run to when its parent ends: the first process of all, or an ancestor of this one. Its own parent is
 * left out, which starts programs itself and is asked for no others.
 */
export function findReapers(): readonly number[] {
  const reapers = new Set([1]);
  for (let pid = readProcess(process.ppid)?.parent ?? 0; pid > 0 && !reapers.has(pid); ) {
    reapers.add(pid);
    pid = readProcess(pid)?.parent ?? 0;
  }
  return [...reapers];
}

/**
 * Every living process of a scope: those with one of its markers, those seen before, those in its folders or with its pipes, its orphans (also those whose environment names it),
 * those in a session that began within it, and the descendants of all. What is missed has to have got rid of everything: environment, session,
 * parent (before it was seen), folder and pipes.
 */
export function findProcesses(scope: RunScope): ProcessRow[] {
  const { markers, leaders, seen = [], folders = [], pipes = [], orphans = [] } = scope;
  const table = readProcessTable();
  const isMarked = createMarkerTest(markers);
  const isOfServer = createMarkerTest(markers.map(({ serverId }) => ({ serverId })));
  const byTrace: ProcessRow[] = [];
  const byMarker = table.filter(row => {
    const environ = readEnviron(row.pid);
    if (isMarked(environ)) return true;
    if (isOfServer(environ)) return false;
    if (worksIn(row.pid, folders) || orphans.some(those => isOrphan(row, those, environ)) || holdsOneOf(row.pid, pipes))
      byTrace.push(row);
    return false;
  });
  return findKin(table, { leaders, members: [...byMarker, ...findSame(table, seen)], others: byTrace });
}

/**
 * The members, whatever is in a session that one of them is in or a leader began, and the descendants of all. A session is only ever
 * entered by birth, so that one member proves the rest of it. That does not hold for `others`, which may have come from elsewhere.
 */
export function findKin(table: readonly ProcessRow[], { leaders, members, others = [] }: KinSeeds): ProcessRow[] {
  const sessions = new Set(leaders.filter(leader => isSame(table, leader)).map(leader => leader.pid));
  const found = new Map<number, ProcessRow>();
  const rest = new Set(table.filter(row => row.pid !== 1 && row.pid !== process.pid));
  const addKin = (row: ProcessRow) => {
    if (!rest.delete(row)) return;
    found.set(row.pid, row);
    if (row.session !== ownSession && row.session > 0) sessions.add(row.session);
  };
  for (const row of members) addKin(row);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const row of rest) if (sessions.has(row.session) || found.has(row.parent)) addKin(row);
  }
  for (const row of others) if (rest.delete(row)) found.set(row.pid, row);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const row of rest) if (found.has(row.parent) && rest.delete(row)) found.set(row.pid, row);
  }
  return [...found.values()];
}

interface KinSeeds {
  readonly leaders: readonly Leader[];
  readonly members: readonly ProcessRow[];
  readonly others?: readonly ProcessRow[];
}

/** Those of some processes that still live, as the table has them now. */
export function findSame(table: readonly ProcessRow[], processes: readonly Leader[]): ProcessRow[] {
  if (processes.length === 0) return [];
  const rows = new Map(table.map(row => [row.pid, row]));
  return processes.flatMap(({ pid, startTicks }) => {
    const row = rows.get(pid);
    return row?.startTicks === startTicks ? [row] : [];
  });
}

function worksIn(pid: number, folders: readonly string[]): boolean {
  if (folders.length === 0) return false;
  const path = readWorkingFolder(pid);
  return folders.some(folder => path === folder || path.startsWith(`${folder}/`) || path === `${folder} (deleted)`);
}

function isOrphan(row: ProcessRow, orphans: Orphans, environ: string): boolean {
  const { folder, since, until = 'Infinity' } = orphans;
  const began = Number(row.startTicks);
  // A shell that somebody went to the folder with has a parent, and so has what it starts.
  if (!orphans.reapers.includes(row.parent) || began < Number(since.startTicks) || began > Number(until)) return false;
  return namesRun(environ, orphans) || (folder !== undefined && worksIn(row.pid, [folder]));
}

/** Whether an environment, as /proc shows it, has the run's id or a path that is or lies in its folder. */
function namesRun(environ: string, { runFolder, runId }: Orphans): boolean {
  const parts = environ.split(Buffer.from(runFolder).toString('latin1'));
  const isPath = (part: string, index: number) => /^(?:[/:\0]|$)/.test(part) && /[=:]$/.test(parts[index - 1] ?? '');
  return parts.some(isPath) || environ.split('\0').includes(`AGENT_RUN_ID=${runId}`);
}

function holdsOneOf(pid: number, pipes: readonly string[]): boolean {
  return pipes.length > 0 && readOpenFiles(pid).some(path => pipes.some(name => basename(path).startsWith(name)));
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
