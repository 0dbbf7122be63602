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
  state: z.array(runStateSchema).optional().describe('May be repeated; matches any of them'),
  name: z.string().optional(),
  config_name: z.string().optional().describe('Same as name'),
  model_id: z.string().optional(),
  creator: z.string().optional().describe('Uid of the creator of the run'),
  executor: z.string().optional().describe('Uid of the user the run acts for; on this server, its creator'),
  source: runSourceSchema.optional(),
  execution_location: z.enum(executionLocations).optional(),
  skill_spec: z.string().optional(),
  skill: z.string().optional().describe('Same as skill_spec'),
  environment_id: z.string().optional().describe(`\`${emptyEnvironment}\`: runs without one`),
  q: z
    .string()
    .max(searchLength, `may have at most ${searchLength} characters`)
    .refine(text => !text.includes('\0'), 'must not contain NUL')
    .optional()
    .describe(
      `Text in the title, prompt or skill, at most ${searchLength} characters. Ignores the case of ASCII letters`,
    ),
  metadata: metadataFilter
    .optional()
    .describe(`\`metadata[key]=value\`, at most ${metadataFilterPairs} times; matches all of them`),
  created_after: instant.optional(),
  created_before: instant.optional(),
  updated_after: instant.optional(),
  artifact_type: z.enum(artifactTypes).optional().describe('Runs with an artifact of this type'),
  schedule_id: z.string().optional().describe(noRunHasOne),
  ancestor_run_id: z.string().optional().describe(noRunHasOne),
  automation_id: z.string().optional().describe(noRunHasOne),
  factory_uid: z.string().optional().describe(noRunHasOne),
  limit: z.coerce.number().int().min(1).max(sizes.listLimit).default(sizes.listLimitDefault),
  cursor: z.string().optional().describe('From page_info.next_cursor; valid only with the same sort order'),
  sort_by: z
    .enum(runOrders)
    .default('updated_at')
    .describe('agent: by skill; runs without a skill are always last. title and agent ignore case'),
  sort_order: z.enum(['asc', 'desc']).default('desc'),
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
