/** The published clients, oldest first: npm 1.0.0-alpha.8, Python 0.11.0, TypeScript source 1.4.0-alpha.6. */
export const publishedClients = ['npm', 'python', 'newest'] as const;
export type PublishedClient = (typeof publishedClients)[number];

/**
 * The enumerations of the public interface. A client knows the words of its own column and of the columns before it.
 */
const words = {
  RunState: {
    npm: ['QUEUED', 'PENDING', 'CLAIMED', 'INPROGRESS', 'SUCCEEDED', 'FAILED', 'CANCELLED'],
    python: ['BLOCKED', 'ERROR'],
  },
  RunSourceType: {
    npm: ['LINEAR', 'API', 'SLACK', 'LOCAL', 'SCHEDULED_AGENT', 'WEB_APP', 'GITHUB_ACTION', 'CLOUD_MODE', 'CLI'],
    newest: ['JIRA', 'SELF_IMPROVEMENT', 'GITHUB_WEBHOOK', 'GITLAB_WEBHOOK', 'AUTOFIX', 'RUN_SCORER', 'ORCHESTRATION'],
  },
  ErrorCode: {
    python: [
      'insufficient_credits',
      'feature_not_available',
      'external_authentication_required',
      'not_authorized',
      'invalid_request',
      'resource_not_found',
      'budget_exceeded',
      'integration_disabled',
      'integration_not_configured',
      'operation_not_supported',
      'environment_setup_failed',
      'content_policy_violation',
      'conflict',
      'authentication_required',
      'resource_unavailable',
      'internal_error',
    ],
  },
  HarnessType: { python: ['oz', 'claude'], newest: ['gemini', 'codex'] },
  ExecutionLocation: { python: ['LOCAL', 'REMOTE'] },
  PrincipalType: { npm: ['user', 'service_account'] },
  ScopeType: { npm: ['User', 'Team'] },
  ArtifactType: {
    npm: ['PLAN', 'PULL_REQUEST'],
    python: ['SCREENSHOT', 'FILE'],
    newest: ['EXTERNAL_REFERENCE'],
  },
  RunMode: { newest: ['normal', 'plan', 'orchestrate'] },
  PublicAccess: { newest: ['VIEWER', 'EDITOR'] },
  MemoryAccess: { newest: ['read_write', 'read_only'] },
  CredentialStrategy: { newest: ['CREATOR', 'EXECUTOR'] },
  ImageType: { npm: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] },
  RunOrder: { python: ['updated_at', 'created_at', 'title', 'agent'] },
  SortOrder: { python: ['asc', 'desc'] },
  SkillOrder: { npm: ['name', 'last_run'] },
  EnvironmentOrder: { newest: ['name', 'last_updated'] },
  AgentType: { newest: ['FOREMAN', 'TRIAGE', 'SPEC', 'IMPLEMENT', 'REVIEW', 'VERIFY', 'CUSTOM'] },
  ModelProvider: { newest: ['OPENAI', 'ANTHROPIC', 'GOOGLE', 'UNKNOWN'] },
  ModelDisableReason: { newest: ['PROVIDER_OUTAGE', 'OUT_OF_REQUESTS', 'ADMIN_DISABLED', 'REQUIRES_UPGRADE'] },
  MessageRole: { newest: ['user', 'assistant', 'tool', 'system'] },
  TimelineEventType: {
    newest: [
      'oz_run_created',
      'oz_run_claimed',
      'worker_container_ready',
      'shared_session_started',
      'agent_started',
      'oz_run_done',
      'oz_run_blocked',
      'oz_run_cancelled',
      'oz_run_failed',
      'oz_run_errored',
      'vm_shutdown',
    ],
  },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<PublishedClient, readonly string[]>>>>>;

export type WordList = keyof typeof words;

/** The words of a list that a client knows; empty where it does not look at the member at all. */
export function wordsOf(list: WordList, client: PublishedClient): readonly string[] {
  const columns: Readonly<Partial<Record<PublishedClient, readonly string[]>>> = words[list];
  return publishedClients.slice(0, publishedClients.indexOf(client) + 1).flatMap(known => columns[known] ?? []);
}
