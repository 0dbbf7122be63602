import { sql } from 'kysely';
import { moveRun, requestCancel } from './run-moves.ts';
import type { WriterQueue, WriteUnit } from './writer-queue.ts';

/** Runs of one unit of upkeep: many leases can expire at once, and the server must not stand still meanwhile. */
const upkeepRuns = 20;

/**
 * Upkeep of leases and orphans by the service. A lease means "cancel this run if its caller does not renew it in
 * time". It is the only safeguard when the caller was killed.
 */
export async function renewLease(
  unit: WriteUnit,
  {
    runId,
    leaseSeconds,
    now,
  }: { readonly runId: string; readonly leaseSeconds: number | undefined; readonly now: number },
): Promise<number | undefined> {
  const row = await unit.database
    .selectFrom('runs')
    .select('leaseSeconds')
    .where('runId', '=', runId)
    .where('finishedAt', 'is', null)
    .where('cancelRequestedAt', 'is', null)
    .executeTakeFirst();
  const seconds = leaseSeconds ?? row?.leaseSeconds ?? undefined;
  if (row === undefined || seconds === undefined) return undefined;
  const leaseExpiresAt = Math.round(now + seconds * 1000);
  await unit.database
    .updateTable('runs')
    .set({ leaseSeconds: seconds, leaseExpiresAt })
    .where('runId', '=', runId)
    .execute();
  unit.touch(runId);
  return leaseExpiresAt;
}

/** Requests that still wait for the run no longer renew its lease. */
export async function releaseLease(unit: WriteUnit, runId: string): Promise<boolean> {
  const done = await unit.database
    .updateTable('runs')
    .set({ leaseSeconds: null, leaseExpiresAt: null })
    .where('runId', '=', runId)
    .where('finishedAt', 'is', null)
    .where('cancelRequestedAt', 'is', null)
    .executeTakeFirst();
  unit.touch(runId);
  return done.numUpdatedRows > 0n;
}

/** Cancels the runs with an expired lease, a few in each unit. */
export async function cancelLapsedLeases(queue: WriterQueue, now: number): Promise<readonly string[]> {
  const cancelled: string[] = [];
  for (;;) {
    const some = await queue.run(unit => cancelSomeLapsed(unit, now));
    cancelled.push(...some);
    if (some.length < upkeepRuns) return cancelled;
  }
}

async function cancelSomeLapsed(unit: WriteUnit, now: number): Promise<readonly string[]> {
  const lapsed = await unit.database
    .selectFrom('runs')
    .select(['runId', 'leaseSeconds'])
    .where('leaseExpiresAt', '<=', now)
    .where('finishedAt', 'is', null)
    .where('cancelRequestedAt', 'is', null)
    .limit(upkeepRuns)
    .execute();
  for (const { runId, leaseSeconds } of lapsed)
    await requestCancel(unit, runId, `its lease of ${leaseSeconds} s expired, so nobody is waiting for it`, now);
  return lapsed.map(row => row.runId);
}

interface OpenLease {
  readonly leaseExpiresAt: number | null;
  readonly runId: string;
}

/**
 * Restarts the open leases in the order of their ends, a few in each unit. A restarted lease may come once more,
 * because it ends later. Its end does not change then.
 */
export async function restartLeases(queue: WriterQueue, now: number): Promise<void> {
  let last: OpenLease | undefined;
  do last = await queue.run(unit => restartSomeLeases(unit, { now, after: last }));
  while (last !== undefined);
}

/** Returns the last lease that it restarted; undefined if there was none after the given one. */
async function restartSomeLeases(
  unit: WriteUnit,
  { now, after }: { readonly now: number; readonly after: OpenLease | undefined },
): Promise<OpenLease | undefined> {
  let open = unit.database
    .selectFrom('runs')
    .select(['leaseExpiresAt', 'runId'])
    .where('leaseExpiresAt', 'is not', null)
    .where('finishedAt', 'is', null);
  if (after !== undefined)
    open = open.where(sql<boolean>`(lease_expires_at, run_id) > (${after.leaseExpiresAt}, ${after.runId})`);
  const leases = await open.orderBy('leaseExpiresAt').orderBy('runId').limit(upkeepRuns).execute();
  const ids = leases.map(({ runId }) => runId);
  if (ids.length > 0)
    await unit.database
      .updateTable('runs')
      .set(eb => ({ leaseExpiresAt: eb.cast<number>(eb(eb.val(now), '+', eb('leaseSeconds', '*', 1000)), 'integer') }))
      .where('runId', 'in', ids)
      .execute();
  for (const id of ids) unit.touch(id);
  return leases.at(-1);
}

export async function endOrphans(unit: WriteUnit, message: string, now: number): Promise<readonly string[]> {
  const orphans = await unit.database
    .selectFrom('runs')
    .select(['runId', 'cancelRequestedAt', 'cancelReason'])
    .where('state', '=', 'INPROGRESS')
    .execute();
  for (const { runId, cancelRequestedAt, cancelReason } of orphans) {
    if (cancelRequestedAt === null)
      await moveRun(unit, {
        runId,
        to: 'ERROR',
        now,
        statusMessage: { message, error_code: 'resource_unavailable', retryable: true },
      });
    else await moveRun(unit, { runId, to: 'CANCELLED', now, statusMessage: { message: cancelReason ?? 'cancelled' } });
  }
  return orphans.map(row => row.runId);
}
