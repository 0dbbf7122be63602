import { z } from 'zod';
import type { OpenWord, Optional } from './open-world.ts';

const flag = z.enum(['true', 'false']).default('false');

export const agentQuerySchema = z.object({
  repo: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9-]*\/(?!\.{1,2}$)[A-Za-z0-9._-]+$/,
      'is no owner/name of a repository, such as octo-org/shop',
    )
    .optional()
    .describe('`owner/name`: skills of this repository, of a checkout or from GitHub; of all checkouts without it'),
  refresh: flag.describe('GitHub is asked again although it was asked within the last minute'),
  sort_by: z
    .enum(['name', 'last_run'])
    .default('name')
    .describe('last_run: those of the newest run first, then those without any; by name where that is equal'),
  include_malformed_skills: flag.describe('Also skills whose front matter cannot be read, with an `error`'),
});

type AgentQuery = z.infer<typeof agentQuerySchema>;
type Flag = 'refresh' | 'include_malformed_skills';

/** What a caller may ask the list of skills for. */
export type AgentListParams = Optional<Pick<AgentQuery, 'repo'>> & {
  readonly [P in Flag]?: boolean | undefined;
} & {
  readonly sort_by?: OpenWord<AgentQuery['sort_by']> | undefined;
};

const variantSchema = z.object({
  id: z.string().describe('`owner/repo:path/to/SKILL.md`: a skill_spec'),
  base_prompt: z.string().describe('The text of the skill, without its front matter'),
  description: z.string(),
  environments: z
    .array(z.object({ uid: z.string(), name: z.string() }))
    .describe('Environments that have its repository'),
  source: z.object({ owner: z.string(), name: z.string(), skill_path: z.string() }),
  last_run_timestamp: z
    .string()
    .nullable()
    .describe('When the last run of it began, RFC 3339, UTC, milliseconds; null where none did'),
  error: z.string().optional().describe('Why it cannot be used as it is'),
});

/** Skills that runs can name, those of one name together. */
export const agentsAnswerSchema = z.object({
  agents: z.array(z.object({ name: z.string(), variants: z.array(variantSchema) })),
});
export type AgentsAnswer = Readonly<z.infer<typeof agentsAnswerSchema>>;
/** Skills as they stand in repositories, whatever runs there were. */
export type FoundAgents = {
  readonly agents: readonly {
    readonly name: string;
    readonly variants: readonly Omit<z.infer<typeof variantSchema>, 'last_run_timestamp'>[];
  }[];
};
