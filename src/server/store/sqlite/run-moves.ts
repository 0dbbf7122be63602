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
  /** Restricts the move to one of its allowed start states. */
  readonly from?: RunState;
  readonly now: number;
  readonly statusMessage?: StatusMessage | undefined;
  /** The claim that makes the move; undefined if the service makes it. */
  readonly attempt?: number | undefined;
  readonly set?: UpdateObject<Tables, 'runs'>;
  /** Events to append before the `state` event. */
  readonly before?: readonly EventDraft[];
}

/**
 * The only statement that changes a state. Its condition is the moves that `contract/tables/state.ts` allows, and it
 * appends the `state` event. Returns the row after the move, or undefined if the run was not in a start state.
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

/** Keys of MCP servers are not needed after the end. The idempotency check uses the request's hash. */
async function forgetSecrets(unit: WriteUnit, { runId, config }: Pick<RunsTable, 'runId' | 'config'>): Promise<void> {
  const known = JSON.parse(config) as AgentConfig;
  if (known.mcp_servers === undefined) return;
  const redacted = JSON.stringify(hideMcpSecrets(known));
  await unit.database.updateTable('runs').set({ config: redacted }).where('runId', '=', runId).execute();
}

/** Appends events with numbers after the run's last one. `lastSeq` must have been read in this unit. */
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

/** Cancels a run at once if no worker has it. Otherwise sets a mark for its worker. */
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
