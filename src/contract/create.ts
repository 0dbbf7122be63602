import { z } from 'zod';
import { boundedLabel, boundedText, configSchema, openWord, skillSpecText } from './config.ts';
import type { Given, OpenWord } from './open-world.ts';
import { runStateSchema } from './run.ts';
import { sizes, utf8Bytes } from './sizes.ts';
import type { RunState } from './state.ts';

const metadataKey = z
  .string()
  .regex(/^[A-Za-z0-9._-]+$/, 'has other characters than letters, digits, ".", "_" and "-"')
  .max(sizes.metadataKeyBytes);
const metadataValue = boundedText(sizes.metadataValueBytes);

const metadataSchema = z
  .record(metadataKey, metadataValue)
  .refine(pairs => Object.keys(pairs).length <= sizes.metadataPairs, `has more than ${sizes.metadataPairs} pairs`);

const isUsed = 'Used where the environment of the run has that repository; kept on the run';
/** What to check out, where the environment allows it. */
const checkout = {
  repository: z
    .string()
    .regex(/^(?!\.{1,2}\/)[\w.-]{1,100}\/(?!\.{1,2}$)[\w.-]{1,100}$/, 'is no owner/name')
    .optional()
    .describe(`The repository to check out, as owner/name. ${isUsed}`),
  // One that begins with a dash is an option to whatever is given it.
  ref: z
    .string()
    .regex(/^(?!-)\P{Cc}{1,255}$/u, 'is no ref: 1 to 255 characters, none a control character, the first no "-"')
    .optional()
    .describe(`The branch or tag, or a full ref. ${isUsed}`),
  sha: z
    .string()
    .regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/i, 'is no commit: 40 or 64 hexadecimal digits')
    .optional()
    .describe(`The commit. ${isUsed}`),
};

const runMode = openWord(['normal', 'plan', 'orchestrate']);

const base64 = z.string().describe('The file in base64');
const attachmentSchema = z.object({ file_name: z.string(), mime_type: z.string(), data: base64 });
const imageSchema = z.object({ mime_type: z.string(), data: base64 });

/**
 * The body that starts a run. It needs a prompt that is more than blanks, a skill (`skill`, `config.skill_spec`, `config.skills`), or a
 * conversation to go on with.
 * Members not known here are ignored, for newer clients send more.
 */
export const createRunSchema = z
  .object({
    prompt: boundedText(sizes.promptBytes).optional().describe('The task'),
    title: boundedLabel(sizes.titleCodePoints)
      .optional()
      .describe("Made from the prompt's first line or the skill's name when absent"),
    skill: skillSpecText.optional().describe('Wins over config.skill_spec'),
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
      .describe('The run is cancelled when nobody renews its lease for so long'),
    trigger_url: z
      .string()
      .max(sizes.triggerUrlCharacters)
      .optional()
      .describe('What started the run: a job, a ticket, a thread'),
    metadata: metadataSchema.optional(),
    ...checkout,
    mode: runMode.optional(),
    team: z.boolean().optional(),
    interactive: z
      .boolean()
      .optional()
      .describe('The agent is told how to ask a person: the run is then BLOCKED until a follow-up'),
    attachments: z.array(attachmentSchema).max(sizes.attachments).optional(),
    images: z.array(imageSchema).max(sizes.attachments).optional().describe('The older form of attachments'),
    conversation_id: z
      .string()
      .optional()
      .describe(
        'Goes on with the conversation of an earlier run, in its workspace; no prompt is needed then. The id of any of its runs will do',
      ),
    parent_run_id: z.string().optional(),
    agent_identity_uid: z.string().optional(),
    on_behalf_of: z.string().optional(),
  })
  .superRefine((body, context) => {
    const config = body.config ?? {};
    const skills = [body.skill, config.skill_spec, ...(config.skills ?? [])].filter(skill => skill !== undefined);
    const hasTask = (body.prompt ?? '').trim() !== '' || body.conversation_id !== undefined;
    if (!hasTask && skills.length === 0)
      context.addIssue({
        code: 'custom',
        path: ['prompt'],
        message: 'is missing or blank; give a prompt, or a skill in skill, config.skill_spec or config.skills',
      });
    const { model_id: model, harness } = config;
    if (model !== undefined && harness?.model_id !== undefined && harness.model_id !== model)
      context.addIssue({
        code: 'custom',
        path: ['config', 'harness', 'model_id'],
        message: 'means the same as config.model_id; give one of the two, or both alike',
      });
    if (config.skill_spec !== undefined && config.skills !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['config', 'skills'],
        message: 'excludes config.skill_spec; give one of the two',
      });
  });

/** Body of a create. */
export type CreateRunBody = Given<z.input<typeof createRunSchema>>;

export const createRunAnswerSchema = z.object({
  run_id: z.string(),
  task_id: z.string().describe('The same as run_id (older clients)'),
  state: runStateSchema,
  at_capacity: z.boolean().optional().describe('Accepted, but waits because every place is taken'),
  session_link: z.string().optional().describe("Address of the run's page"),
  warnings: z
    .array(z.string())
    .readonly()
    .optional()
    .describe('Warnings about ignored members that look like settings'),
});

/** Answer to a create. */
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
    .describe("Stands in the run's message, in one line, behind the name of the key that asked"),
});
/** Body of a cancel; it may be left out. */
export type CancelBody = Given<z.input<typeof cancelSchema>>;

export const followupSchema = z.object({
  message: boundedText(sizes.promptBytes).refine(text => text.trim() !== '', 'is blank'),
  mode: runMode.optional(),
});
/** A further message to a run. */
export type FollowupBody = Given<z.input<typeof followupSchema>>;
export const followupAnswerSchema = z.object({});
