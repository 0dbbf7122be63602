import { headOfUtf8 } from '../../../base/text.ts';
import { sizes } from '../../../contract/tables/sizes.ts';
import { fitResult } from '../fit-result.ts';
import type { Claim, RunEnding } from '../store.ts';
import { moveRun } from './run-moves.ts';
import type { WriteUnit } from './writer-queue.ts';

/** Ends a claimed run with its result and artifacts, or leaves it BLOCKED. */
export async function finishRun(unit: WriteUnit, claim: Claim, ending: RunEnding, now: number): Promise<boolean> {
  const asked = await unit.database
    .selectFrom('runs')
    .select(['cancelRequestedAt', 'cancelReason', 'workedMs'])
    .where('runId', '=', claim.runId)
    .executeTakeFirst();
  if (asked === undefined) return false;
  const cancelled = asked.cancelRequestedAt !== null;
  const fitted = ending.result && fitResult(ending.result);
  const text = fitted?.text;
  const head = text === undefined ? undefined : headOfUtf8(text, sizes.resultInlineBytes);
  const artifacts = (ending.artifacts ?? []).map(artifact => ({ ...artifact, createdAt: now }));
  const row = await moveRun(unit, {
    runId: claim.runId,
    attempt: claim.attempt,
    before: artifacts.map(({ type, data }) => ({ type: 'artifact', data: { artifact_type: type, ...data } })),
    to: cancelled ? 'CANCELLED' : ending.state,
    now,
    statusMessage: cancelled ? { message: asked.cancelReason ?? 'cancelled' } : ending.statusMessage,
    set: {
      ...(ending.workedMs === undefined ? {} : { workedMs: (asked.workedMs ?? 0) + ending.workedMs }),
      ...(artifacts.length === 0 ? {} : { artifacts: JSON.stringify(artifacts) }),
      ...(head === undefined
        ? {}
        : {
            resultHead: head,
            resultTruncated: head === text ? 0 : 1,
            resultLeftOutBytes: fitted?.leftOutBytes || null,
            resultStructured: ending.structured === undefined ? null : JSON.stringify(ending.structured),
          }),
    },
  });
  if (row === undefined) return false;
  if (text !== undefined) await unit.database.insertInto('results').values({ runId: claim.runId, text }).execute();
  const homes = artifacts.flatMap(({ data: { artifact_uid: uid } }) =>
    typeof uid === 'string' ? [{ artifactUid: uid, runId: claim.runId }] : [],
  );
  if (homes.length > 0) await unit.database.insertInto('artifactHomes').values(homes).execute();
  return true;
}
