import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Spawner } from './spawning/spawner.ts';

interface Pipe {
  readonly reading: number;
  readonly writing: number;
}

interface PipePair {
  readonly out: Pipe;
  readonly err: Pipe;
  /** Prefix of the path that both were opened with. It stays unique after the names are removed. */
  readonly name: string;
}

/** Each open pair takes four descriptors. */
const pairsAtOnce = 8;

/** Makes pipes for programs. Node has no call for that, and one `mkfifo` makes several. */
export class PipeStock {
  readonly #spawner: Spawner;
  #pairs: PipePair[] = [];
  #making: Promise<void> | undefined;

  constructor(spawner: Spawner) {
    this.#spawner = spawner;
  }

  /** The caller closes all descriptors. The pipes have names in `folder` only until this returns. */
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
    const paths = Array.from({ length: pairsAtOnce }, () => join(folder, `.stream-${randomUUID()}`));
    const names = paths.flatMap(path => [`${path}-out`, `${path}-err`]);
    try {
      const { exited } = await this.#spawner.spawn({
        argv: ['mkfifo', '-m', '600', ...names],
        cwd: '/',
        env: { PATH: '/usr/bin:/bin' },
        stdio: ['ignore', 'ignore', 'ignore'],
      });
      const { exitCode, signal } = await exited;
      if (exitCode !== 0) throw new Error(`mkfifo in ${folder} ended with ${signal ?? `exit code ${exitCode}`}`);
      for (const path of paths) this.#pairs.push(openPair(path));
    } catch (error) {
      // Short of descriptors, a few pairs will do.
      if (this.#pairs.length === 0) throw error;
    } finally {
      for (const name of names) rmSync(name, { force: true });
    }
  }
}

function openPair(path: string): PipePair {
  const out = openPipe(`${path}-out`);
  try {
    return { out, err: openPipe(`${path}-err`), name: basename(path) };
  } catch (error) {
    closeAll([out]);
    throw error;
  }
}

function openPipe(path: string): Pipe {
  // A non-blocking reader opens first, so that the writer finds it and does not block either.
  const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return { reading, writing: openSync(path, constants.O_WRONLY) };
  } catch (error) {
    closeSync(reading);
    throw error;
  }
}

function closeAll(pipes: readonly Pipe[]): void {
  for (const { reading, writing } of pipes) for (const fd of [reading, writing]) closeSync(fd);
}
