import type { Selectable } from 'kysely';
import type { AgentConfig } from '../../../contract/config.ts';
import type { RunEvent } from '../../../contract/events.ts';
import type { StatusMessage } from '../../../contract/run.ts';
import type { RunSource } from '../../../contract/tables/source.ts';
import type { RunState } from '../../../contract/tables/state.ts';
import type { Continuation } from '../continuation.ts';
import type { Checkout, RunSkill, StoredArtifact, StoredRun } from '../store.ts';
import type { RunsTable, Tables } from './tables.ts';

/** The columns of a run, without the text of its result. */
export const listColumns = [
  'runId',
  'state',
  'attempt',
  'version',
  'title',
  'prompt',
  'config',
  'skill',
  'source',
  'triggerUrl',
  'metadata',
  'checkout',
  'conversationId',
  'continuation',
  'interactive',
  'artifacts',
  'creatorUid',
  'creatorName',
  'statusMessage',
  'createdAt',
  'updatedAt',
  'startedAt',
  'finishedAt',
  'workedMs',
  'cancelRequestedAt',
  'cancelReason',
  'leaseSeconds',
  'leaseExpiresAt',
  'lastSeq',
] as const satisfies readonly (keyof RunsTable)[];

type ListedRow = Pick<Selectable<RunsTable>, (typeof listColumns)[number]> &
  Partial<Pick<RunsTable, 'followup' | 'resultHead' | 'resultTruncated' | 'resultStructured' | 'resultLeftOutBytes'>>;

/** Maps a row to a run. JSON columns were validated when written. */
export function runOfRow(row: ListedRow): StoredRun {
  return {
    runId: row.runId,
    state: row.state as RunState,
    attempt: row.attempt,
    version: row.version,
    title: row.title,
    prompt: row.prompt,
    config: JSON.parse(row.config) as AgentConfig,
    skill: readJson<RunSkill>(row.skill),
    source: row.source as RunSource,
    triggerUrl: row.triggerUrl ?? undefined,
    metadata: readJson<Record<string, string>>(row.metadata),
    checkout: readJson<Checkout>(row.checkout),
    conversationId: row.conversationId,
    continuation: readJson<Continuation>(row.continuation),
    isInteractive: row.interactive === 1,
    followup: row.followup ?? undefined,
    creator: { uid: row.creatorUid, displayName: row.creatorName },
    statusMessage: readJson<StatusMessage>(row.statusMessage),
    result: resultOfRow(row),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    startedAt: row.startedAt ?? undefined,
    finishedAt: row.finishedAt ?? undefined,
    workedMs: row.workedMs ?? undefined,
    cancelRequestedAt: row.cancelRequestedAt ?? undefined,
    cancelReason: row.cancelReason ?? undefined,
    leaseSeconds: row.leaseSeconds ?? undefined,
    leaseExpiresAt: row.leaseExpiresAt ?? undefined,
    artifacts: artifactsOf(row.artifacts),
    lastSeq: row.lastSeq,
  };
}

function resultOfRow({
  resultHead,
  resultTruncated,
  resultStructured,
  resultLeftOutBytes: leftOutBytes,
}: ListedRow): StoredRun['result'] {
  if (typeof resultHead !== 'string') return undefined;
  const structured = readJson<unknown>(resultStructured ?? null);
  return {
    text: resultHead,
    truncated: resultTruncated === 1,
    ...(typeof leftOutBytes === 'number' ? { left_out_bytes: leftOutBytes } : {}),
    ...(structured === undefined ? {} : { structured }),
  };
}

export function artifactsOf(json: string | null): readonly StoredArtifact[] {
  return readJson<StoredArtifact[]>(json) ?? [];
}

export function eventOfRow(row: Selectable<Tables['events']>): RunEvent {
  return { seq: row.seq, at: new Date(row.at).toISOString(), type: row.type, data: JSON.parse(row.data) } as RunEvent;
}

function readJson<T>(text: string | null): T | undefined {
  return text === null ? undefined : (JSON.parse(text) as T);
}
