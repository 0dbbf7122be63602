/** Claims of runs and the writes of their workers. A write returns false if the claim no longer holds. */
import type { EventDraft } from '../../../contract/events.ts';
import type { Continuation } from '../continuation.ts';
import type { Claim, RunSkill, StoredRun } from '../store.ts';
import { insertEvents, moveRun } from './run-moves.ts';
import { runOfRow } from './run-rows.ts';
import type { WriteUnit } from './writer-queue.ts';

export async function claimRun(unit: WriteUnit, now: number): Promise<StoredRun | undefined> {
  const next = await unit.database
    .selectFrom('runs')
    .select(['runId', 'attempt', 'startedAt'])
    .where('state', '=', 'QUEUED')
    .orderBy('createdAt')
    .orderBy('runId')
    .limit(1)
    .executeTakeFirst();
  if (next === undefined) return undefined;
  const row = await moveRun(unit, {
    runId: next.runId,
    to: 'INPROGRESS',
    now,
    set: { attempt: next.attempt + 1, startedAt: next.startedAt ?? now },
  });
  return row === undefined ? undefined : runOfRow(await selectRun(unit, next.runId));
}

export async function describeSkill(
  unit: WriteUnit,
  claim: Claim,
  skill: RunSkill,
  skillId: string | undefined,
  now: number,
): Promise<boolean> {
  const done = await unit.database
    .updateTable('runs')
    .set(eb => ({
      skill: JSON.stringify(skill),
      skillId: skillId?.toLowerCase() ?? null,
      version: eb('version', '+', 1),
      updatedAt: now,
    }))
    .where('runId', '=', claim.runId)
    .where('attempt', '=', claim.attempt)
    .where('state', '=', 'INPROGRESS')
    .executeTakeFirst();
  unit.touch(claim.runId);
  return done.numUpdatedRows > 0n;
}

export async function noteContinuation(unit: WriteUnit, claim: Claim, continuation: Continuation): Promise<boolean> {
  const done = await unit.database
    .updateTable('runs')
    .set({ continuation: JSON.stringify(continuation) })
    .where('runId', '=', claim.runId)
    .where('attempt', '=', claim.attempt)
    .where('state', '=', 'INPROGRESS')
    .executeTakeFirst();
  unit.touch(claim.runId);
  return done.numUpdatedRows > 0n;
}

export async function appendEvents(
  unit: WriteUnit,
  claim: Claim,
  events: readonly EventDraft[],
  now: number,
): Promise<boolean> {
  const row = await unit.database
    .selectFrom('runs')
    .select(['runId', 'lastSeq', 'updatedAt'])
    .where('runId', '=', claim.runId)
    .where('attempt', '=', claim.attempt)
    .where('state', '=', 'INPROGRESS')
    .executeTakeFirst();
  if (row === undefined) return false;
  if (events.length === 0) return true;
  await insertEvents(unit, row, events, now);
  if (now - row.updatedAt >= 1000)
    await unit.database.updateTable('runs').set({ updatedAt: now }).where('runId', '=', claim.runId).execute();
  unit.touch(claim.runId);
  return true;
}

/** Throws if the run does not exist. */
export function selectRun(unit: WriteUnit, runId: string) {
  return unit.database.selectFrom('runs').selectAll().where('runId', '=', runId).executeTakeFirstOrThrow();
}
