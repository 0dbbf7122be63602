import { z } from 'zod';

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
  sort_by: z.enum(['name']).default('name').describe('By name; no other order'),
  include_malformed_skills: flag.describe('Also skills whose front matter cannot be read, with an `error`'),
});

const variantSchema = z.object({
  id: z.string().describe('`owner/repo:path/to/SKILL.md`: a skill_spec'),
  base_prompt: z.string().describe('The text of the skill, without its front matter'),
  description: z.string(),
  environments: z
    .array(z.object({ uid: z.string(), name: z.string() }))
    .describe('Environments that have its repository'),
  source: z.object({ owner: z.string(), name: z.string(), skill_path: z.string() }),
  error: z.string().optional().describe('Why it cannot be used as it is'),
});

/** Skills that runs can name, those of one name together. */
export const agentsAnswerSchema = z.object({
  agents: z.array(z.object({ name: z.string(), variants: z.array(variantSchema) })),
});
export type AgentsAnswer = Readonly<z.infer<typeof agentsAnswerSchema>>;
