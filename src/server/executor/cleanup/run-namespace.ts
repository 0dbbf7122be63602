/**
 * The PID namespace of one program. Its first process is a shell that adopts and reaps orphans, and ends with its
 * spawner. A process outside starts the program inside, waits for it, and ends with the same status.
 */
import type { Clock } from '../../../base/clock.ts';
import type { Spawner } from '../spawning/spawner.ts';
import {
  isExiting,
  type ProcessRow,
  readChildren,
  readProcess,
  readProcessTable,
  readStartTicks,
} from './process-table.ts';
import { findKin, findSame, type Leader } from './run-processes.ts';

type Argv = readonly [string, ...string[]];

/** Prefixes of command lines. Each executes the rest of the line. */
export interface NamespaceTools {
  /** Makes a namespace, and in it the program that follows. */
  readonly keeper: Argv;
  /** With `--target PID` and a program: executes it so that its children are born in the namespace of that process. */
  readonly enter: Argv;
  /** Waits for the program that follows and ends with the same status. */
  readonly wait: Argv;
  /** Takes a folder and a program. */
  readonly changeFolder: Argv;
  readonly beginSession: Argv;
}

export interface RunNamespace {
  /** The process outside that made it. It began a session that only the first process and its reader are in. */
  readonly keeper: Leader;
  /** Programs start and go on only in one that is alive. Unknown while nothing in /proc can be read. */
  look(): 'alive' | 'ending' | 'unknown';
  /** Wraps a command line so that it runs in the namespace and in a folder. The environment stays as it is. */
  wrap(argv: Argv, cwd: string): Argv;
  /**
   * Finds the namespace's living processes except its own. `waiter` is the process started with a wrapped command
   * line. While it lives without a child, it stands for the program: about to start, or just ended. Throws if
   * processes cannot be listed.
   */
  findProcesses(waiter: Leader): ProcessRow[];
  /** Kills the whole namespace. False if the kernel did not end every process in time. */
  end(): Promise<boolean>;
}

/** The kernel waits for every process of the namespace, and one stuck on a disk delays the end. */
const exitMs = 10_000;

/** Makes a namespace. Throws Error with the tool's message if the system refuses. */
export async function openRunNamespace(
  tools: NamespaceTools,
  env: Readonly<Record<string, string>>,
  { clock, spawner }: { readonly clock: Clock; readonly spawner: Spawner },
): Promise<RunNamespace> {
  const { first, gone, isHeld } = await spawner.openNamespace(tools.keeper, env);
  let keeper: Leader;
  try {
    keeper = { pid: first.parent, startTicks: readStartTicks(first.parent) };
  } catch (error) {
    killFirst(first);
    throw error;
  }
  return {
    keeper,
    look() {
      if (!isHeld()) return 'ending';
      try {
        return readStartTicks(first.pid) === first.startTicks && !isExiting(first.pid) ? 'alive' : 'ending';
      } catch {
        return 'unknown';
      }
    },
    wrap(argv, cwd) {
      const [enter, ...rest] = tools.enter;
      const target = ['--target', String(first.pid), '--'];
      return [enter, ...rest, ...target, ...tools.wait, ...tools.changeFolder, cwd, ...tools.beginSession, ...argv];
    },
    findProcesses(waiter) {
      if (isEmpty(first, waiter)) return [];
      const table = readProcessTable();
      const waiting = findSame(table, [waiter]);
      const found = findKin(table, { leaders: [], members: [...findSame(table, [first]), ...waiting] });
      // Only the first process and its reader belong to the keeper's session, and no other process can join it.
      const inside = found.filter(row => row.session !== first.session && row.pid !== waiter.pid);
      return inside.length > 0 ? inside : waiting;
    },
    async end() {
      killFirst(first);
      const over = new AbortController();
      const inTime = await Promise.race([gone.then(() => true), clock.sleep(exitMs, over.signal).then(() => false)]);
      over.abort();
      return inTime;
    },
  };
}

/** Without a free descriptor nothing in /proc can be read, and it is killed all the same. */
function killFirst(first: ProcessRow): void {
  const found = readProcess(first.pid);
  if (found !== undefined && found.startTicks !== first.startTicks) return;
  try {
    process.kill(first.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/**
 * True if only the first process and its reader are left: the first process adopts everyone whose parent has ended.
 * Otherwise the whole table tells.
 */
function isEmpty(first: ProcessRow, waiter: Leader): boolean {
  if (readProcess(waiter.pid)?.startTicks === waiter.startTicks) return false;
  const children = readChildren(first.pid);
  return children?.every(pid => readProcess(pid)?.session === first.session) === true;
}
