import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { messageOf } from '../../../base/cause.ts';
import { systemClock } from '../../../base/clock.ts';
import { type ProcessRow, readChildren, readProcess, readProcessTable } from '../cleanup/process-table.ts';
import type { Keeper, SpawnRequest } from './spawner.ts';

/** Reports its start, then waits for the end of its input. If the reader is killed, the loop starts another one. */
const firstProcess = 'echo up; exec >/dev/null 2>&1; until (read -r line || :); do :; done';
const startMs = 10_000;

/**
 * Makes a namespace whose first process is a shell that adopts and reaps orphans. It waits for the end of a pipe that
 * only this process holds, so the namespace ends with this process. Throws Error with the tool's message if the system
 * refuses.
 */
export async function startKeeper([file, ...args]: SpawnRequest['argv'], env: SpawnRequest['env']): Promise<Keeper> {
  const keeper = spawn(file, [...args, '/bin/sh', '-c', firstProcess], {
    cwd: '/',
    env,
    detached: true,
    stdio: 'pipe',
  });
  // A process that failed to start has no streams.
  if (keeper.pid === undefined) throw (await once(keeper, 'error'))[0];
  const gone = waitForEnd(keeper);
  try {
    await waitForStart(keeper, gone);
    return { first: findChild(keeper.pid), gone, isHeld: () => true };
  } catch (error) {
    keeper.stdin.destroy();
    keeper.kill('SIGKILL');
    throw new Error(`could not create a PID namespace: ${messageOf(error)}`, { cause: error });
  }
}

/** Resolves when the first process runs. Throws Error with the tool's message. */
async function waitForStart({ stdout, stderr }: ChildProcessWithoutNullStreams, gone: Promise<string>): Promise<void> {
  const over = new AbortController();
  const words = collect(stderr);
  try {
    const fault = await Promise.race([
      once(stdout, 'data', { signal: over.signal }).then(() => undefined),
      gone.then(async end => (await words) || end),
      systemClock.sleep(startMs, over.signal).then(() => `it was not ready after ${startMs / 1000} s`),
    ]);
    if (fault !== undefined) throw new Error(fault);
  } finally {
    over.abort();
    for (const stream of [stdout, stderr]) stream.destroy();
  }
}

/** Throws Error if the process has no child. */
function findChild(pid: number): ProcessRow {
  const [listed] = readChildren(pid) ?? readProcessTable().flatMap(row => (row.parent === pid ? [row.pid] : []));
  const child = listed === undefined ? undefined : readProcess(listed);
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
