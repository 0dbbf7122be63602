import * as z from 'zod';
import type { AgentConfig } from '../../contract/config.ts';
import { sizes } from '../../contract/tables/sizes.ts';
import { dockerSchema } from './container-schema.ts';
import { environmentsSchema, gitSchema } from './environment-schema.ts';
import { harnessEntrySchema } from './harness-schema.ts';
import { skillsSchema } from './skill-schema.ts';

const positive = z.number().positive();

export const limitsSchema = z.strictObject({
  concurrency: z.int().min(1).max(1000).default(4).describe('Runs at the same time, up to 1000; 1 with a `workspace`'),
  run_minutes: positive.default(60).describe('Time limit of a run; the run then ends FAILED'),
  grace_seconds: positive.default(5).describe('Time from SIGTERM to SIGKILL'),
  drain_seconds: z.number().min(0).default(30).describe('Time a stopping server waits for its runs'),
  min_lease_seconds: positive.default(sizes.leaseSecondsMin).describe('Shortest `lease_seconds`'),
  keep_workspace_minutes: z.number().min(0).default(0).describe('Time a workspace is kept after its run ends'),
  keep_conversation_minutes: z
    .number()
    .min(0)
    .default(60)
    .describe('Time a conversation and its workspace are kept after its last run'),
  log_bytes: z.int().min(1024).default(sizes.logBytes).describe('Maximum size of all log events of a run'),
  body_bytes: z.int().min(1024).default(sizes.bodyBytes).describe('Maximum size of a request body'),
  memory_mb: z.int().min(16).optional().describe('Maximum memory of one process, in MiB'),
  processes: z.int().min(1).optional().describe('Maximum processes and threads; not on a server that runs as root'),
  file_mb: z.int().min(1).optional().describe('Maximum size of one file, in MiB'),
});

/** The file `agent-run.yaml`. docs/server.md prints it. */
export const configFileSchema = z.strictObject({
  public_url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Base URL for links to this server'),
  host: z.string().min(1).optional().describe('Address to listen on'),
  port: z.int().min(0).max(65_535).optional().describe('Port to listen on; 0 picks a free one'),
  data: z.string().min(1).optional().describe('Data folder'),
  workspace: z.string().min(1).optional().describe('[Shared working directory of all runs](#one-folder-for-all-runs)'),
  containment: z
    .enum(['auto', 'pid_namespace', 'bubblewrap', 'process_group'])
    .default('auto')
    .optional()
    .describe('`auto`, `pid_namespace`, `bubblewrap` or `process_group`'),
  behind_proxy: z.boolean().optional().describe('A proxy in front terminates TLS'),
  tls: z
    .strictObject({
      cert: z.string().describe('PEM file with the certificate chain'),
      key: z.string().describe('PEM file with its private key'),
    })
    .optional(),
  harnesses: z
    .object({
      default: z.string().optional().describe('Harness for runs that do not name one; required with several harnesses'),
      script: z
        .strictObject({})
        .nullable()
        .optional()
        .describe('`{}` turns it on: anyone with a key can then run commands as the server'),
    })
    .catchall(harnessEntrySchema)
    .optional(),
  environments: environmentsSchema.optional(),
  docker: dockerSchema.optional(),
  git: gitSchema.optional(),
  skills: skillsSchema.optional(),
  limits: limitsSchema.partial().optional(),
});

export type ConfigFile = z.infer<typeof configFileSchema>;
export type Limits = z.infer<typeof limitsSchema>;

/** How long the workspace of a run is kept after its end, for the next run of the conversation. */
export function keptMinutes(config: AgentConfig, limits: Pick<Limits, 'keep_conversation_minutes'>): number {
  return Math.min(config.idle_timeout_minutes ?? Infinity, limits.keep_conversation_minutes);
}

/** Invalid settings. The message lists all of them, one per line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}
