import { type Kysely, type Selectable, sql } from 'kysely';
import type { CreateOutcome, NewRun, StoredRun } from '../store.ts';
import { insertRow } from './insert-row.ts';
import { runOfRow } from './run-rows.ts';
import type { RunsTable, Tables } from './tables.ts';
import type { WriteUnit } from './writer-queue.ts';

/** Finds the run that the same caller created with the same key. */
export function findByIdempotencyKey(
  database: Kysely<Tables>,
  creatorUid: string,
  key: string,
): Promise<Selectable<RunsTable> | undefined> {
  return database
    .selectFrom('runs')
    .selectAll()
    .where('creatorUid', '=', creatorUid)
    .where('idempotencyKey', '=', key)
    .executeTakeFirst();
}

/** The same key with the same body returns the same run. A different body is the caller's mistake. */
export function judgeRepeat(earlier: Selectable<RunsTable>, bodyHash: string | undefined): CreateOutcome {
  return earlier.bodyHash === bodyHash
    ? { kind: 'replayed', run: runOfRow(earlier) }
    : { kind: 'key_conflict', runId: earlier.runId };
}

const newestRun = (database: Kysely<Tables>) =>
  database.selectFrom('runs').selectAll().orderBy('createdAt', 'desc').orderBy('runId', 'desc').limit(1);
type FoundRow = Promise<Selectable<RunsTable> | undefined>;

export function findNewest(database: Kysely<Tables>, conversationId: string): FoundRow {
  return newestRun(database).where('conversationId', '=', conversationId).executeTakeFirst();
}

/** Finds the newest run of an agent's session. The conditions match the index of sessions. */
export function findSession(database: Kysely<Tables>, sessionId: string): FoundRow {
  const session = sql`json_extract(continuation, '$.sessionId')`;
  return newestRun(database).where('continuation', 'is not', null).where(session, '=', sessionId).executeTakeFirst();
}

/** Inserts a queued run with its first event. */
export async function insertRun(
  unit: WriteUnit,
  run: NewRun,
  { runId, now }: { readonly runId: string; readonly now: number },
): Promise<StoredRun> {
  const row = rowOfNewRun(run, runId, now);
  await insertRow(unit.database, 'runs', row);
  for (const [name, value] of Object.entries(run.metadata ?? {}))
    await insertRow(unit.database, 'runMetadata', { name, value, runId });
  const data = JSON.stringify({ state: row.state });
  await insertRow(unit.database, 'events', { runId, seq: row.lastSeq, at: now, type: 'state', data });
  unit.touch(runId);
  return runOfRow(row);
}

/** All columns of a run, so that every insert is the same statement. */
function rowOfNewRun(run: NewRun, runId: string, now: number) {
  return {
    runId,
    state: 'QUEUED',
    attempt: 0,
    version: 1,
    title: run.title,
    prompt: run.prompt,
    config: JSON.stringify(run.config),
    configName: run.config.name ?? null,
    modelId: run.config.model_id ?? null,
    environmentId: run.config.environment_id ?? null,
    skillSpec: run.config.skill_spec ?? null,
    skill: null,
    source: run.source,
    triggerUrl: run.triggerUrl ?? null,
    metadata: run.metadata === undefined ? null : JSON.stringify(run.metadata),
    checkout: run.checkout === undefined ? null : JSON.stringify(run.checkout),
    conversationId: run.conversation?.id ?? runId,
    continuation:
      run.conversation === undefined ? null : JSON.stringify({ ...run.conversation.continuation, own: undefined }),
    interactive: run.isInteractive === true ? 1 : 0,
    creatorUid: run.creator.uid,
    creatorName: run.creator.displayName,
    statusMessage: null,
    resultTruncated: 0,
    artifacts: null,
    createdAt: now,
    updatedAt: now,
    startedAt: null,
    finishedAt: null,
    workedMs: null,
    cancelRequestedAt: null,
    cancelReason: null,
    leaseSeconds: run.leaseSeconds ?? null,
    leaseExpiresAt: run.leaseSeconds === undefined ? null : Math.round(now + run.leaseSeconds * 1000),
    lastSeq: 1,
    idempotencyKey: run.idempotency?.key ?? null,
    bodyHash: run.idempotency?.bodyHash ?? null,
  };
}
