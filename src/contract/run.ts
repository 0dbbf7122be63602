import { z } from 'zod';
import { configSchema } from './config.ts';
import { runSources } from './source.ts';
import { runStates } from './state.ts';

const time = z.string().describe('RFC 3339, UTC, milliseconds');

const statusMessageSchema = z.object({
  message: z.string(),
  error_code: z.string().optional().describe('A code of the error table'),
  retryable: z.boolean().optional(),
});
export type StatusMessage = z.infer<typeof statusMessageSchema>;

const resultSchema = z.object({
  text: z.string().describe('Cut at 64 KiB; the whole text stands at /result'),
  truncated: z.boolean(),
  structured: z.unknown().optional(),
});
export type RunResult = z.infer<typeof resultSchema>;

/** One run as answers show it. A list carries the same without `result`. */
export const runSchema = z.object({
  run_id: z.string(),
  task_id: z.string(),
  title: z.string(),
  prompt: z.string(),
  state: z.enum(runStates),
  status_message: statusMessageSchema.optional(),
  created_at: time,
  updated_at: time,
  started_at: time.nullable(),
  finished_at: time.nullable(),
  run_time: z.string().optional().describe('ISO 8601 duration of the work'),
  attempt: z.int().describe('How often a worker has claimed the run'),
  source: z.enum(runSources),
  execution_location: z.enum(['LOCAL', 'REMOTE']),
  creator: z.object({ type: z.string(), uid: z.string(), display_name: z.string().optional() }),
  agent_config: configSchema,
  agent_skill: z
    .object({ name: z.string(), description: z.string().optional(), full_path: z.string().optional() })
    .optional(),
  session_link: z.string().optional(),
  trigger_url: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  cancel_requested_at: time.optional(),
  lease_expires_at: time.optional(),
  last_seq: z.int().describe('The number of the newest event'),
  is_run_type_cancellable: z.boolean(),
  artifacts: z.array(z.unknown()),
  result: resultSchema.optional(),
});

type WireRun = z.infer<typeof runSchema>;

/** A known word of the contract, or one that a newer server says. */
export type OpenWord<Known extends string> = Known | (string & {});

/** One run. State and source are open: a newer server may say more than this version knows. */
export type Run = Omit<WireRun, 'state' | 'source' | 'execution_location'> & {
  readonly state: OpenWord<WireRun['state']>;
  readonly source: OpenWord<WireRun['source']>;
  readonly execution_location: OpenWord<WireRun['execution_location']>;
};
