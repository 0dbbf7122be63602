import type { Artifact } from '../../../contract/artifacts.ts';
import type { AgentConfig } from '../../../contract/config.ts';
import { hideMcpSecrets } from '../../../contract/mcp-secrets.ts';
import type { ServedRun, StatusMessage } from '../../../contract/run.ts';
import { publishedErrorCodes } from '../../../contract/tables/error-codes.ts';
import { isFinal } from '../../../contract/tables/state.ts';
import type { Environment } from '../../environments/environment.ts';
import type { StoredArtifact, StoredRun } from '../../store/store.ts';
import type { HttpParts } from '../app.ts';

/** From the caller's view, all runs of a server are remote. */
export const executionLocation = 'REMOTE';

/** Values of an answer that the run does not contain. */
export interface RunSurroundings {
  readonly sessionLink: string;
  /** The server's environments. */
  readonly environments: readonly Environment[];
  readonly harnesses: Pick<HttpParts['harnesses'], 'publishedType'>;
  /** Omitted in lists. */
  readonly usage?: Readonly<Record<string, unknown>> | undefined;
}

/** Converts a stored run to the wire format. */
export function viewRun(run: StoredRun, { sessionLink, environments, harnesses, usage }: RunSurroundings): ServedRun {
  const environment = environments.find(({ uid }) => uid === run.config.environment_id);
  return {
    run_id: run.runId,
    task_id: run.runId,
    title: run.title,
    prompt: run.prompt,
    state: run.state,
    ...(run.statusMessage === undefined ? {} : { status_message: viewStatus(run.statusMessage) }),
    created_at: printTime(run.createdAt),
    updated_at: printTime(run.updatedAt),
    started_at: run.startedAt === undefined ? null : printTime(run.startedAt),
    finished_at: run.finishedAt === undefined ? null : printTime(run.finishedAt),
    ...(run.workedMs === undefined || run.finishedAt === undefined ? {} : { run_time: printDuration(run.workedMs) }),
    attempt: run.attempt,
    source: run.source,
    execution_location: executionLocation,
    creator: { type: 'service_account', uid: run.creator.uid, display_name: run.creator.displayName },
    agent_config: viewConfig(run.config, harnesses),
    ...(run.skill === undefined ? {} : { agent_skill: run.skill }),
    ...(run.continuation === undefined ? {} : { session_id: run.continuation.sessionId }),
    session_link: sessionLink,
    conversation_id: run.conversationId,
    ...(run.triggerUrl === undefined ? {} : { trigger_url: run.triggerUrl }),
    ...(run.metadata === undefined ? {} : { metadata: run.metadata }),
    ...run.checkout,
    ...(environment === undefined ? {} : { environment_name: environment.name }),
    ...viewUsage(usage ?? {}),
    ...(run.cancelRequestedAt === undefined ? {} : { cancel_requested_at: printTime(run.cancelRequestedAt) }),
    ...(run.leaseExpiresAt === undefined || isFinal(run.state)
      ? {}
      : { lease_expires_at: printTime(run.leaseExpiresAt) }),
    last_seq: run.lastSeq,
    is_run_type_cancellable: true,
    artifacts: run.artifacts.map(viewArtifact),
    ...(run.result === undefined ? {} : { result: run.result }),
  };
}

/** Published clients know only some codes. A code of ours stays in `reason`, because the nearest one would mislead. */
function viewStatus({ error_code: reason, ...status }: StatusMessage): StatusMessage {
  if (reason === undefined) return status;
  const published = publishedErrorCodes.find(code => code === reason);
  return { ...status, ...(published === undefined ? {} : { error_code: published }), reason };
}

/** Uses the published names, without credits. An endpoint that reports 0 counted nothing, so 0 is left out. */
function viewUsage(usage: Readonly<Record<string, unknown>>): Pick<ServedRun, 'request_usage'> {
  const known = Object.fromEntries(Object.entries(usage).filter(([, amount]) => amount !== 0));
  if (Object.keys(known).length === 0) return {};
  const { input_tokens: read, output_tokens: written, cost_usd: cost } = known;
  return {
    request_usage: {
      ...(typeof read === 'number' && typeof written === 'number' ? { total_tokens: read + written } : {}),
      ...(typeof cost === 'number' ? { inference_cost_usd: cost } : {}),
      ...known,
    },
  };
}

/** Clients that validate answers know only a few harness types, so our name has its own member. */
function viewConfig(config: AgentConfig, { publishedType }: RunSurroundings['harnesses']): AgentConfig {
  const name = config.harness?.type;
  return {
    ...hideMcpSecrets(config),
    ...(name === undefined ? {} : { harness: { type: publishedType(name), name } }),
  };
}

function viewArtifact({ type, createdAt, data }: StoredArtifact): Artifact {
  // Each kind's table validated the data when it was stored.
  return { artifact_type: type, created_at: printTime(createdAt), data } as Artifact;
}

export function printTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** The ISO 8601 duration of milliseconds: `PT1.5S`. */
function printDuration(ms: number): string {
  return `PT${ms / 1000}S`;
}
