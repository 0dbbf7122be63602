/**
 * The PID namespace of one program. Its first process is a shell that adopts and reaps orphans. That shell waits for
 * the end of a pipe that only this server holds, so the namespace ends with the server. A process outside starts the
 * program inside, waits for it, and ends with the same status.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { messageOf } from '../../../base/cause.ts';
import type { Clock } from '../../../base/clock.ts';
import { type ProcessRow, readProcessTable } from './process-table.ts';
import { findKin, findSame, type Leader, signalProcess } from './run-processes.ts';

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

/** Reports its start, then waits for the end of its input. If the reader is killed, the loop starts another one. */
const firstProcess = 'echo up; exec >/dev/null 2>&1; until (read -r line || :); do :; done';
const startMs = 10_000;
/** The kernel waits for every process of the namespace, and one stuck on a disk delays the end. */
const exitMs = 10_000;

/** Makes a namespace. Throws Error with the tool's message if the system refuses. */
export async function openRunNamespace(
  tools: NamespaceTools,
  env: Readonly<Record<string, string>>,
  clock: Clock,
): Promise<RunNamespace> {
  const [file, ...args] = [...tools.keeper, '/bin/sh', '-c', firstProcess] as const;
  const keeper = spawn(file, args, { cwd: '/', env, detached: true, stdio: 'pipe' });
  // A process that failed to start has no streams.
  if (keeper.pid === undefined) throw (await once(keeper, 'error'))[0];
  const gone = waitForEnd(keeper);
  let first: ProcessRow;
  try {
    await waitForStart(keeper, gone, clock);
    first = findChild(keeper.pid);
  } catch (error) {
    keeper.stdin.destroy();
    keeper.kill('SIGKILL');
    throw new Error(`could not create a PID namespace: ${messageOf(error)}`, {
      cause: error,
    });
  }
  return {
    wrap(argv, cwd) {
      const [enter, ...rest] = tools.enter;
      const target = ['--target', String(first.pid), '--'];
      return [enter, ...rest, ...target, ...tools.wait, ...tools.changeFolder, cwd, ...tools.beginSession, ...argv];
    },
    findProcesses(waiter) {
      const table = readProcessTable();
      const waiting = findSame(table, [waiter]);
      const found = findKin(table, { leaders: [], members: [...findSame(table, [first]), ...waiting] });
      // Only the first process and its reader belong to the keeper's session, and no other process can join it.
      const inside = found.filter(row => row.session !== first.session && row.pid !== waiter.pid);
      return inside.length > 0 ? inside : waiting;
    },
    async end() {
      signalProcess(first, 'SIGKILL');
      keeper.stdin.destroy();
      const over = new AbortController();
      const inTime = await Promise.race([gone.then(() => true), clock.sleep(exitMs, over.signal).then(() => false)]);
      over.abort();
      return inTime;
    },
  };
}

/** Resolves when the first process runs. Throws Error with the tool's message. */
async function waitForStart(
  { stdout, stderr }: ChildProcessWithoutNullStreams,
  gone: Promise<string>,
  clock: Clock,
): Promise<void> {
  const over = new AbortController();
  const words = collect(stderr);
  try {
    const fault = await Promise.race([
      once(stdout, 'data', { signal: over.signal }).then(() => undefined),
      gone.then(async end => (await words) || end),
      clock.sleep(startMs, over.signal).then(() => `it was not ready after ${startMs / 1000} s`),
    ]);
    if (fault !== undefined) throw new Error(fault);
  } finally {
    over.abort();
    for (const stream of [stdout, stderr]) stream.destroy();
  }
}

/** Throws Error if the process has no child. */
function findChild(pid: number | undefined): ProcessRow {
  const child = readProcessTable().find(row => row.parent === pid);
  if (child === undefined) throw new Error('its first process has exited');
  return child;
}

/** Never rejects: resolves with the error's text. */
async function waitForEnd(keeper: ChildProcessWithoutNullStreams): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  keeper.once('error', error => resolve(error.message));
  keeper.once('exit', (code, signal) => resolve(`${keeper.spawnfile} ended with ${signal ?? `exit code ${code}`}`));
  for (const stream of [keeper.stdin, keeper.stdout, keeper.stderr]) stream.on('error', () => {});
  return promise;
}

/** The output is at most a few lines. */
async function collect(stream: Readable): Promise<string> {
  let text = '';
  try {
    for await (const chunk of stream) text += String(chunk);
  } catch {
    // The stream was closed because its text is no longer needed.
  }
  return text
    .trim()
    .replaceAll(/\s*\n\s*/g, '; ')
    .slice(0, 500);
}
