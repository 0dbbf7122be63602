import type { GeneratedAlways } from 'kysely';

/** The tables for Kysely. Times are integer milliseconds, JSON is text. */
export interface Tables {
  runs: RunsTable;
  results: { runId: string; text: string };
  /** The metadata of the runs, for filters. */
  runMetadata: { name: string; value: string; runId: string };
  artifactHomes: { artifactUid: string; runId: string };
  followups: { runId: string; creatorUid: string; idempotencyKey: string; bodyHash: string };
  events: { runId: string; seq: number; at: number; type: string; data: string };
  apiKeys: { keyId: string; name: string; hash: string; createdAt: number };
  settings: { name: string; value: string };
  schemaSteps: { name: string };
}

export interface RunsTable {
  runId: string;
  state: string;
  attempt: number;
  version: number;
  title: string;
  /** For the order by title. */
  titleKey: GeneratedAlways<string>;
  prompt: string;
  config: string;
  /** Copied from `config` for filters. */
  configName: string | null;
  modelId: string | null;
  environmentId: string | null;
  skillSpec: string | null;
  /** For the order by agent. */
  agentKey: GeneratedAlways<string | null>;
  skill: string | null;
  /** `owner/repo:path` of the resolved skill, in lower case. */
  skillId: string | null;
  source: string;
  triggerUrl: string | null;
  metadata: string | null;
  checkout: string | null;
  conversationId: string;
  continuation: string | null;
  interactive: number;
  /** The latest follow-up to a BLOCKED run. */
  followup: string | null;
  creatorUid: string;
  creatorName: string;
  statusMessage: string | null;
  resultHead: string | null;
  resultTruncated: number;
  resultStructured: string | null;
  resultLeftOutBytes: number | null;
  artifacts: string | null;
  createdAt: number;
  updatedAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  workedMs: number | null;
  cancelRequestedAt: number | null;
  cancelReason: string | null;
  leaseSeconds: number | null;
  leaseExpiresAt: number | null;
  lastSeq: number;
  idempotencyKey: string | null;
  bodyHash: string | null;
}
