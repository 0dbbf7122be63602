import * as z from 'zod';
import { type Artifact, artifactSchema } from './artifacts.ts';
import { configSchema } from './config.ts';
import type { OpenWord, Optional } from './open-world.ts';
import type { ErrorCode, PublishedErrorCode } from './tables/error-codes.ts';
import { runSources } from './tables/source.ts';
import { runStates } from './tables/state.ts';

const time = z.string().describe('RFC 3339, UTC, milliseconds');

export const executionLocations = ['LOCAL', 'REMOTE'] as const;

export const runStateSchema = z.enum(runStates);
export const runSourceSchema = z.enum(runSources);

const statusMessageSchema = z.object({
  message: z.string(),
  error_code: z
    .string()
    .optional()
    .describe('The error code, if every client knows it. Otherwise only `reason` has it'),
  reason: z.string().optional().describe("The error code from this server's own table"),
  retryable: z.boolean().optional(),
});
export type StatusMessage = Omit<z.infer<typeof statusMessageSchema>, 'error_code' | 'reason'> & {
  readonly error_code?: OpenWord<PublishedErrorCode> | undefined;
  readonly reason?: OpenWord<ErrorCode> | undefined;
};

const resultSchema = z.object({
  text: z.string().describe('The first 64 KiB. /result has everything that was kept'),
  truncated: z.boolean().describe('/result has more text than this'),
  left_out_bytes: z.int().optional().describe('Bytes dropped from the start of a result larger than 4 MiB'),
  structured: z.unknown().optional(),
});
export type RunResult = z.infer<typeof resultSchema>;

/** One run in responses. Lists omit `result` and `request_usage`. */
export const runSchema = z.object({
  run_id: z.string(),
  task_id: z.string(),
  title: z.string(),
  prompt: z.string(),
  state: runStateSchema,
  status_message: statusMessageSchema.optional(),
  created_at: time,
  updated_at: time,
  started_at: time.nullable(),
  finished_at: time.nullable(),
  run_time: z.string().optional().describe('ISO 8601 duration of the work, without the time spent BLOCKED'),
  attempt: z.int().describe('How many times a worker has claimed the run'),
  source: runSourceSchema,
  execution_location: z.enum(executionLocations),
  creator: z.object({ type: z.string(), uid: z.string(), display_name: z.string().optional() }),
  agent_config: configSchema,
  agent_skill: z
    .object({ name: z.string(), description: z.string().optional(), full_path: z.string().optional() })
    .optional(),
  session_id: z.string().optional().describe("The agent's own id for continuing the conversation, once known"),
  session_link: z.string().optional(),
  conversation_id: z
    .string()
    .describe('Send it with a new run to continue the conversation. A new conversation has the id of its first run'),
  trigger_url: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  repository: z.string().optional().describe('As given when the run was created, like ref and sha'),
  ref: z.string().optional(),
  sha: z.string().optional(),
  environment_name: z
    .string()
    .optional()
    .describe('Name of the environment agent_config.environment_id; absent once the server no longer has it'),
  request_usage: z
    .looseObject({
      total_tokens: z.number().optional(),
      inference_cost_usd: z.number().optional().describe('Cost of the model, in US dollars'),
    })
    .optional()
    .describe('Usage of the run so far, from its usage events. Unknown values are absent'),
  cancel_requested_at: time.optional(),
  lease_expires_at: time.optional(),
  last_seq: z.int().describe('Number of the newest event'),
  is_run_type_cancellable: z.boolean(),
  artifacts: z.array(artifactSchema),
  result: resultSchema.optional(),
});

type WireRun = z.infer<typeof runSchema>;

/** The creator or the executor of a run. */
interface UserProfile {
  readonly type: OpenWord<'user' | 'service_account'>;
  readonly uid: string;
  readonly display_name?: string | undefined;
  readonly photo_url?: string | undefined;
  readonly email?: string | undefined;
}

/** Members that the public service sends and this server does not. */
interface ForeignMembers {
  readonly executor?: UserProfile | undefined;
  readonly parent_run_id?: string | undefined;
  readonly schedule?:
    | { readonly schedule_id: string; readonly schedule_name: string; readonly cron_schedule: string }
    | undefined;
  readonly scope?: { readonly type: OpenWord<'User' | 'Team'>; readonly uid?: string | undefined } | undefined;
  readonly is_sandbox_running?: boolean | undefined;
}

type Retyped = 'state' | 'source' | 'execution_location' | 'status_message' | 'artifacts' | 'creator';
/** Every service sends these. */
type AlwaysPresent = 'run_id' | 'task_id' | 'title' | 'prompt' | 'created_at' | 'updated_at';

/**
 * One run. Words are open because a newer server may send more. Members that another service may omit are optional,
 * although this project's server always sends them.
 */
export type Run = Readonly<Pick<WireRun, AlwaysPresent>> &
  Optional<Omit<WireRun, Retyped | AlwaysPresent>> &
  ForeignMembers & {
    readonly state: OpenWord<WireRun['state']>;
    readonly source?: OpenWord<WireRun['source']> | undefined;
    readonly execution_location?: OpenWord<WireRun['execution_location']> | undefined;
    readonly status_message?: StatusMessage | undefined;
    readonly artifacts?: readonly Artifact[] | undefined;
    readonly creator?: UserProfile | undefined;
  };

type Served =
  | 'started_at'
  | 'finished_at'
  | 'attempt'
  | 'source'
  | 'execution_location'
  | 'creator'
  | 'agent_config'
  | 'conversation_id'
  | 'last_seq'
  | 'is_run_type_cancellable'
  | 'artifacts';

/** One run as this project's server sends it. */
export type ServedRun = Run & { readonly [Member in Served]-?: Exclude<Run[Member], undefined> };
