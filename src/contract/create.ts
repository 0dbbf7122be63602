import * as z from 'zod';
import { boundedLabel, boundedText, configSchema, openWord, skillSpecText } from './config.ts';
import type { Given, OpenWord } from './open-world.ts';
import { runStateSchema } from './run.ts';
import { sizes, utf8Bytes } from './tables/sizes.ts';
import { skillOf } from './tables/skill-spec.ts';
import type { RunState } from './tables/state.ts';

const metadataKey = z
  .string()
  .regex(/^[A-Za-z0-9._-]+$/, 'may contain only letters, digits, ".", "_" and "-"')
  .max(sizes.metadataKeyBytes);
const metadataValue = boundedText(sizes.metadataValueBytes);

const metadataSchema = z
  .record(metadataKey, metadataValue)
  .refine(pairs => Object.keys(pairs).length <= sizes.metadataPairs, `has more than ${sizes.metadataPairs} pairs`);

const isUsed = "Used if the run's environment includes the repository; always stored with the run";
/** What to check out, if the environment includes the repository. */
const checkout = {
  repository: z
    .string()
    .regex(/^(?!\.{1,2}\/)[\w.-]{1,100}\/(?!\.{1,2}$)[\w.-]{1,100}$/, 'must be owner/name')
    .optional()
    .describe(`The repository to check out, as owner/name. ${isUsed}`),
  // Git would read a ref with a leading dash as an option.
  ref: z
    .string()
    .regex(/^(?!-)\P{Cc}{1,255}$/u, 'must be a Git ref: 1 to 255 characters, no control character, no leading "-"')
    .optional()
    .describe(`The branch, tag or full ref to check out. ${isUsed}`),
  sha: z
    .string()
    .regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/i, 'must be a commit: 40 or 64 hexadecimal digits')
    .optional()
    .describe(`The commit to check out. ${isUsed}`),
};

const runMode = openWord(['normal', 'plan', 'orchestrate']);

const base64 = z.string().describe('The file, in base64');
const attachmentSchema = z.object({ file_name: z.string(), mime_type: z.string(), data: base64 });
const imageSchema = z.object({ mime_type: z.string(), data: base64 });

/**
 * The body that starts a run. It needs a prompt with visible text, a skill (`skill`, `config.skill_spec`,
 * `config.skills`), or a conversation to continue. Unknown members are ignored because newer clients send more.
 */
export const createRunSchema = z
  .object({
    prompt: boundedText(sizes.promptBytes).optional().describe('The task'),
    title: boundedLabel(sizes.titleCodePoints)
      .optional()
      .describe("Default: the first line of the prompt, or the skill's name"),
    skill: skillSpecText.optional().describe('Takes precedence over config.skill_spec'),
    config: configSchema
      .refine(
        config => utf8Bytes(JSON.stringify(config)) <= sizes.configBytes,
        `is longer than ${sizes.configBytes} bytes as JSON`,
      )
      .optional(),
    lease_seconds: z
      .number()
      .positive()
      .max(sizes.leaseSecondsMax)
      .optional()
      .describe('Cancel the run if nobody renews its lease for this many seconds'),
    trigger_url: z
      .string()
      .max(sizes.triggerUrlCharacters)
      .optional()
      .describe('Link to what started the run: a job, a ticket, a thread'),
    metadata: metadataSchema.optional(),
    ...checkout,
    mode: runMode.optional(),
    team: z.boolean().optional(),
    interactive: z
      .boolean()
      .optional()
      .describe('Let the agent ask a person. A question makes the run BLOCKED until a follow-up arrives'),
    attachments: z.array(attachmentSchema).max(sizes.attachments).optional(),
    images: z.array(imageSchema).max(sizes.attachments).optional().describe('Older form of attachments'),
    conversation_id: z
      .string()
      .optional()
      .describe(
        'Continue the conversation of an earlier run, in its workspace. Needs no prompt. The id of any of its runs works too',
      ),
    parent_run_id: z.string().optional(),
    agent_identity_uid: z.string().optional(),
    on_behalf_of: z.string().optional(),
  })
  .superRefine((body, context) => {
    const config = body.config ?? {};
    const hasTask = (body.prompt ?? '').trim() !== '' || body.conversation_id !== undefined;
    if (!hasTask && skillOf(body) === undefined)
      context.addIssue({
        code: 'custom',
        path: ['prompt'],
        message: 'is missing or empty; give a prompt, or a skill in skill, config.skill_spec or config.skills',
      });
    const { model_id: model, harness } = config;
    if (model !== undefined && harness?.model_id !== undefined && harness.model_id !== model)
      context.addIssue({
        code: 'custom',
        path: ['config', 'harness', 'model_id'],
        message: 'differs from config.model_id, which means the same; give only one of the two',
      });
    if (config.skill_spec !== undefined && config.skills !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['config', 'skills'],
        message: 'cannot be combined with config.skill_spec; give only one of the two',
      });
  });

export type CreateRunBody = Given<z.input<typeof createRunSchema>>;

export const createRunAnswerSchema = z.object({
  run_id: z.string(),
  task_id: z.string().describe('Same as run_id, for older clients'),
  state: runStateSchema,
  at_capacity: z.boolean().optional().describe('Accepted, but waiting for a free slot'),
  session_link: z.string().optional().describe("URL of the run's page"),
  warnings: z
    .array(z.string())
    .readonly()
    .optional()
    .describe('Warnings about ignored members that look like settings'),
});

/** The response to a create. */
export type CreateRunAnswer = Readonly<Omit<z.infer<typeof createRunAnswerSchema>, 'state'>> & {
  readonly state: OpenWord<RunState>;
};

export const leaseSchema = z.object({
  lease_seconds: z.number().positive().max(sizes.leaseSecondsMax),
});
export const leaseAnswerSchema = z.object({ lease_expires_at: z.string() });
export type LeaseAnswer = Readonly<z.infer<typeof leaseAnswerSchema>>;
export const leaseReleasedSchema = z.object({});

const cancelReasonCodePoints = 500;

export const cancelSchema = z.object({
  reason: boundedLabel(cancelReasonCodePoints)
    .optional()
    .describe("Shown in the run's message on one line, after the name of the key that canceled it"),
});
/** The optional body of a cancel. */
export type CancelBody = Given<z.input<typeof cancelSchema>>;

export const followupSchema = z.object({
  message: boundedText(sizes.promptBytes).refine(text => text.trim() !== '', 'must not be empty'),
  mode: runMode.optional(),
});
export type FollowupBody = Given<z.input<typeof followupSchema>>;
export const followupAnswerSchema = z.object({});
