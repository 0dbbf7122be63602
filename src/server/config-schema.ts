import { z } from 'zod';
import type { AgentConfig } from '../contract/config.ts';
import { sizes } from '../contract/sizes.ts';
import { dockerSchema } from './container-schema.ts';
import { environmentsSchema, gitSchema } from './environment-schema.ts';
import { harnessEntrySchema } from './harness-schema.ts';
import { skillsSchema } from './skill-schema.ts';

const positive = z.number().positive();

export const limitsSchema = z.strictObject({
  concurrency: z
    .int()
    .min(1)
    .max(1000)
    .default(4)
    .describe('Runs at the same time; 1 where a `workspace` is given and this is not'),
  run_minutes: positive.default(60).describe('Wall clock of one run; it then ends FAILED'),
  grace_seconds: positive.default(5).describe('From SIGTERM to SIGKILL'),
  drain_seconds: z.number().min(0).default(30).describe('How long a stopping server lets its runs go on'),
  min_lease_seconds: positive.default(sizes.leaseSecondsMin).describe('The shortest lease that a caller may ask for'),
  keep_workspace_minutes: z.number().min(0).default(0).describe('How long the workspace of an ended run is kept'),
  keep_conversation_minutes: z
    .number()
    .min(0)
    .default(60)
    .describe(
      'How long a new run can go on with the conversation of an agent, after its last run has ended; its workspace and state are kept so long',
    ),
  log_bytes: z.int().min(1024).default(sizes.logBytes).describe('All log events of one run together'),
  body_bytes: z.int().min(1024).default(sizes.bodyBytes).describe('One request body'),
  memory_mb: z.int().min(16).optional().describe('MiB of memory that one process of a run may ask for'),
  processes: z.int().min(1).optional().describe('Processes and threads; not for a server that runs as root'),
  file_mb: z.int().min(1).optional().describe('MiB that one file of a run may grow to'),
});

/** The file `agent-run.yaml`. docs/server.md prints it. */
export const configFileSchema = z.strictObject({
  public_url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address that people reach the server at; makes the links'),
  host: z.string().min(1).optional().describe('Address to listen on'),
  port: z.int().min(0).max(65_535).optional().describe('Port to listen on; 0 takes a free one'),
  data: z.string().min(1).optional().describe('Folder that keeps everything'),
  workspace: z
    .string()
    .min(1)
    .optional()
    .describe('Folder that every run works in as it is; without it each run gets a folder of its own'),
  containment: z
    .enum(['auto', 'pid_namespace', 'bubblewrap', 'process_group'])
    .default('auto')
    .optional()
    .describe(
      'What keeps the processes of a run together: `pid_namespace`, `bubblewrap` or `process_group`; `auto` is the first where it works, else the last',
    ),
  behind_proxy: z.boolean().optional().describe('A proxy in front speaks TLS'),
  tls: z
    .strictObject({
      cert: z.string().describe('PEM file of the certificate chain'),
      key: z.string().describe('PEM file of its key'),
    })
    .optional()
    .describe('PEM files; read again on SIGHUP'),
  harnesses: z
    .object({
      default: z.string().optional().describe('The harness of a run that names none; needed when there are several'),
      script: z
        .strictObject({})
        .nullable()
        .optional()
        .describe('Offers `script`: whoever has a key then runs shell blocks as the server'),
    })
    .catchall(harnessEntrySchema)
    .optional()
    .describe('What can execute a run'),
  environments: environmentsSchema.optional().describe('What runs may ask to work in with `config.environment_id`'),
  docker: dockerSchema.optional().describe('How containers are run, where an image is named for runs'),
  git: gitSchema.optional().describe('How the server speaks with hosts of repositories'),
  skills: skillsSchema.optional().describe('Where skills are taken from'),
  limits: limitsSchema.partial().optional(),
});

export type ConfigFile = z.infer<typeof configFileSchema>;
export type Limits = z.infer<typeof limitsSchema>;

/** How long the workspace of a run is kept after its end, for the next run of the conversation. */
export function keptMinutes(config: AgentConfig, limits: Pick<Limits, 'keep_conversation_minutes'>): number {
  return Math.min(config.idle_timeout_minutes ?? Infinity, limits.keep_conversation_minutes);
}

/** Settings that are wrong; the message lists all of them, a line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}
