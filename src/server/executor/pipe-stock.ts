import { randomUUID } from 'node:crypto';
import { closeSync, constants, existsSync, fstatSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { hasProcessTable } from './cleanup/process-table.ts';
import { signalLeaderGroup } from './cleanup/run-processes.ts';
import { findProgram } from './program-file.ts';
import type { Spawner } from './spawning/spawner.ts';

interface Pipe {
  readonly reading: number;
  readonly writing: number;
  /** The path that /proc shows for both ends, wherever they are open. */
  readonly name: string;
}

interface PipePair {
  readonly out: Pipe;
  readonly err: Pipe;
}

/** Each open pair takes four descriptors. Shells other than bash have numbers up to 9 only. */
const pairsAtOnce = { usual: 8, portable: 3 };
const firstDescriptor = 3;
const searchPath = '/usr/bin:/bin';
/** Longer than making and opening the pipes takes. */
const holdSeconds = 10;

/** Makes pipes for programs, several at once, because Node has no call for that and other programs have. */
export class PipeStock {
  readonly #spawner: Spawner;
  #pairs: PipePair[] = [];
  #making: Promise<void> | undefined;

  constructor(spawner: Spawner) {
    this.#spawner = spawner;
  }

  /** The caller closes all descriptors. Outside Linux, the pipes have names in `folder` until this returns. */
  async take(folder: string): Promise<PipePair> {
    for (;;) {
      const pair = this.#pairs.pop();
      if (pair !== undefined) return pair;
      // The error of another run's folder is not this run's.
      if (this.#making !== undefined) await this.#making.catch(() => {});
      else await this.#begin(folder);
    }
  }

  async #begin(folder: string): Promise<void> {
    this.#making = this.#make(folder);
    try {
      await this.#making;
    } finally {
      this.#making = undefined;
    }
  }

  close(): void {
    for (const { out, err } of this.#pairs.splice(0)) closeAll([out, err]);
  }

  async #make(folder: string): Promise<void> {
    const open = (paths: readonly string[]) => {
      try {
        for (let at = 0; at < paths.length; at += 2) this.#pairs.push(openPair(paths.slice(at, at + 2)));
      } catch (error) {
        // Short of descriptors, a few pairs will do.
        if (this.#pairs.length === 0) throw error;
      }
    };
    await (hasProcessTable ? withNameless(this.#spawner, open) : withNamed(this.#spawner, folder, open));
  }
}

type Open = (paths: readonly string[]) => void;

/**
 * Pipes of a shell, opened through its descriptors. Other programs of this user could open a name in a folder, or put
 * something else in its place.
 */
async function withNameless(spawner: Spawner, open: Open): Promise<void> {
  const hasBash = findProgram('bash', searchPath) !== undefined;
  const count = 2 * (hasBash ? pairsAtOnce.usual : pairsAtOnce.portable);
  const numbers = Array.from({ length: count }, (_, index) => firstDescriptor + index);
  // Older versions of bash make files of here-documents, and other shells have no `<()`, whose `:` holds a pipe's end.
  const redirects = numbers.map(number => (hasBash ? `exec ${number}< <(:); wait $!` : `exec ${number}<<E\nE`));
  const shell = hasBash ? 'bash' : 'sh';
  /** Open once all pipes are made, and held by nobody else. */
  const done = firstDescriptor + count;
  const { exited, ...leader } = await spawner.spawn({
    argv: [shell, '-c', [...redirects, `exec ${done}</dev/null`, `exec sleep ${holdSeconds}`].join('\n')],
    cwd: '/',
    env: { PATH: searchPath },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  let isOver = false;
  const ending = exited.finally(() => (isOver = true));
  ending.catch(() => {});
  const pathOf = (number: number) => `/proc/${leader.pid}/fd/${number}`;
  try {
    for (const deadline = performance.now() + holdSeconds * 1000; !existsSync(pathOf(done)); ) {
      if (isOver || performance.now() > deadline) throw new Error(`${shell} made no pipes`);
      await setTimeout(1);
    }
    open(numbers.map(pathOf));
  } finally {
    signalLeaderGroup(leader, 'SIGKILL');
    await ending;
  }
}

async function withNamed(spawner: Spawner, folder: string, open: Open): Promise<void> {
  const paths = Array.from({ length: 2 * pairsAtOnce.usual }, () => join(folder, `.stream-${randomUUID()}`));
  try {
    const { exited } = await spawner.spawn({
      argv: ['mkfifo', '-m', '600', ...paths],
      cwd: '/',
      env: { PATH: searchPath },
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    const { exitCode, signal } = await exited;
    if (exitCode !== 0) throw new Error(`mkfifo in ${folder} ended with ${signal ?? `exit code ${exitCode}`}`);
    open(paths);
  } finally {
    for (const path of paths) rmSync(path, { force: true });
  }
}

function openPair([first = '', second = '']: readonly string[]): PipePair {
  const out = openPipe(first);
  try {
    return { out, err: openPipe(second) };
  } catch (error) {
    closeAll([out]);
    throw error;
  }
}

function openPipe(path: string): Pipe {
  // A non-blocking reader opens first, so that the writer finds it and does not block either.
  const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return { reading, writing: openSync(path, constants.O_WRONLY), name: `pipe:[${fstatSync(reading).ino}]` };
  } catch (error) {
    closeSync(reading);
    throw error;
  }
}

function closeAll(pipes: readonly Pipe[]): void {
  for (const { reading, writing } of pipes) for (const fd of [reading, writing]) closeSync(fd);
}
