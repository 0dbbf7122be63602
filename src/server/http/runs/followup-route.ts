import type { Handler } from 'hono';
import { followupSchema } from '../../../contract/create.ts';
import { headerNames } from '../../../contract/tables/headers.ts';
import { isFinal } from '../../../contract/tables/state.ts';
import type { StoredRun } from '../../store/store.ts';
import type { Handlers, HttpEnv } from '../app.ts';
import { RequestError } from '../problem-response.ts';
import { parseWith, readJsonBody } from '../request-body.ts';
import { readIdempotencyKey } from './create-run.ts';
import { findRun } from './run-routes.ts';

/** POST /agent/runs/{runId}/followups: continues a BLOCKED run with a message. */
export function handleSendFollowup(parts: Handlers): Handler<HttpEnv> {
  return async c => {
    const { runId } = await findRun(parts, c);
    const json = await readJsonBody(c.req.raw, parts.limits.body_bytes);
    const { message, mode } = parseWith(followupSchema, json);
    if (mode !== undefined && mode !== 'normal')
      throw new RequestError('operation_not_supported', 'this server does not support `mode`; remove it');
    if (parts.isDraining())
      throw new RequestError('resource_unavailable', 'the server is stopping and does not continue runs');
    const { uid } = c.get('caller');
    const idempotency = readIdempotencyKey(c.req.header(headerNames.idempotencyKey), json);
    const outcome = await parts.store.sendFollowup(runId, { message, creatorUid: uid, idempotency });
    if (outcome === 'not_blocked') throw rejectFollowup(await findRun(parts, c));
    if (outcome === 'key_conflict')
      throw new RequestError(
        'operation_not_supported',
        `nothing was sent: this ${headerNames.idempotencyKey} was used before with a different message to this run; use a new key for a new message`,
      );
    if (outcome === 'replayed') c.header(headerNames.idempotentReplayed, 'true');
    else parts.log('info', 'run answered', { run: runId, caller: uid });
    return c.json({});
  };
}

function rejectFollowup({ state, conversationId }: StoredRun): RequestError {
  const next = `start a new run with conversation_id ${conversationId}`;
  if (isFinal(state)) return new RequestError('invalid_request', `the run is over (${state}); ${next}`);
  return new RequestError(
    'operation_not_supported',
    `the run is ${state}, and agents on this server do not accept messages while they work; wait until it is BLOCKED, or wait for it to end and then ${next}`,
  );
}
