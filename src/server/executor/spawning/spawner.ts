import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type ProcessRow, readStartTicks } from '../cleanup/process-table.ts';
import { startKeeper } from './namespace-keeper.ts';

/** A program to start, in a session of its own. */
export interface SpawnRequest {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Descriptors of this process for the standard streams. They must stay open until the program exists. */
  readonly stdio: readonly [Stream, Stream, Stream];
}
type Stream = 'ignore' | number;

export interface Exit {
  readonly exitCode: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
}

export interface Spawned {
  readonly pid: number;
  readonly startTicks: string;
  /** Rejects with SpawnerFault if the spawner dies first. */
  readonly exited: Promise<Exit>;
}

/** A new PID namespace. It ends with the spawner. */
export interface Keeper {
  /** The first process inside. The namespace ends with it. */
  readonly first: ProcessRow;
  /** Settles when the namespace is gone. Never rejects. */
  readonly gone: Promise<unknown>;
  /** False once its spawner has died, so that it is about to end. */
  isHeld(): boolean;
}

/** Starts processes and tells when they end. */
export interface Spawner {
  /** Throws the system's error, or SpawnerFault. */
  spawn(request: SpawnRequest): Promise<Spawned>;
  /** `argv` makes a namespace and starts the program that follows in it. Throws Error with the tool's message. */
  openNamespace(argv: SpawnRequest['argv'], env: SpawnRequest['env']): Promise<Keeper>;
  close(): Promise<void>;
}

/** The spawner has died, so the server can no longer learn how its programs end. */
export class SpawnerFault extends Error {
  override readonly name = 'SpawnerFault';
}

/** Starts processes as children of this one. Each start takes longer the more memory this process has. */
export const directSpawner: Spawner = {
  async spawn({ argv: [file, ...args], cwd, env, stdio }) {
    const child = spawn(file, args, { cwd, env, detached: true, stdio: [...stdio] });
    if (child.pid === undefined) throw (await once(child, 'error'))[0];
    const exited = once(child, 'exit').then(
      ([exitCode, signal]: (number | NodeJS.Signals | null)[]): Exit => ({
        exitCode: typeof exitCode === 'number' ? exitCode : undefined,
        signal: typeof signal === 'string' ? signal : undefined,
      }),
    );
    try {
      return { pid: child.pid, startTicks: readStartTicks(child.pid), exited };
    } catch (error) {
      // Nobody would know of it.
      process.kill(-child.pid, 'SIGKILL');
      throw error;
    }
  },
  openNamespace: startKeeper,
  async close() {},
};
