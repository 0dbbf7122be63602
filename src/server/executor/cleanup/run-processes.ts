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

/** The first process of a run. Its pid is also its session id. */
export interface Leader {
  readonly pid: number;
  readonly startTicks: string;
}

/** Selects processes. */
export interface RunScope {
  readonly markers: readonly Marker[];
  /** The first processes of sessions that began within the scope. */
  readonly leaders: readonly Leader[];
  /** Processes that were seen to descend from a leader. */
  readonly seen?: readonly Leader[];
  /** Real paths. A process in or below one belongs to the scope, unless it has another run's marker. */
  readonly folders?: readonly string[];
  readonly orphans?: readonly Orphans[];
  /** Start of the scope in ticks: no process with a marker or an orphan is older. @default unknown */
  readonly since?: string | undefined;
  /** `pipe:[…]` of pipes that identify a process. Checking is slow because it reads all open files. */
  readonly pipes?: readonly string[];
}

/** Selects processes that lost their parent and have no other tie to their run. */
export interface Orphans {
  /**
   * The run's own folder, a real path. An orphan's environment names it or the run's id: OLDPWD, HOME or TMPDIR often
   * remain when the marker is removed.
   */
  readonly runFolder: string;
  readonly runId: string;
  /** A real path. Orphans work in it or below. @default none */
  readonly folder?: string | undefined;
  /** Orphans began no earlier than this process. */
  readonly since: Leader;
  /** Processes that adopt orphans. */
  readonly reapers: readonly number[];
  /** Orphans began no later, in the same ticks. @default no limit */
  readonly until?: string | undefined;
}

/**
 * Processes that may adopt an orphan: pid 1, or an ancestor of this process. Its own parent is left out, because that
 * starts programs itself and rarely adopts any.
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
 * Finds every living process of a scope. A process belongs to it by its marker, by an earlier sighting, by its
 * folder, by a pipe, as an orphan, by its session, or as a descendant of one of these. A process is missed only if it
 * changed its environment, session, folder and pipes, and lost its parent before it was seen.
 */
export function findProcesses(scope: RunScope): ProcessRow[] {
  const { markers, leaders, seen = [], folders = [], pipes = [], orphans = [], since = '' } = scope;
  const table = readProcessTable();
  const isMarked = createMarkerTest(markers);
  const isOfServer = createMarkerTest(markers.map(({ serverId }) => ({ serverId })));
  const byTrace: ProcessRow[] = [];
  const byMarker = table.filter(row => {
    const isOlder = Number(row.startTicks) < Number(since);
    const isThere = worksIn(row.pid, folders) || holdsOneOf(row.pid, pipes);
    if (isOlder && !isThere) return false;
    const environ = readEnviron(row.pid);
    if (isMarked(environ)) return true;
    if (isOfServer(environ)) return false;
    if (isThere || orphans.some(those => isOrphan(row, those, environ))) byTrace.push(row);
    return false;
  });
  return findKin(table, { leaders, members: [...byMarker, ...findSame(table, seen)], others: byTrace });
}

/**
 * Returns the members, every process in their sessions or in the leaders', and all descendants. A process enters a
 * session only by birth, so one member proves the whole session. That does not hold for `others`, which may come from
 * elsewhere.
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

/** Returns the current rows of processes that still live. */
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
  // A shell that a user opened in the folder has a parent, and so do its children.
  if (!orphans.reapers.includes(row.parent) || began < Number(since.startTicks) || began > Number(until)) return false;
  return namesRun(environ, orphans) || (folder !== undefined && worksIn(row.pid, [folder]));
}

/** True if an environment from /proc has the run's id or a path in the run's folder. */
function namesRun(environ: string, { runFolder, runId }: Orphans): boolean {
  const parts = environ.split(Buffer.from(runFolder).toString('latin1'));
  const isPath = (part: string, index: number) => /^(?:[/:\0]|$)/.test(part) && /[=:]$/.test(parts[index - 1] ?? '');
  return parts.some(isPath) || environ.split('\0').includes(`AGENT_RUN_ID=${runId}`);
}

function holdsOneOf(pid: number, pipes: readonly string[]): boolean {
  return pipes.length > 0 && readOpenFiles(pid).some(path => pipes.includes(path));
}

/** False if another process now has the leader's pid. The kernel reuses it only after the whole session is gone. */
function isSame(table: readonly ProcessRow[], leader: Leader): boolean {
  const row = table.find(candidate => candidate.pid === leader.pid);
  return row === undefined || row.startTicks === leader.startTicks;
}

/**
 * Sends a signal to the process group that a leader began. False if the group is empty. A group keeps its number
 * while it has members, so only a new process with that pid means that the number was reused.
 */
export function signalLeaderGroup({ pid, startTicks }: Leader, signal: NodeJS.Signals | 0): boolean {
  try {
    return ['', startTicks].includes(readStartTicks(pid)) && sendSignal(-pid, signal);
  } catch {
    return false;
  }
}

/** Sends a signal, unless the pid was reused. */
export function signalProcess(row: ProcessRow, signal: NodeJS.Signals): void {
  if (readProcess(row.pid)?.startTicks === row.startTicks) sendSignal(row.pid, signal);
}

/**
 * Kills process groups, each once. The kernel kills a group atomically, so no fork escapes. A process in the server's
 * own session is killed alone.
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

/** False if the process is gone or belongs to another user. */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
