import * as z from 'zod';
import type { OpenWord } from './open-world.ts';
import { sizes, utf8Bytes } from './tables/sizes.ts';
import { parseSkillSpec } from './tables/skill-spec.ts';

/** A skill as text. The error for any other text shows both forms. */
export const skillSpecText = z
  .string()
  .superRefine((text, context) => {
    try {
      parseSkillSpec(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
    }
  })
  .describe('`owner/repo:skill-name` or `owner/repo:path/to/SKILL.md`');

/** A text of at most `maxBytes` in UTF-8, without NUL, which no database stores reliably. */
export function boundedText(maxBytes: number) {
  return z
    .string()
    .refine(text => text.length <= maxBytes && utf8Bytes(text) <= maxBytes, `is longer than ${maxBytes} bytes`)
    .refine(text => !text.includes('\0'), 'has a NUL character');
}

/** At most `max` code points. */
export function boundedLabel(max: number) {
  return z
    .string()
    .refine(text => text.length <= max || hasAtMost(text, max), `is longer than ${max} characters`)
    .refine(text => !text.includes('\0'), 'has a NUL character');
}

/** A code point takes one or two UTF-16 units. */
function hasAtMost(text: string, max: number): boolean {
  return text.length <= 2 * max && Array.from(text).length <= max;
}

/** A text with known words. Editors offer those; other words are passed on. */
export function openWord<const Word extends string>(words: readonly Word[]) {
  // The schema accepts any text. Only the type is narrower.
  return z.string().describe(`One of ${words.join(', ')}; newer servers may add more`) as unknown as z.ZodType<
    OpenWord<Word>,
    OpenWord<Word>
  >;
}

/** The harnesses that every client of the interface knows. */
export const harnessTypes = ['oz', 'claude', 'codex', 'gemini'] as const;
export type HarnessType = (typeof harnessTypes)[number];

const mcpServerSchema = z.looseObject({
  warp_id: z.string().optional(),
  command: z.string().optional(),
  args: z.array(z.string()).max(sizes.configListEntries).optional(),
  env: z.record(z.string(), z.string()).optional(),
  url: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
});

/** How to carry out a run: `config` in a request, `agent_config` in a response. Unknown members are ignored. */
export const configSchema = z.object({
  name: boundedLabel(sizes.nameCodePoints)
    .optional()
    .describe("Label for grouping and for the `name` filter. Default with a skill: the skill's name"),
  model_id: boundedLabel(sizes.nameCodePoints).optional().describe('The model, by the name that the harness uses'),
  base_prompt: boundedText(sizes.basePromptBytes).optional().describe('Instructions placed before those of the skill'),
  environment_id: z.string().optional().describe('The uid or name of an environment of the server'),
  skill_spec: skillSpecText.optional(),
  skills: z
    .array(skillSpecText)
    .max(sizes.configListEntries)
    .optional()
    .describe('A list of skills, instead of skill_spec'),
  harness: z
    .looseObject({
      type: openWord(harnessTypes)
        .optional()
        .describe(
          '`claude`, `codex` or `gemini` for these programs, `oz` for any other harness. A request may also give a harness name',
        ),
      name: z.string().optional().describe("The server's name for the harness. Default: the server's default harness"),
      model_id: boundedLabel(sizes.nameCodePoints).optional().describe('The same as config.model_id'),
      reasoning_level: z.string().optional(),
    })
    .optional(),
  output_schema: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('JSON Schema that the structured result must match'),
  mcp_servers: z.record(z.string(), mcpServerSchema).optional(),
  computer_use_enabled: z.boolean().optional(),
  computer_use_model_id: z.string().optional(),
  idle_timeout_minutes: z
    .int()
    .min(1)
    .max(60)
    .optional()
    .describe('How many minutes to keep the workspace after the run'),
  worker_host: z.string().optional().describe('Only `warp` is accepted. It means this server'),
  harness_auth_secrets: z.record(z.string(), z.unknown()).optional(),
  session_sharing: z.looseObject({ public_access: openWord(['VIEWER', 'EDITOR']).optional() }).optional(),
  memory_stores: z
    .array(z.looseObject({ uid: z.string(), access: openWord(['read_write', 'read_only']), instructions: z.string() }))
    .max(sizes.configListEntries)
    .optional(),
  inference_providers: z.record(z.string(), z.unknown()).optional(),
  credential_strategy: openWord(['CREATOR', 'EXECUTOR']).nullable().optional(),
  runner_id: z.string().optional(),
});

export type AgentConfig = z.infer<typeof configSchema>;
