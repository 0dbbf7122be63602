import type { NewRun } from './store.ts';
import type { WriteUnit } from './writer-queue.ts';

/** The run that the same caller made with the same key. */
export async function findByIdempotencyKey(unit: WriteUnit, run: NewRun) {
  if (run.idempotency === undefined) return undefined;
  return unit.database
    .selectFrom('runs')
    .selectAll()
    .where('creatorUid', '=', run.creator.uid)
    .where('idempotencyKey', '=', run.idempotency.key)
    .executeTakeFirst();
}

/** The columns of a run that nobody has touched yet. */
export function rowOfNewRun(run: NewRun, runId: string, now: number) {
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
    source: run.source,
    triggerUrl: run.triggerUrl ?? null,
    metadata: run.metadata === undefined ? null : JSON.stringify(run.metadata),
    creatorUid: run.creator.uid,
    creatorName: run.creator.displayName,
    resultTruncated: 0,
    createdAt: now,
    updatedAt: now,
    leaseSeconds: run.leaseSeconds ?? null,
    leaseExpiresAt: run.leaseSeconds === undefined ? null : Math.round(now + run.leaseSeconds * 1000),
    lastSeq: 0,
    idempotencyKey: run.idempotency?.key ?? null,
    bodyHash: run.idempotency?.bodyHash ?? null,
  };
}
