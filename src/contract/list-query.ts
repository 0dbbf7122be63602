import * as z from 'zod';
import { artifactTypes } from './artifacts.ts';
import type { OpenWord, Optional } from './open-world.ts';
import { executionLocations, runSourceSchema, runStateSchema } from './run.ts';
import { sizes } from './tables/sizes.ts';

const instant = z.iso.datetime({ offset: true, error: 'must be an RFC 3339 time, such as 2026-01-31T12:00:00Z' });

/** Metadata pairs that one list may ask for. */
const metadataFilterPairs = 5;
/** A longer text takes longer to look for in every run. */
const searchLength = 200;
/** What `environment_id` says for runs without an environment. */
export const emptyEnvironment = 'empty-environment';
export const runOrders = ['updated_at', 'created_at', 'title', 'agent'] as const;

const metadataFilter = z
  .record(z.string().regex(/^[A-Za-z0-9._-]+$/, 'may contain only letters, digits, ".", "_" and "-"'), z.string())
  .refine(
    pairs => Object.keys(pairs).length <= metadataFilterPairs,
    `may filter by at most ${metadataFilterPairs} pairs`,
  );

const noRunHasOne = 'Runs of this server never have one, so the list is empty';

/**
 * The filters of a list; a run has to pass all of them. Bounds: `_after` inclusive, `_before` exclusive. `name` and
 * `config_name` mean the same, as do `skill_spec` and `skill`; both with different values is an error. Parameters not
 * known here are ignored.
 */
export const listQuerySchema = z.object({
  state: z.array(runStateSchema).optional().describe('State; if repeated, any of them'),
  name: z.string().optional().describe('Name in the config'),
  config_name: z.string().optional().describe('Same as `name`'),
  model_id: z.string().optional().describe('Model in the config'),
  creator: z.string().optional().describe('Uid of the creator of the run'),
  executor: z.string().optional().describe('Uid of the user the run acts for; on this server, its creator'),
  source: runSourceSchema.optional().describe('What started the run, such as `API`, `CLI` or `GITHUB_ACTION`'),
  execution_location: z
    .enum(executionLocations)
    .optional()
    .describe('`LOCAL` or `REMOTE`; all runs of this server are `REMOTE`'),
  skill_spec: z.string().optional().describe('Skill, as the run names it'),
  skill: z.string().optional().describe('Same as `skill_spec`'),
  environment_id: z.string().optional().describe(`Environment; \`${emptyEnvironment}\` for runs without one`),
  q: z
    .string()
    .max(searchLength, `may have at most ${searchLength} characters`)
    .refine(text => !text.includes('\0'), 'must not contain NUL')
    .optional()
    .describe(`Text in title, prompt or skill_spec, in any case of ASCII letters, at most ${searchLength} characters`),
  metadata: metadataFilter
    .optional()
    .describe(`\`metadata[key]=value\`, at most ${metadataFilterPairs} times; matches all of them`),
  created_after: instant.optional().describe('RFC 3339 time; runs created then or later'),
  created_before: instant.optional().describe('RFC 3339 time; runs created before'),
  updated_after: instant.optional().describe('RFC 3339 time; runs changed then or later'),
  artifact_type: z
    .enum(artifactTypes)
    .optional()
    .describe(`Runs with an artifact of this type: ${artifactTypes.map(type => `\`${type}\``).join(', ')}`),
  schedule_id: z.string().optional().describe(noRunHasOne),
  ancestor_run_id: z.string().optional().describe(noRunHasOne),
  automation_id: z.string().optional().describe(noRunHasOne),
  factory_uid: z.string().optional().describe(noRunHasOne),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(sizes.listLimit)
    .default(sizes.listLimitDefault)
    .describe(`Most runs on a page, 1 to ${sizes.listLimit}`),
  cursor: z.string().optional().describe('From page_info.next_cursor; valid only with the same sort order'),
  sort_by: z
    .enum(runOrders)
    .default('updated_at')
    .describe(
      '`updated_at`, `created_at`, `title` or `agent` (the skill; runs without one are always last). `title` and `agent` ignore case',
    ),
  sort_order: z.enum(['asc', 'desc']).default('desc').describe('`asc` or `desc`'),
});

export type ListQuery = z.infer<typeof listQuerySchema>;

type ListTime = 'created_after' | 'created_before' | 'updated_after';
type ListWord = 'source' | 'execution_location' | 'artifact_type' | 'sort_by';

/**
 * What a caller may ask a list for. A state may be one or many, a time RFC 3339 or a Date; words are open, for a
 * newer server may know more.
 */
export type ListParams = Optional<Omit<ListQuery, ListTime | ListWord | 'state' | 'metadata'>> & {
  readonly [P in ListTime]?: string | Date | undefined;
} & {
  readonly [P in ListWord]?: OpenWord<NonNullable<ListQuery[P]>> | undefined;
} & {
  readonly state?: OpenWord<ListState> | readonly OpenWord<ListState>[] | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
};

type ListState = NonNullable<ListQuery['state']>[number];
