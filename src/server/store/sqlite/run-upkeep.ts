import { moveRun, requestCancel } from './run-moves.ts';
import type { WriteUnit } from './writer-queue.ts';

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

export async function cancelLapsedLeases(unit: WriteUnit, now: number): Promise<readonly string[]> {
  const lapsed = await unit.database
    .selectFrom('runs')
    .select(['runId', 'leaseSeconds'])
    .where('leaseExpiresAt', '<=', now)
    .where('finishedAt', 'is', null)
    .where('cancelRequestedAt', 'is', null)
    .execute();
  for (const { runId, leaseSeconds } of lapsed)
    await requestCancel(unit, runId, `its lease of ${leaseSeconds} s expired, so nobody is waiting for it`, now);
  return lapsed.map(row => row.runId);
}

export async function restartLeases(unit: WriteUnit, now: number): Promise<void> {
  await unit.database
    .updateTable('runs')
    .set(eb => ({ leaseExpiresAt: eb.cast<number>(eb(eb.val(now), '+', eb('leaseSeconds', '*', 1000)), 'integer') }))
    .where('leaseSeconds', 'is not', null)
    .where('finishedAt', 'is', null)
    .execute();
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
