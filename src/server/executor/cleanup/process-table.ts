import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** One living process, as /proc shows it. `pid` and `startTicks` together never mean another process. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly startTicks: string;
}

/** Linux shows every process with its environment; elsewhere only process groups can be had. */
export const hasProcessTable = process.platform === 'linux';

/** A path that is too long is not readable either, and any process of the machine can have one. */
const absences: readonly unknown[] = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'ENAMETOOLONG'];

/**
 * Every living process but kernel threads and zombies. Read in one go, because the longer a look takes the more it misses.
 * Throws when /proc cannot be read.
 */
export function readProcessTable(): readonly ProcessRow[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => readLiving(Number(name)) ?? []);
}

/** One living process; undefined where there is none, or it cannot be read. */
export function readProcess(pid: number): ProcessRow | undefined {
  try {
    return readLiving(pid);
  } catch {
    return undefined;
  }
}

/** The session of this process, which never changes. */
export const ownSession = readProcess(process.pid)?.session;

/** When a process was started, also when it is a zombie by now; '' where there is none. */
export function readStartTicks(pid: number): string {
  return readStat(pid)?.row.startTicks ?? '';
}

/** The environment that a process was started with: `NAME=value` joined by NUL; '' when it cannot be read. */
export function readEnviron(pid: number): string {
  return readProcFile(pid, 'environ');
}

/** The folder that a process works in, with every link resolved; '' when it cannot be read. */
export function readWorkingFolder(pid: number): string {
  return readOr('', () => readlinkSync(`/proc/${pid}/cwd`));
}

/** What a process has open, files and named pipes by the path that they were opened with; none when it cannot be read. */
export function readOpenFiles(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  return readOr([], () => readdirSync(folder)).map(name => readOr('', () => readlinkSync(`${folder}/${name}`)));
}

function readLiving(pid: number): ProcessRow | undefined {
  const stat = readStat(pid);
  return stat?.isAlive === true ? stat.row : undefined;
}

function readStat(pid: number): { readonly row: ProcessRow; readonly isAlive: boolean } | undefined {
  const stat = readProcFile(pid, 'stat');
  // The second field is the program's name in parentheses, which may itself hold blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  const [threads, startTicks] = [fields[17], fields[19]];
  if (startTicks === undefined) return undefined;
  const row = { pid, parent: Number(parent), group: Number(group), session: Number(session), startTicks };
  // A program whose first thread ended looks like a zombie and lives on in the others. Only kernel threads have no group.
  const isDead = (state === 'Z' || state === 'X') && Number(threads) <= 1;
  return { row, isAlive: !isDead && row.group > 0 };
}

function readProcFile(pid: number, name: string): string {
  return readOr('', () => readFileSync(`/proc/${pid}/${name}`, 'latin1'));
}

function readOr<Value>(absent: Value, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    // Gone meanwhile, or another user's. Anything else, such as no more open files, must not look like an empty table.
    if (error instanceof Error && 'code' in error && absences.includes(error.code)) return absent;
    throw error;
  }
}
