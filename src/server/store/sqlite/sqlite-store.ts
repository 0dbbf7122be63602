import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '../../../base/clock.ts';
import { Turns } from '../../../base/turns.ts';
import { UsageTotal } from '../../../base/wording/usage-total.ts';
import type { EventDraft, RunEvent } from '../../../contract/events.ts';
import { isFinal } from '../../../contract/tables/state.ts';
import type { Continuation } from '../continuation.ts';
import type {
  CancelOutcome,
  Claim,
  CreateOutcome,
  FollowupOutcome,
  NewFollowup,
  NewRun,
  RunEnding,
  RunFilter,
  RunListPage,
  RunSkill,
  RunStore,
  StoredKey,
  StoredRun,
} from '../store.ts';
import { findWriteFault } from '../write-fault.ts';
import { selectRuns } from './lists/run-list.ts';
import { migrate } from './migrations.ts';
import { appendEvents, claimRun, describeSkill, noteContinuation } from './run-claims.ts';
import { findByIdempotencyKey, findNewest, findSession, insertRun, judgeRepeat } from './run-creation.ts';
import { finishRun } from './run-endings.ts';
import { sendFollowup } from './run-followups.ts';
import { requestCancel } from './run-moves.ts';
import { artifactsOf, eventOfRow, runOfRow } from './run-rows.ts';
import { cancelLapsedLeases, endOrphans, releaseLease, renewLease, restartLeases } from './run-upkeep.ts';
import { inMemory, openConnection } from './sqlite-database.ts';
import type { Tables } from './tables.ts';
import { WriterQueue } from './writer-queue.ts';

/** The store's file in the data folder. */
export const databaseFile = 'agent-run.sqlite';

/**
 * Opens the store in a data folder that the caller has locked, or in memory. Server and database share one machine
 * and its clock. Throws if a newer version wrote the data.
 */
export async function openSqliteStore({
  folder,
  clock,
  onMigration = () => {},
}: {
  /** Undefined keeps the data in memory until the store is closed. */
  readonly folder: string | undefined;
  readonly clock: Clock;
  /** Called with the name of each step that changes an existing database. With many runs, it takes minutes. */
  readonly onMigration?: (step: string) => void;
}): Promise<RunStore> {
  const file = folder === undefined ? inMemory : join(folder, databaseFile);
  const writer = openConnection(file, 'write');
  try {
    await migrate(writer, onMigration);
    // A database in memory has a single connection, so readers see writes at once. Durability does not apply.
    return new SqliteStore(writer, folder === undefined ? writer : openConnection(file, 'read'), { clock, folder });
  } catch (error) {
    await writer.destroy();
    throw error;
  }
}

class SqliteStore implements RunStore {
  readonly #writer: Kysely<Tables>;
  readonly #reader: Kysely<Tables>;
  readonly #clock: Clock;
  readonly #folder: string | undefined;
  readonly #queue: WriterQueue;
  readonly #turns = new Turns();
  readonly #listeners = new Set<(runId: string) => void>();

