import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../../base/clock.ts';
import { siblingProgram } from '../../../base/process/sibling-program.ts';
import { printOrder, type WatchdogOrder, type WatchedRun } from './watchdog-orders.ts';

const restartsMax = 5;

/** The server's end of the pipe to its watchdog. Restarts a watchdog that dies. Does not keep the server alive. */
export class WatchdogLink {
  readonly #serverId: string;
  readonly #clock: Clock;
  readonly #onLost: () => void;
  readonly #restartsMax: number;
  readonly #watched = new Map<string, WatchedRun>();
  #child: ChildProcess | undefined;
  #startedAt = 0;
  #restarts = 0;
  #closing = false;

  /**
   * `onLost` is called if the watchdog cannot be kept running. A step does not restart it, because an agent may have
   * rewritten the program's file.
   */
  constructor({
    serverId,
    clock,
    onLost,
    isInStep = false,
  }: {
    serverId: string;
    clock: Clock;
    onLost: () => void;
    isInStep?: boolean;
  }) {
    this.#restartsMax = isInStep ? 0 : restartsMax;
    this.#serverId = serverId;
    this.#clock = clock;
    this.#onLost = onLost;
    this.#start();
  }

  /** Called before the run's first process starts, and again with its leaders. */
  watch(runId: string, run: WatchedRun): void {
    this.#watched.set(runId, run);
    this.#send({ kind: 'watch', runId, ...run });
  }

  drop(runId: string): void {
    this.#watched.delete(runId);
    this.#send({ kind: 'drop', runId });
  }

  /** Says goodbye, then kills the watchdog if it has not exited after two seconds, for example after SIGSTOP. */
  async close(): Promise<void> {
    this.#closing = true;
    const child = this.#child;
    if (child === undefined) return;
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    child.once('exit', () => resolve());
    child.ref();
    child.stdin?.end(printOrder({ kind: 'goodbye' }));
    const over = new AbortController();
    const isLate = await Promise.race([gone, this.#clock.sleep(2000, over.signal).then(() => true)]);
    over.abort();
    if (isLate === true) child.kill('SIGKILL');
    child.unref();
  }

  #start(): void {
    const entry = fileURLToPath(siblingProgram('watchdog', import.meta.url));
    const child: ChildProcess = spawn(process.execPath, [entry, this.#serverId], {
      cwd: '/',
      detached: true,
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#child = child;
    this.#startedAt = this.#clock.monotonicMs();
    child.unref();
    child.stdin?.on('error', () => {});
    if (child.stdin instanceof Socket) child.stdin.unref();
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
    void gone.then(() => this.#replace());
    for (const [runId, run] of this.#watched) this.#send({ kind: 'watch', runId, ...run });
  }

  async #replace(): Promise<void> {
    this.#child = undefined;
    if (this.#closing) return;
    if (this.#clock.monotonicMs() - this.#startedAt > 60_000) this.#restarts = 0;
    if (this.#restarts >= this.#restartsMax) return this.#onLost();
    this.#restarts += 1;
    await this.#clock.sleep(100 * 2 ** this.#restarts);
    if (!this.#closing) this.#start();
  }

  #send(order: WatchdogOrder): void {
    if (!this.#closing) this.#child?.stdin?.write(printOrder(order));
  }
}
