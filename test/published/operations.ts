/** The operations of the public interface: what they take and what they answer, as each published client has it. */
import {
  anything,
  flag,
  list,
  type Members,
  map,
  object,
  orNull,
  type Schema,
  text,
  time,
  uuid,
  word,
} from './json-schema.ts';
import { listRunOperations } from './run-operations.ts';
import { createShapes, type Shapes } from './shapes.ts';
import type { PublishedClient } from './words.ts';

export interface PublishedOperation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly status: number;
  /** Undefined where success has no JSON, or its shape is not known. */
  readonly answer?: Schema;
  readonly query?: Members;
  readonly body?: Schema;
  /** Clients send no key. */
  readonly isOpen?: boolean;
}

export function listOperations(client: PublishedClient): readonly PublishedOperation[] {
  const shapes = createShapes(client);
  return [
    ...listRunOperations(client, shapes),
    ...listThingOperations(client, shapes),
    ...listScheduleOperations(shapes),
    ...listIdentityOperations(client, shapes),
  ];
}

const ok = { status: 200 } as const;

function listThingOperations(
  client: PublishedClient,
  { artifactAnswer, environmentConfig, userProfile, scope, state }: Shapes,
) {
  const variant = object(
    {
      id: text,
      base_prompt: text,
      description: text,
      environments: list(object({ uid: text, name: text })),
      source: object({ owner: text, name: text, skill_path: text }, { worker_host: text }),
    },
    { error: text, last_run_timestamp: orNull(time) },
  );
  const task = object(
    { id: text, title: text, state, created_at: time, updated_at: time },
    { started_at: orNull(time) },
  );
  const environment = object(
    { uid: text, config: environmentConfig, last_updated: time, setup_failed: flag },
    {
      creator: userProfile,
      last_editor: userProfile,
      last_task_created: task,
      last_task_run_timestamp: orNull(time),
      scope,
    },
  );
  const model = object(
    { id: text, display_name: text, provider: word('ModelProvider', client), vision_supported: flag },
    { description: text, reasoning_level: text, disable_reason: word('ModelDisableReason', client) },
  );
  return [
    { ...ok, method: 'GET', path: '/agent/artifacts/{artifactUid}', answer: artifactAnswer },
    { status: 302, method: 'GET', path: '/agent/artifacts/{artifactUid}/download' },
    {
      ...ok,
      method: 'GET',
      path: '/agent',
      query: { repo: text, refresh: flag, sort_by: word('SkillOrder', client), include_malformed_skills: flag },
      answer: object({ agents: list(object({ name: text, variants: list(variant) })) }),
    },
    {
      ...ok,
      method: 'GET',
      path: '/agent/environments',
      query: { sort_by: word('EnvironmentOrder', client) },
      answer: object({ environments: list(environment) }),
    },
    {
      ...ok,
      method: 'GET',
      path: '/agent/models',
      answer: object({ default_model_id: text, models: list(model) }),
    },
    { ...ok, method: 'GET', path: '/agent/connected-self-hosted-workers' },
  ] as const satisfies readonly PublishedOperation[];
}

function listScheduleOperations({ config, environmentConfig, metadata, mode, scope, userProfile }: Shapes) {
  const named = { name: text, cron_schedule: text };
  const told = { prompt: text, agent_config: config, agent_uid: uuid, metadata, mode };
  const schedule = object(
    { id: text, ...named, enabled: flag, prompt: text, created_at: time, updated_at: time },
    {
      agent_config: config,
      agent_uid: uuid,
      environment: environmentConfig,
      created_by: userProfile,
      updated_by: userProfile,
      history: object({}, { last_ran: orNull(time), next_run: orNull(time) }),
      last_spawn_error: orNull(text),
      metadata,
      scope,
    },
  );
  const all = '/agent/schedules';
  const one = '/agent/schedules/{scheduleId}';
  return [
    {
      status: 201,
      method: 'POST',
      path: all,
      body: object(named, { ...told, enabled: flag, team: flag }),
      answer: schedule,
    },
    { ...ok, method: 'GET', path: all, answer: object({ schedules: list(schedule) }) },
    { ...ok, method: 'GET', path: one, answer: schedule },
    { ...ok, method: 'PUT', path: one, body: object({ ...named, enabled: flag }, told), answer: schedule },
    { ...ok, method: 'DELETE', path: one, answer: object({ success: flag }) },
    { ...ok, method: 'POST', path: `${one}/pause`, answer: schedule },
    { ...ok, method: 'POST', path: `${one}/resume`, answer: schedule },
  ] as const satisfies readonly PublishedOperation[];
}

function listIdentityOperations(
  client: PublishedClient,
  { harness, harnessAuthSecrets, inferenceProviders, mcpServer }: Shapes,
) {
  const settings = {
    description: text,
    prompt: text,
    agent_type: word('AgentType', client),
    base_model: text,
    base_harness: text,
    harness,
    harness_auth_secrets: harnessAuthSecrets,
    inference_providers: inferenceProviders,
    mcp_servers: map(mcpServer),
    environment_id: text,
    worker_host: text,
    credential_strategy: orNull(word('CredentialStrategy', client)),
    on_behalf_of_enabled: flag,
    factory_uid: text,
  };
  const identity = object(
    {
      uid: text,
      name: text,
      available: flag,
      created_at: time,
      updated_at: time,
      default_runner_uid: anything,
      memory: anything,
      secrets: list(object({ name: text })),
      skills: list(anything),
    },
    settings,
  );
  const all = '/agent/identities';
  const one = '/agent/identities/{uid}';
  return [
    { status: 201, method: 'POST', path: all, body: object({ name: text }, settings), answer: identity },
    { ...ok, method: 'GET', path: all, query: { factory_uid: text }, answer: object({ agents: list(identity) }) },
    { ...ok, method: 'GET', path: one, answer: identity },
    { ...ok, method: 'PUT', path: one, body: object({}, { name: text, ...settings }), answer: identity },
    { status: 204, method: 'DELETE', path: one },
  ] as const satisfies readonly PublishedOperation[];
}
