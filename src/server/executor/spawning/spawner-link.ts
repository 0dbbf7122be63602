import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { siblingProgram } from '../../../base/process/sibling-program.ts';
import { readProcess } from '../cleanup/process-table.ts';
import { type Keeper, type Spawned, type Spawner, SpawnerFault, type SpawnRequest } from './spawner.ts';
import { parseLine, printLine, type SpawnerOrder, type SpawnerReport } from './spawner-orders.ts';

type Of<Kind extends SpawnerReport['kind']> = SpawnerReport & { readonly kind: Kind };
/** A spawner that does not answer, for example because it was stopped, is replaced. */
const answerMs = 30_000;

type Unnumbered<Order> = Order extends SpawnerOrder ? Omit<Order, 'id'> : never;

interface Waiting {
  readonly started: PromiseWithResolvers<Of<'started' | 'opened'>>;
  readonly ended: PromiseWithResolvers<Of<'ended'>>;
}

/**
 * The server's connection to its spawner, a small process that starts programs. If it dies, nobody learns how its
 * programs end, and the next request starts a new spawner. Linux only, because the spawner opens descriptors of this
 * process in /proc.
 */
export class SpawnerLink implements Spawner {
  readonly #waiting = new Map<number, Waiting>();
  #child: ChildProcess | undefined;
  #gone: Promise<void> = Promise.resolve();
  #requests = 0;

  readonly #onLost: (message: string) => void;
  #isClosing = false;

  /** `onLost` is called when a spawner died that was not closed. */
  constructor(onLost: (message: string) => void = () => {}) {
    this.#onLost = onLost;
    this.#start();
  }

  async spawn({ argv, cwd, env, stdio }: SpawnRequest): Promise<Spawned> {
    const streams = stdio.map(file => (file === 'ignore' ? null : `/proc/${process.pid}/fd/${file}`));
    const { started, ended } = await this.#request({ kind: 'program', argv, cwd, env, streams });
    if (started.kind !== 'started') throw new SpawnerFault('the spawner answered another request');
    const exited = ended.then(({ exitCode, signal }) => ({ exitCode, signal }));
    exited.catch(() => {});
    return { pid: started.pid, startTicks: started.startTicks, exited };
  }

  async openNamespace(argv: SpawnRequest['argv'], env: SpawnRequest['env']): Promise<Keeper> {
    const { started, ended } = await this.#request({ kind: 'namespace', argv, env });
    if (started.kind !== 'opened') throw new SpawnerFault('the spawner answered another request');
    const { first } = started;
    const waitForEnd = async () => {
      // A namespace ends with the spawner, but not at once.
      while (readProcess(first.pid)?.startTicks === first.startTicks) await setTimeout(5);
    };
    let isHeld = true;
    const release = () => {
      isHeld = false;
    };
    ended.then(release, release);
    return { first, gone: ended.catch(waitForEnd), isHeld: () => isHeld };
  }

  /** Requests that are still open reject with SpawnerFault. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#child?.ref();
    for (const stream of [this.#child?.stdin, this.#child?.stdout]) if (stream instanceof Socket) stream.ref();
    this.#child?.kill('SIGKILL');
    await this.#gone;
  }

  async #request(
    order: Unnumbered<SpawnerOrder>,
  ): Promise<{ readonly started: Of<'started' | 'opened'>; readonly ended: Promise<Of<'ended'>> }> {
    const child = this.#child ?? this.#start();
    this.#requests += 1;
    const id = this.#requests;
    const waiting: Waiting = { started: Promise.withResolvers(), ended: Promise.withResolvers() };
    waiting.ended.promise.catch(() => {});
    this.#waiting.set(id, waiting);
    child.ref();
    child.stdin?.write(printLine({ ...order, id }));
    const timer = globalThis.setTimeout(() => child.kill('SIGKILL'), answerMs);
    try {
      return { started: await waiting.started.promise, ended: waiting.ended.promise };
    } finally {
      clearTimeout(timer);
    }
  }

  #start(): ChildProcess {
    const entry = fileURLToPath(siblingProgram('spawner-program', import.meta.url));
    const child = spawn(process.execPath, [entry], {
      cwd: '/',
      detached: true,
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#child = child;
    child.unref();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gone = promise;
    const lose = (error: Error) => {
      // A process that did not start emits both `error` and `close`. By then there may be a new one.
      if (this.#child !== child) return;
      this.#child = undefined;
      if (!this.#isClosing) this.#onLost(error.message);
      for (const { started, ended } of this.#waiting.values()) {
        started.reject(error);
        ended.reject(error);
      }
      this.#waiting.clear();
      resolve();
    };
    child.once('error', cause =>
      lose(new SpawnerFault(`the process that starts programs did not start: ${cause.message}`, { cause })),
    );
    // `close` comes after all of its reports.
    child.once('close', (code, signal) =>
      lose(new SpawnerFault(`the process that starts programs ended (${signal ?? `exit code ${code}`})`)),
    );
    // A process that failed to start has no streams.
    if (child.pid === undefined) return child;
    child.stdin.on('error', () => {});
    for (const stream of [child.stdin, child.stdout]) if (stream instanceof Socket) stream.unref();
    createInterface({ input: child.stdout }).on('line', line => {
      try {
        this.#take(parseLine<SpawnerReport>(line));
      } catch {
        // Its death cut the line off. `close` follows.
      }
    });
    return child;
  }

  #take(line: SpawnerReport): void {
    const waiting = this.#waiting.get(line.id);
    if (line.kind === 'started' || line.kind === 'opened') {
      waiting?.started.resolve(line);
      return;
    }
    this.#waiting.delete(line.id);
    if (this.#waiting.size === 0) this.#child?.unref();
    if (line.kind === 'ended') waiting?.ended.resolve(line);
    else {
      const { message, code } = line;
      const error = Object.assign(new Error(message), code === undefined ? {} : { code });
      waiting?.started.reject(error);
      waiting?.ended.reject(error);
    }
  }
}
