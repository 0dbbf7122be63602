import { z } from 'zod';
import { type Artifact, artifactSchema } from './artifacts.ts';
import { configSchema } from './config.ts';
import type { ErrorCode, PublishedErrorCode } from './error-codes.ts';
import type { OpenWord, Optional } from './open-world.ts';
import { runSources } from './source.ts';
import { runStates } from './state.ts';

const time = z.string().describe('RFC 3339, UTC, milliseconds');

export const executionLocations = ['LOCAL', 'REMOTE'] as const;

export const runStateSchema = z.enum(runStates);
export const runSourceSchema = z.enum(runSources);

const statusMessageSchema = z.object({
  message: z.string(),
  error_code: z.string().optional().describe('The code, where it is one that every client of the interface knows'),
  reason: z.string().optional().describe('The code by the error table of this server'),
  retryable: z.boolean().optional(),
});
/** Why a run is in its state. */
export type StatusMessage = Omit<z.infer<typeof statusMessageSchema>, 'error_code' | 'reason'> & {
  readonly error_code?: OpenWord<PublishedErrorCode> | undefined;
  readonly reason?: OpenWord<ErrorCode> | undefined;
};

const resultSchema = z.object({
  text: z.string().describe('Its first 64 KiB; all that is kept of it stands at /result'),
  truncated: z.boolean().describe('Whether /result has more than this'),
  left_out_bytes: z
    .int()
    .optional()
    .describe('How many bytes of a result above 4 MiB were not kept: its end is, below a line that says so'),
  structured: z.unknown().optional(),
});
export type RunResult = z.infer<typeof resultSchema>;

/** One run as answers show it. A list carries the same without `result` and `request_usage`. */
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
  run_time: z.string().optional().describe('ISO 8601 duration of the work, without the time that the run was BLOCKED'),
  attempt: z.int().describe('How often a worker has claimed the run'),
  source: runSourceSchema,
  execution_location: z.enum(executionLocations),
  creator: z.object({ type: z.string(), uid: z.string(), display_name: z.string().optional() }),
  agent_config: configSchema,
  agent_skill: z
    .object({ name: z.string(), description: z.string().optional(), full_path: z.string().optional() })
    .optional(),
  session_id: z
    .string()
    .optional()
    .describe('By what the agent itself goes on with the conversation, once that is known'),
  session_link: z.string().optional(),
  conversation_id: z
    .string()
    .describe('Given to a create, it goes on with the conversation; a new one has the id of its first run'),
  trigger_url: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  repository: z.string().optional().describe('Like ref and sha as the create gave it'),
  ref: z.string().optional(),
  sha: z.string().optional(),
  environment_name: z
    .string()
    .optional()
    .describe('The name of the environment whose uid is agent_config.environment_id, while the server has it'),
  request_usage: z
    .looseObject({
      total_tokens: z.number().optional(),
      inference_cost_usd: z.number().optional().describe('Of the model'),
    })
    .optional()
    .describe('What the run has used so far, as its usage events say; what is not known is absent'),
  cancel_requested_at: time.optional(),
  lease_expires_at: time.optional(),
  last_seq: z.int().describe('The number of the newest event'),
  is_run_type_cancellable: z.boolean(),
  artifacts: z.array(artifactSchema),
  result: resultSchema.optional(),
});

type WireRun = z.infer<typeof runSchema>;

/** Who made a run, or whose rights it has. */
interface UserProfile {
  readonly type: OpenWord<'user' | 'service_account'>;
  readonly uid: string;
  readonly display_name?: string | undefined;
  readonly photo_url?: string | undefined;
  readonly email?: string | undefined;
}

/** What the public service says of a run and this server does not. */
interface ElsewhereSaid {
  readonly executor?: UserProfile | undefined;
  readonly parent_run_id?: string | undefined;
  readonly schedule?:
    | { readonly schedule_id: string; readonly schedule_name: string; readonly cron_schedule: string }
    | undefined;
  readonly scope?: { readonly type: OpenWord<'User' | 'Team'>; readonly uid?: string | undefined } | undefined;
  readonly is_sandbox_running?: boolean | undefined;
}

type Reworded = 'state' | 'source' | 'execution_location' | 'status_message' | 'artifacts' | 'creator';
/** Every service says these. */
type AlwaysSaid = 'run_id' | 'task_id' | 'title' | 'prompt' | 'created_at' | 'updated_at';

/**
 * One run. Words are open, for a newer server may say more than this version knows; what another service may leave out is optional, although a
 * server of this project always says it.
 */
export type Run = Readonly<Pick<WireRun, AlwaysSaid>> &
  Optional<Omit<WireRun, Reworded | AlwaysSaid>> &
  ElsewhereSaid & {
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

/** One run as a server of this project says it. */
export type ServedRun = Run & { readonly [Member in Served]-?: Exclude<Run[Member], undefined> };
