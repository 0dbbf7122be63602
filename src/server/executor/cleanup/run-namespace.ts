/**
 * The PID namespace of one program. Its first process is not the program but a shell that does what a first process has to: it takes in
 * whoever loses its parent. It waits for the end of a pipe that this server alone holds, so that the namespace ends with the server, however
 * that ends. The program is born into the namespace by a process outside, which waits for it and ends as it did.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { messageOf } from '../../../base/cause.ts';
import type { Clock } from '../../../base/clock.ts';
import { type ProcessRow, readProcessTable } from './process-table.ts';
import { findKin, findSame, type Leader, signalProcess } from './run-processes.ts';

type Argv = readonly [string, ...string[]];

/** Beginnings of command lines, each taking the rest of the line as its own arguments. */
export interface NamespaceTools {
  /** Makes a namespace, and in it the program that follows. */
  readonly keeper: Argv;
  /** With `--target PID` and a program: executes it such that its children are born in the namespace of that process. */
  readonly enter: Argv;
  /** Waits for the program that follows and ends as it did. */
  readonly wait: Argv;
  /** Takes a folder and a program. */
  readonly changeFolder: Argv;
  readonly beginSession: Argv;
}

export interface RunNamespace {
  /** The command line that executes another one in the namespace and in a folder. The environment is passed on as it is. */
  wrap(argv: Argv, cwd: string): Argv;
  /**
   * Living processes of the namespace but for its own. `waiter` is what was started with a wrapped command line: as long as it lives and
   * has no program, it stands for the program that it is about to start or has just seen end. Throws when processes cannot be looked for.
   */
  findProcesses(waiter: Leader): ProcessRow[];
  /** Kills all of it at once. False when the kernel has not let all go in time. */
  end(): Promise<boolean>;
}

/** Says that it is there, and from then on waits for the end of its input. Whoever kills the reader only gets another one. */
const firstProcess = 'echo up; exec >/dev/null 2>&1; until (read -r line || :); do :; done';
const startMs = 10_000;
/** The kernel waits for every process of the namespace; one that is stuck on a disk holds all up. */
const deathMs = 10_000;

/** Makes a namespace. Throws Error where the system does not let it, with what the tool said. */
export async function openRunNamespace(
  tools: NamespaceTools,
  env: Readonly<Record<string, string>>,
  clock: Clock,
): Promise<RunNamespace> {
  const [file, ...args] = [...tools.keeper, '/bin/sh', '-c', firstProcess] as const;
  const keeper = spawn(file, args, { cwd: '/', env, detached: true, stdio: 'pipe' });
  // It has no streams then.
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
      // Nothing but the first process and its reader was born in the keeper's session, which cannot be entered.
      const inside = found.filter(row => row.session !== first.session && row.pid !== waiter.pid);
      return inside.length > 0 ? inside : waiting;
    },
    async end() {
      signalProcess(first, 'SIGKILL');
      keeper.stdin.destroy();
      const over = new AbortController();
      const inTime = await Promise.race([gone.then(() => true), clock.sleep(deathMs, over.signal).then(() => false)]);
      over.abort();
      return inTime;
    },
  };
}

/** Resolves once the first process is there. Throws Error with what the tool said. */
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

/** The only child of a process. Throws Error where there is none. */
function findChild(pid: number | undefined): ProcessRow {
  const child = readProcessTable().find(row => row.parent === pid);
  if (child === undefined) throw new Error('its first process has exited');
  return child;
}

/** Never rejects: what went wrong is the text. */
async function waitForEnd(keeper: ChildProcessWithoutNullStreams): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  keeper.once('error', error => resolve(error.message));
  keeper.once('exit', (code, signal) => resolve(`${keeper.spawnfile} ended with ${signal ?? `exit code ${code}`}`));
  for (const stream of [keeper.stdin, keeper.stdout, keeper.stderr]) stream.on('error', () => {});
  return promise;
}

/** What a stream holds to its end: one line, a few at most. */
async function collect(stream: Readable): Promise<string> {
  let text = '';
  try {
    for await (const chunk of stream) text += String(chunk);
  } catch {
    // Closed because nobody asks any more.
  }
  return text
    .trim()
    .replaceAll(/\s*\n\s*/g, '; ')
    .slice(0, 500);
}
