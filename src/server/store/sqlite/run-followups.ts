import { headOfUtf8 } from '../../../base/text.ts';
import { sizes } from '../../../contract/tables/sizes.ts';
import type { FollowupOutcome, NewFollowup } from '../store.ts';
import { moveRun } from './run-moves.ts';
import type { WriteUnit } from './writer-queue.ts';

/** Queues a BLOCKED run again with a follow-up. The key identifies a repeated request in any state of the run. */
export async function sendFollowup(
  unit: WriteUnit,
  runId: string,
  { message, creatorUid, idempotency }: NewFollowup,
  now: number,
): Promise<FollowupOutcome> {
  if (idempotency !== undefined) {
    const earlier = await unit.database
      .selectFrom('followups')
      .select('bodyHash')
      .where('runId', '=', runId)
      .where('creatorUid', '=', creatorUid)
      .where('idempotencyKey', '=', idempotency.key)
      .executeTakeFirst();
    if (earlier !== undefined) return earlier.bodyHash === idempotency.bodyHash ? 'replayed' : 'key_conflict';
  }
  const said = headOfUtf8(message, sizes.logEventBytes);
  const row = await moveRun(unit, {
    runId,
    from: 'BLOCKED',
    to: 'QUEUED',
    now,
    set: { followup: message },
    before: [{ type: 'message', data: { role: 'user', text: said } }],
  });
  if (row === undefined) return 'not_blocked';
  if (idempotency !== undefined)
    await unit.database
      .insertInto('followups')
      .values({ runId, creatorUid, idempotencyKey: idempotency.key, bodyHash: idempotency.bodyHash })
      .execute();
  return 'sent';
}
