import * as z from 'zod';
import type { OpenWord } from './open-world.ts';

const time = z.string().describe('RFC 3339, UTC, milliseconds');

export const environmentQuerySchema = z.object({
  sort_by: z
    .enum(['name', 'last_updated'])
    .default('last_updated')
    .describe('last_updated: newest first, then by name'),
});

export type EnvironmentListParams = {
  readonly sort_by?: OpenWord<z.infer<typeof environmentQuerySchema>['sort_by']> | undefined;
};

const environmentConfigSchema = z.object({
  name: z.string(),
  description: z.string().nullable().optional(),
  docker_image: z.string().optional().describe('Container image of its runs'),
  github_repos: z
    .array(z.object({ owner: z.string(), repo: z.string() }))
    .describe('Its repositories on any host, except those without an owner'),
  setup_commands: z.array(z.string()),
});

const lastTaskSchema = z.object({
  id: z.string(),
  title: z.string(),
  state: z.string(),
  created_at: time,
  updated_at: time,
  started_at: time.nullable(),
});

/** Where a run can work. `config.environment_id` takes the `uid` or the name. */
export const environmentSchema = z.object({
  uid: z.string(),
  config: environmentConfigSchema,
  last_updated: time.describe("When the server's configuration was last changed"),
  setup_failed: z.boolean().describe('Setup failed for the last run that ended'),
  last_task_created: lastTaskSchema.optional(),
  last_task_run_timestamp: time.nullable(),
});

export const environmentsAnswerSchema = z.object({ environments: z.array(environmentSchema) });
export type EnvironmentsAnswer = Readonly<z.infer<typeof environmentsAnswerSchema>>;
