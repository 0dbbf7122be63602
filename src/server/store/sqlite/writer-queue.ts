import { setImmediate } from 'node:timers/promises';
import { CompiledQuery, type Kysely } from 'kysely';
import type { Tables } from './tables.ts';

export interface WriteUnit {
  readonly database: Kysely<Tables>;
  /** Reports a changed run. Listeners hear of it after the commit, if the unit succeeded. */
  touch(runId: string): void;
}

const statements = {
  begin: CompiledQuery.raw('BEGIN IMMEDIATE'),
  commit: CompiledQuery.raw('COMMIT'),
  rollback: CompiledQuery.raw('ROLLBACK'),
  beginUnit: CompiledQuery.raw('SAVEPOINT unit'),
  endUnit: CompiledQuery.raw('RELEASE unit'),
  undoUnit: CompiledQuery.raw('ROLLBACK TO unit'),
} as const;

interface Waiting {
  readonly work: (unit: WriteUnit) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: all writes of one turn of the event loop share one transaction and one flush to disk. Units run one
 * after another, each in its own savepoint, so a failed unit does not undo the others. Callers learn of success only
 * after the commit.
 */
export class WriterQueue {
  readonly #database: Kysely<Tables>;
  readonly #onCommit: (runIds: ReadonlySet<string>) => void;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | undefined;
  #closed = false;

  constructor(database: Kysely<Tables>, onCommit: (runIds: ReadonlySet<string>) => void) {
    this.#database = database;
    this.#onCommit = onCommit;
  }

  /** Runs `work` as one unit. Resolves with its value after the commit. */
  run<T>(work: (unit: WriteUnit) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new Error('the store is closed'));
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: value => resolve(value as T), reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Finishes queued units and accepts no more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
  }

  async #drain(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        await setImmediate();
        const batch = this.#waiting;
        this.#waiting = [];
        await this.#commit(batch);
      }
    } finally {
      this.#draining = undefined;
    }
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    const acknowledgements: (() => void)[] = [];
    const touched = new Set<string>();
    try {
      await this.#execute('begin');
      for (const waiting of batch) acknowledgements.push(await this.#runUnit(waiting, touched));
      await this.#execute('commit');
    } catch (error) {
      await this.#execute('rollback').catch(() => {});
      for (const waiting of batch) waiting.reject(error);
      return;
    }
    for (const acknowledge of acknowledgements) acknowledge();
    this.#onCommit(touched);
  }

  /** Returns how to settle the caller's promise after the commit. */
  async #runUnit(waiting: Waiting, touched: Set<string>): Promise<() => void> {
    const own: string[] = [];
    await this.#execute('beginUnit');
    try {
      const value = await waiting.work({ database: this.#database, touch: runId => own.push(runId) });
      await this.#execute('endUnit');
      for (const runId of own) touched.add(runId);
      return () => waiting.resolve(value);
    } catch (error) {
      await this.#execute('undoUnit');
      await this.#execute('endUnit');
      return () => waiting.reject(error);
    }
  }

  async #execute(statement: keyof typeof statements): Promise<void> {
    await this.#database.executeQuery(statements[statement]);
  }
}
