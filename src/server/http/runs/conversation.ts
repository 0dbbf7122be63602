/** Checks whether a new run can continue a conversation, and collects what it inherits. */
import { validate as isUuid } from 'uuid';
import { skillOf } from '../../../contract/tables/skill-spec.ts';
import { isFinal } from '../../../contract/tables/state.ts';
import { keptMinutes } from '../../config/config-schema.ts';
import { findEnvironment } from '../../environments/environment.ts';
import type { Continuation } from '../../store/continuation.ts';
import type { StoredRun } from '../../store/store.ts';
import type { HttpParts } from '../app.ts';
import { RequestError } from '../problem-response.ts';
import { type Body, chooseEnvironment, chooseHarness } from './resolve-config.ts';

interface Before {
  /** The newest run of the conversation. */
  readonly run: StoredRun;
  readonly continuation: Continuation;
}

/** Undefined if the run begins a conversation. Throws RequestError if the conversation cannot continue. */
export async function findConversation(
  { conversation_id: id }: Body,
  { store, limits, isConversationKept }: Pick<HttpParts, 'store' | 'limits' | 'isConversationKept'>,
): Promise<Before | undefined> {
  if (id === undefined) return undefined;
  const run = isUuid(id) ? await findNewest(store, id.toLowerCase()) : undefined;
  if (run === undefined)
    throw new RequestError(
      'resource_not_found',
      `conversation_id: this server has no conversation ${JSON.stringify(id.slice(0, 80))}; copy the id from a run of this server`,
    );
  if (!isFinal(run.state)) throw refuseBusy(run);
  const { continuation, runId } = run;
  if (continuation === undefined)
    throw new RequestError(
      'operation_not_supported',
      `conversation_id: the run ${runId} left no session to continue, because it ended before its agent started or did not use an agent; start a new run without conversation_id`,
    );
  if (!(await isConversationKept(run)))
    throw new RequestError(
      'resource_not_found',
      `conversation_id: the conversation has expired; it was kept for ${keptMinutes(run.config, limits)} minutes after its last run (limits.keep_conversation_minutes, or config.idle_timeout_minutes of the run); start a new run without conversation_id`,
    );
  return { run, continuation };
}

/** A conversation has the id of its first run. The id of a later run is accepted too. */
async function findNewest(store: HttpParts['store'], id: string): Promise<StoredRun | undefined> {
  const newest = await store.findNewest(id);
  if (newest !== undefined) return newest;
  const later = await store.readRun(id);
  return later && (await store.findNewest(later.conversationId));
}

/** Two runs of a conversation would share one folder. */
export function refuseBusy({ runId, state }: StoredRun): RequestError {
  if (state !== 'BLOCKED')
    return new RequestError(
      'conflict',
      `conversation_id: the run ${runId} of this conversation has not ended (${state}); wait for it, or cancel it`,
    );
  return new RequestError(
    'operation_not_supported',
    `conversation_id: the run ${runId} of this conversation is waiting for an answer (BLOCKED); answer it with npx agent-run followup ${runId} MESSAGE (POST /agent/runs/${runId}/followups), or cancel the run`,
  );
}

/**
 * Fills in omitted members of `config` from the conversation, except the form of the answer. Throws RequestError for
 * values that cannot change within a conversation.
 */
export function continueConversation(
  body: Body,
  { config: { output_schema: _own, ...earlier }, checkout }: StoredRun,
  { harnesses, environments, limits }: Pick<HttpParts, 'harnesses' | 'environments' | 'limits'>,
): Body {
  const { config: given = {} } = body;
  const harness = earlier.harness?.type ?? 'oz';
  if (!harnesses.canResume(harness))
    throw new RequestError(
      'operation_not_supported',
      `conversation_id: the harness ${harness} cannot continue conversations on this server; start a new run without conversation_id`,
    );
  if (given.harness !== undefined && chooseHarness(given.harness, harnesses) !== harness)
    refuseChange('config.harness', harness);
  if (
    given.environment_id !== undefined &&
    chooseEnvironment(given.environment_id, environments).uid !== earlier.environment_id
  )
    refuseChange('config.environment_id', nameEnvironment(earlier.environment_id, environments));
  for (const name of ['repository', 'ref', 'sha'] as const)
    if (body[name] !== undefined && body[name] !== checkout?.[name])
      refuseChange(name, checkout?.[name] ?? `no ${name}`);
  // The server's limit may be lower by now.
  if (earlier.idle_timeout_minutes !== undefined) earlier.idle_timeout_minutes = keptMinutes(earlier, limits);
  const { skill_spec: _spec, skills: _skills, ...rest } = earlier;
  return {
    ...body,
    ...checkout,
    config: { ...(skillOf(body) === undefined ? earlier : rest), ...given, harness: { type: harness } },
  };
}

/** Uses the uid if the server no longer has the environment. */
function nameEnvironment(uid: string | undefined, environments: HttpParts['environments']): string {
  if (uid === undefined) return 'no environment';
  return findEnvironment(environments, uid)?.name ?? uid;
}

function refuseChange(path: string, kept: string): never {
  throw new RequestError(
    'operation_not_supported',
    `${path}: the conversation uses ${kept}, and later runs cannot change that; remove it`,
  );
}
