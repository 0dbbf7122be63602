import * as z from 'zod';
import type { OpenWord, Optional } from './open-world.ts';

const flag = z.enum(['true', 'false']).default('false');

export const agentQuerySchema = z.object({
  repo: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9-]*\/(?!\.{1,2}$)[A-Za-z0-9._-]+$/,
      'must be owner/name of a repository, such as octo-org/shop',
    )
    .optional()
    .describe('Only skills of this repository (`owner/name`), also from GitHub. Default: skills of all checkouts'),
  refresh: flag.describe('Ask GitHub again even if it was asked within the last minute'),
  sort_by: z
    .enum(['name', 'last_run'])
    .default('name')
    .describe('last_run: most recently run first, then skills that never ran. Ties are sorted by name'),
  include_malformed_skills: flag.describe('Include skills whose front matter cannot be read; each has an `error`'),
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
  id: z.string().describe('A skill_spec: `owner/repo:path/to/SKILL.md`'),
  base_prompt: z.string().describe('The text of the skill, without its front matter'),
  description: z.string(),
  environments: z
    .array(z.object({ uid: z.string(), name: z.string() }))
    .describe('Environments that include its repository'),
  source: z.object({ owner: z.string(), name: z.string(), skill_path: z.string() }),
  last_run_timestamp: z
    .string()
    .nullable()
    .describe('When its last run started (RFC 3339, UTC, milliseconds); null if it never ran'),
  error: z.string().optional().describe('Why the skill cannot be used'),
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