  constructor(
    writer: Kysely<Tables>,
    reader: Kysely<Tables>,
    { clock, folder }: { readonly clock: Clock; readonly folder: string | undefined },
  ) {
    this.#writer = writer;
    this.#reader = reader;
    this.#clock = clock;
    this.#folder = folder;
    this.#queue = new WriterQueue(writer, runIds => {
      for (const runId of runIds) for (const listener of this.#listeners) notifyListener(listener, runId);
    });
  }

  createRun(run: NewRun): Promise<CreateOutcome> {
    return this.#queue.run(async unit => {
      const { idempotency } = run;
      const earlier = idempotency && (await findByIdempotencyKey(unit.database, run.creator.uid, idempotency.key));
      if (earlier !== undefined) return judgeRepeat(earlier, idempotency?.bodyHash);
      const before = run.conversation && (await findNewest(unit.database, run.conversation.id));
      if (before !== undefined && !isFinal(before.state)) return { kind: 'conversation_busy', run: runOfRow(before) };
      const now = this.#clock.now();
      const runId = uuidv7();
      return { kind: 'created', run: await insertRun(unit, run, { runId, now }) };
    });
  }

  async findCreated(
    creatorUid: string,
    { key, bodyHash }: NonNullable<NewRun['idempotency']>,
  ): Promise<CreateOutcome | undefined> {
    const row = await findByIdempotencyKey(this.#reader, creatorUid, key);
    return row === undefined ? undefined : judgeRepeat(row, bodyHash);
  }

  async readRun(runId: string): Promise<StoredRun | undefined> {
    const row = await this.#reader.selectFrom('runs').selectAll().where('runId', '=', runId).executeTakeFirst();
    return row === undefined ? undefined : runOfRow(row);
  }

  async findNewest(conversationId: string): Promise<StoredRun | undefined> {
    const row = await findNewest(this.#reader, conversationId);
    return row === undefined ? undefined : runOfRow(row);
  }

  async findSession(sessionId: string): Promise<StoredRun | undefined> {
    const row = await findSession(this.#reader, sessionId);
    return row === undefined ? undefined : runOfRow(row);
  }

  async readResult(runId: string): Promise<string | undefined> {
    const row = await this.#reader.selectFrom('results').select('text').where('runId', '=', runId).executeTakeFirst();
    return row?.text;
  }

  listRuns(filter: RunFilter, signal?: AbortSignal): Promise<RunListPage> {
    return selectRuns({ database: this.#reader, turns: this.#turns, signal }, filter);
  }

  claimRun(): Promise<StoredRun | undefined> {
    return this.#queue.run(unit => claimRun(unit, this.#clock.now()));
  }

  describeSkill(claim: Claim, skill: RunSkill, skillId?: string): Promise<boolean> {
    return this.#queue.run(unit => describeSkill(unit, claim, skill, skillId, this.#clock.now()));
  }

  noteContinuation(claim: Claim, continuation: Continuation): Promise<boolean> {
    return this.#queue.run(unit => noteContinuation(unit, claim, continuation));
  }

  async findLastRuns(skillIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    for (const id of new Set(skillIds)) {
      const row = await this.#reader
        .selectFrom('runs')
        .select(eb => eb.fn.max('startedAt').as('startedAt'))
        .where('skillId', '=', id.toLowerCase())
        .executeTakeFirst();
      if (typeof row?.startedAt === 'number') found.set(id, row.startedAt);
    }
    return found;
  }

  appendEvents(claim: Claim, events: readonly EventDraft[]): Promise<boolean> {
    return this.#queue.run(unit => appendEvents(unit, claim, events, this.#clock.now()));
  }

  finishRun(claim: Claim, ending: RunEnding): Promise<boolean> {
    return this.#queue.run(unit => finishRun(unit, claim, ending, this.#clock.now()));
  }

  async findArtifact(artifactUid: string) {
    const row = await this.#reader
      .selectFrom('artifactHomes')
      .innerJoin('runs', 'runs.runId', 'artifactHomes.runId')
      .select(['runs.runId', 'runs.artifacts'])
      .where('artifactUid', '=', artifactUid)
      .executeTakeFirst();
    const artifact = artifactsOf(row?.artifacts ?? null).find(({ data }) => data.artifact_uid === artifactUid);
    return row === undefined || artifact === undefined ? undefined : { runId: row.runId, artifact };
  }

  async readEvents(runId: string, after: number, limit: number): Promise<readonly RunEvent[]> {
    const rows = await this.#reader
      .selectFrom('events')
      .selectAll()
      .where('runId', '=', runId)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(limit)
      .execute();
    return rows.map(eventOfRow);
  }

  sendFollowup(runId: string, followup: NewFollowup): Promise<FollowupOutcome> {
    return this.#queue.run(unit => sendFollowup(unit, runId, followup, this.#clock.now()));
  }

  async readUsage(runId: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    const rows = await this.#reader
      .selectFrom('events')
      .select('data')
      .where('runId', '=', runId)
      // SQLite uses a partial index only for a literal, not for a bound value.
      .where('type', '=', sql.lit('usage'))
      .orderBy('seq')
      .execute();
    const total = new UsageTotal();
    for (const { data } of rows) total.add(JSON.parse(data) as Readonly<Record<string, unknown>>);
    return total.read();
  }

  requestCancel(runId: string, reason: string): Promise<CancelOutcome> {
    return this.#queue.run(unit => requestCancel(unit, runId, reason, this.#clock.now()));
  }

  renewLease(runId: string, leaseSeconds?: number): Promise<number | undefined> {
    return this.#queue.run(unit => renewLease(unit, { runId, leaseSeconds, now: this.#clock.now() }));
  }

  releaseLease(runId: string): Promise<boolean> {
    return this.#queue.run(unit => releaseLease(unit, runId));
  }

  cancelLapsedLeases(): Promise<readonly string[]> {
    return cancelLapsedLeases(this.#queue, this.#clock.now());
  }

  restartLeases(): Promise<void> {
    return restartLeases(this.#queue, this.#clock.now());
  }

  endOrphans(message: string): Promise<readonly string[]> {
    return this.#queue.run(unit => endOrphans(unit, message, this.#clock.now()));
  }

  addKey(key: StoredKey): Promise<void> {
    return this.#queue.run(async unit => {
      await unit.database
        .insertInto('apiKeys')
        .values({ ...key, createdAt: this.#clock.now() })
        .execute();
    });
  }

  listKeys(): Promise<readonly StoredKey[]> {
    return this.#reader.selectFrom('apiKeys').select(['keyId', 'name', 'hash']).execute();
  }

  readOrKeepSetting(name: string, initial: string): Promise<string> {
    return this.#queue.run(async unit => {
      await unit.database
        .insertInto('settings')
        .values({ name, value: initial })
        .onConflict(conflict => conflict.column('name').doNothing())
        .execute();
      const row = await unit.database
        .selectFrom('settings')
        .select('value')
        .where('name', '=', name)
        .executeTakeFirstOrThrow();
      return row.value;
    });
  }

  findWriteFault(): Promise<string | undefined> {
    return findWriteFault(this.#queue, { folder: this.#folder, now: this.#clock.now() });
  }

  onChange(listener: (runId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    await this.#queue.close();
    if (this.#reader !== this.#writer) await this.#reader.destroy();
    await this.#writer.destroy();
  }
}

/** A listener's error must not fail the write. It becomes an uncaught error of the process. */
function notifyListener(listener: (runId: string) => void, runId: string): void {
  try {
    listener(runId);
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}
