import { closeSync, existsSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';

/** One living process from /proc. `pid` and `startTicks` together are unique. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly startTicks: string;
}

/** Only Linux shows every process with its environment. Elsewhere there are only process groups. */
export const hasProcessTable = process.platform === 'linux';

/** Any process on the machine can have a path that is too long to read. */
const absences: readonly unknown[] = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'ENAMETOOLONG'];

/**
 * Reads every living process except kernel threads and zombies. It reads all at once, because a longer look misses
 * more. Throws if /proc cannot be read.
 */
export function readProcessTable(): readonly ProcessRow[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => readLiving(Number(name)) ?? []);
}

/** Undefined if the process does not exist or cannot be read. */
export function readProcess(pid: number): ProcessRow | undefined {
  try {
    return readLiving(pid);
  } catch {
    return undefined;
  }
}

/** The session of this process, which never changes. */
export const ownSession = readProcess(process.pid)?.session;

/** Start time of a process, even of a zombie; '' if it does not exist. */
export function readStartTicks(pid: number): string {
  return readStat(pid)?.row.startTicks ?? '';
}

/** Whether a process has begun to end. The kernel takes some time for that, longest for a namespace's first process. */
export function isExiting(pid: number): boolean {
  return readStat(pid)?.isExiting ?? true;
}

/** Environment at the start of a process: `NAME=value` joined by NUL; '' if it cannot be read. */
export function readEnviron(pid: number): string {
  return readProcFile(pid, 'environ');
}

/** Working folder of a process, a real path; '' if it cannot be read. */
export function readWorkingFolder(pid: number): string {
  return readOr('', () => readlinkSync(`/proc/${pid}/cwd`));
}

/** Paths of a process's open files and named pipes; empty if they cannot be read. */
export function readOpenFiles(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  return readOr([], () => readdirSync(folder)).map(name => readOr('', () => readlinkSync(`${folder}/${name}`)));
}

/** Children of a process, if it has a single thread. Undefined if this kernel does not list them. */
export function readChildren(pid: number): readonly number[] | undefined {
  const text = readProcFile(pid, `task/${pid}/children`);
  if (text === '' && !listsChildren) return undefined;
  return text
    .split(' ')
    .filter(name => name !== '')
    .map(Number);
}

const listsChildren = existsSync(`/proc/self/task/${process.pid}/children`);

function readLiving(pid: number): ProcessRow | undefined {
  const stat = readStat(pid);
  return stat?.isAlive === true ? stat.row : undefined;
}

interface Stat {
  readonly row: ProcessRow;
  readonly isAlive: boolean;
  readonly isExiting: boolean;
}

function readStat(pid: number): Stat | undefined {
  const stat = readProcFile(pid, 'stat');
  // The second field is the program's name in parentheses, which may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  const [flags, threads, startTicks] = [fields[6], fields[17], fields[19]];
  if (startTicks === undefined) return undefined;
  const row = { pid, parent: Number(parent), group: Number(group), session: Number(session), startTicks };
  // A program whose first thread ended looks like a zombie but lives in its other threads. Only kernel threads have
  // no group.
  const isDead = (state === 'Z' || state === 'X') && Number(threads) <= 1;
  return { row, isAlive: !isDead && row.group > 0, isExiting: (Number(flags) & exitingFlag) !== 0 };
}

/** PF_EXITING of the kernel's include/linux/sched.h. */
const exitingFlag = 4;

/** Kept between reads: a look at the machine reads hundreds of files, and `readFileSync` makes three buffers for each. */
let buffer = Buffer.allocUnsafe(16 * 1024);

function readProcFile(pid: number, name: string): string {
  return readOr('', () => {
    const file = openSync(`/proc/${pid}/${name}`, 'r');
    try {
      for (let end = 0; ; ) {
        end += readSync(file, buffer, end, buffer.length - end, null);
        // Files of /proc fill what they are given, so a short read is the last one.
        if (end < buffer.length) return buffer.toString('latin1', 0, end);
        buffer = Buffer.concat([buffer], 2 * buffer.length);
      }
    } finally {
      closeSync(file);
    }
  });
}

function readOr<Value>(absent: Value, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    // These errors mean that the process is gone or belongs to another user. Any other, such as too many open files,
    // must not look like an empty table.
    if (error instanceof Error && 'code' in error && absences.includes(error.code)) return absent;
    throw error;
  }
}
