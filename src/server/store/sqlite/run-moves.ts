import type { Selectable, UpdateObject } from 'kysely';
import type { AgentConfig } from '../../../contract/config.ts';
import type { EventDraft } from '../../../contract/events.ts';
import { hideMcpSecrets } from '../../../contract/mcp-secrets.ts';
import type { StatusMessage } from '../../../contract/run.ts';
import { finalStates, isFinal, type RunState, statesBefore } from '../../../contract/tables/state.ts';
import type { RunsTable, Tables } from './tables.ts';
import type { WriteUnit } from './writer-queue.ts';

interface Move {
  readonly runId: string;
  readonly to: RunState;
  /** Where only one of the states may be left from which the move is allowed. */
  readonly from?: RunState;
  readonly now: number;
  readonly statusMessage?: StatusMessage | undefined;
  /** The claim that makes the move; undefined where the service itself does. */
  readonly attempt?: number | undefined;
  readonly set?: UpdateObject<Tables, 'runs'>;
  /** Events that come before that of the state. */
  readonly before?: readonly EventDraft[];
}

/**
 * The only statement that changes a state: it holds the moves that `contract/tables/state.ts` allows as its condition and appends the `state` event.
 * The row after the move, or undefined when the run was not where the move starts.
 */
export async function moveRun(unit: WriteUnit, move: Move): Promise<Selectable<RunsTable> | undefined> {
  let update = unit.database
    .updateTable('runs')
    .set(eb => ({
      state: move.to,
      version: eb('version', '+', 1),
      updatedAt: move.now,
      statusMessage: move.statusMessage === undefined ? null : JSON.stringify(move.statusMessage),
      ...(isFinal(move.to) ? { finishedAt: move.now, leaseExpiresAt: null } : {}),
      ...move.set,
    }))
    .where('runId', '=', move.runId)
    .where('state', 'in', move.from === undefined ? statesBefore(move.to) : [move.from]);
  if (move.attempt !== undefined) update = update.where('attempt', '=', move.attempt);
  const row = await update.returningAll().executeTakeFirst();
  if (row === undefined) return undefined;
  if (isFinal(move.to)) await forgetSecrets(unit, row);
  const message = move.statusMessage?.message;
  await insertEvents(
    unit,
    row,
    [
      ...(move.before ?? []),
      { type: 'state', data: message === undefined ? { state: move.to } : { state: move.to, message } },
    ],
    move.now,
  );
  unit.touch(move.runId);
  return row;
}

/** Nobody needs the keys of MCP servers when a run is over. Its idempotency key is recognised by the hash of the request. */
async function forgetSecrets(unit: WriteUnit, { runId, config }: Pick<RunsTable, 'runId' | 'config'>): Promise<void> {
  const known = JSON.parse(config) as AgentConfig;
  if (known.mcp_servers === undefined) return;
  const hidden = JSON.stringify(hideMcpSecrets(known));
  await unit.database.updateTable('runs').set({ config: hidden }).where('runId', '=', runId).execute();
}

/** Numbers events after the run's last one and keeps them; the row's `lastSeq` is as read in this unit. */
export async function insertEvents(
  unit: WriteUnit,
  row: { readonly runId: string; readonly lastSeq: number },
  events: readonly EventDraft[],
  now: number,
): Promise<void> {
  await unit.database
    .insertInto('events')
    .values(
      events.map((event, index) => ({
        runId: row.runId,
        seq: row.lastSeq + index + 1,
        at: now,
        type: event.type,
        data: JSON.stringify(event.data),
      })),
    )
    .execute();
  await unit.database
    .updateTable('runs')
    .set({ lastSeq: row.lastSeq + events.length })
    .where('runId', '=', row.runId)
    .execute();
}

/** Asks to cancel: at once where no worker has the run, else by a mark that its worker sees. */
export async function requestCancel(
  unit: WriteUnit,
  runId: string,
  reason: string,
  now: number,
): Promise<'cancelled' | 'requested' | 'over' | 'unknown'> {
  const request = { cancelRequestedAt: now, cancelReason: reason };
  const running = await unit.database
    .updateTable('runs')
    .set(eb => ({ ...request, version: eb('version', '+', 1), updatedAt: now }))
    .where('runId', '=', runId)
    .where('state', '=', 'INPROGRESS')
    .where('cancelRequestedAt', 'is', null)
    .executeTakeFirst();
  if (running.numUpdatedRows > 0n) {
    unit.touch(runId);
    return 'requested';
  }
  const row = await unit.database.selectFrom('runs').select('state').where('runId', '=', runId).executeTakeFirst();
  if (row === undefined) return 'unknown';
  if (finalStates.includes(row.state)) return 'over';
  if (row.state === 'INPROGRESS') return 'requested';
  await moveRun(unit, { runId, to: 'CANCELLED', now, statusMessage: { message: reason }, set: request });
  return 'cancelled';
}
