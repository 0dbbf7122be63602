/** The shapes of the public interface as each published client reads them, written down once. */
import {
  address,
  amount,
  anything,
  byTag,
  count,
  duration,
  flag,
  integer,
  list,
  type Members,
  map,
  object,
  orNull,
  text,
  time,
  uuid,
  word,
} from './json-schema.ts';
import { type PublishedClient, wordsOf } from './words.ts';

export type Shapes = ReturnType<typeof createShapes>;

export function createShapes(client: PublishedClient) {
  const only = <T>(shapes: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
    Object.fromEntries(Object.entries(shapes).filter(([kind]) => wordsOf('ArtifactType', client).includes(kind)));

  const mcpServer = object(
    {},
    { warp_id: text, command: text, args: list(text), env: map(text), url: text, headers: map(text) },
  );
  const userProfile = object(
    {},
    { type: word('PrincipalType', client), uid: text, display_name: text, photo_url: text, email: text },
  );
  const scope = object({ type: word('ScopeType', client) }, { uid: text });
  const harness = object({}, { type: word('HarnessType', client), model_id: text, reasoning_level: text });
  const inferenceProviders = object({}, { aws: object({}, { disabled: flag, role_arn: text, region: text }) });
  const harnessAuthSecrets = object({}, { claude_auth_secret_name: text, codex_auth_secret_name: text });
  const memoryStore = object({ uid: text, access: word('MemoryAccess', client), instructions: text });

  const config = object(
    {},
    {
      name: text,
      model_id: text,
      base_prompt: text,
      environment_id: text,
      skill_spec: text,
      skills: list(text),
      mcp_servers: map(mcpServer),
      computer_use_enabled: flag,
      computer_use_model_id: text,
      idle_timeout_minutes: { ...integer, minimum: 1, maximum: 60 },
      worker_host: text,
      harness,
      harness_auth_secrets: harnessAuthSecrets,
      session_sharing: object({}, { public_access: word('PublicAccess', client) }),
      memory_stores: list(memoryStore),
      inference_providers: inferenceProviders,
      credential_strategy: orNull(word('CredentialStrategy', client)),
      runner_id: text,
    },
  );

  const artifact = byTag(
    'artifact_type',
    only<Members>({
      PLAN: {
        data: object({ document_uid: text }, { artifact_uid: text, notebook_uid: text, title: text, url: text }),
      },
      PULL_REQUEST: { data: object({ url: text, branch: text }) },
      SCREENSHOT: { data: object({ artifact_uid: text, mime_type: text }, { description: text }) },
      FILE: {
        data: object(
          { artifact_uid: text, filename: text, filepath: text, mime_type: text },
          { title: text, description: text, size_bytes: count },
        ),
      },
      EXTERNAL_REFERENCE: {
        data: object(
          { reference_type: { ...text, maxLength: 256 }, url: { ...text, maxLength: 2048 } },
          { title: text, metadata: map(anything) },
        ),
      },
    }),
    { created_at: time },
  );

  const link = { download_url: address, expires_at: time, content_type: text };
  const artifactAnswer = byTag(
    'artifact_type',
    only<Members>({
      PLAN: {
        data: object(
          { document_uid: text, notebook_uid: text, content: text, content_type: text },
          { title: text, url: text },
        ),
      },
      SCREENSHOT: { data: object(link, { description: text }) },
      FILE: {
        data: object(
          { ...link, filename: text },
          { filepath: text, title: text, description: text, size_bytes: count },
        ),
      },
    }),
    { artifact_uid: text, created_at: time },
  );

  const costs = { input_cost_usd: amount, output_cost_usd: amount };
  const cacheCosts = { input_cache_read_cost_usd: amount, input_cache_write_cost_usd: amount };
  const usageByModel = map(
    object({
      cost_usd: object({ ...costs, ...cacheCosts }),
      token_count: object({ input: count, output: count, input_cache_read: count, input_cache_write: count }),
      web_search_cost_usd: amount,
      web_search_count: count,
    }),
  );
  const requestUsage = object(
    {},
    {
      inference_cost: amount,
      compute_cost: amount,
      platform_cost: amount,
      inference_cost_usd: amount,
      compute_cost_usd: amount,
      platform_cost_usd: amount,
      total_tokens: count,
      inference_cost_breakdown_usd: object({ ...costs, ...cacheCosts }),
      usage_by_category: map(
        object(
          { platform_usage_usd: amount },
          {
            byok_inference_usage: usageByModel,
            custom_endpoint_inference_usage: usageByModel,
            direct_api_inference_usage: usageByModel,
          },
        ),
      ),
    },
  );

  const state = word('RunState', client);
  const metadata = map({ ...text, maxLength: 256 });
  const run = object(
    { run_id: uuid, task_id: uuid, title: text, prompt: text, state, created_at: time, updated_at: time },
    {
      started_at: orNull(time),
      run_time: duration,
      status_message: object(
        { message: text },
        {
          error_code: word('ErrorCode', client),
          retryable: flag,
          session_debug_until: time,
          debug_agent_active: flag,
        },
      ),
      source: word('RunSourceType', client),
      execution_location: word('ExecutionLocation', client),
      session_id: text,
      session_link: address,
      trigger_url: text,
      creator: userProfile,
      executor: userProfile,
      agent_config: config,
      agent_skill: object({}, { name: text, description: text, full_path: text, bundled_skill_id: text }),
      schedule: object({ schedule_id: text, schedule_name: text, cron_schedule: text }),
      conversation_id: text,
      parent_run_id: text,
      metadata,
      artifacts: list(artifact),
      request_usage: requestUsage,
      scope,
      is_sandbox_running: flag,
      is_run_type_cancellable: flag,
      debug_agent_available: flag,
    },
  );

  const environmentConfig = object(
    {},
    {
      name: text,
      description: orNull(text),
      docker_image: text,
      github_repos: list(object({ owner: text, repo: text })),
      setup_commands: list(text),
      providers: object(
        {},
        {
          aws: object({ role_arn: text }),
          gcp: object(
            {
              project_number: text,
              workload_identity_federation_pool_id: text,
              workload_identity_federation_provider_id: text,
            },
            { service_account_email: text },
          ),
        },
      ),
      failure_session_retention_minutes: orNull({ ...integer, minimum: 1, maximum: 60 }),
    },
  );

  return {
    mcpServer,
    userProfile,
    scope,
    harness,
    harnessAuthSecrets,
    inferenceProviders,
    config,
    artifactAnswer,
    state,
    metadata,
    run,
    environmentConfig,
    mode: word('RunMode', client),
    error: object(
      { type: address, title: text, status: integer, error: text },
      { detail: text, instance: text, retryable: flag, trace_id: text, provider: text, auth_url: text },
    ),
  };
}
