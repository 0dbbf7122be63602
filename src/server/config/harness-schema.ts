import * as z from 'zod';
import { modelApis } from '../harness/agents/adapter.ts';

export const agentKinds = ['builtin', 'claude', 'codex', 'gemini', 'opencode'] as const;
export type AgentKind = (typeof agentKinds)[number];

const variableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable');

const endpointSchema = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Base URL, without `/v1`'),
  api: z
    .enum(modelApis)
    .optional()
    .describe('`openai-chat`, `openai-responses`, `anthropic` or `gemini`; required for `builtin` and `opencode`'),
  key: variableName
    .optional()
    .describe("Variable that holds the key; without `url`, it defaults to the provider's, such as ANTHROPIC_API_KEY"),
  headers: z
    .record(z.string(), variableName.describe('Variable that holds the value of header NAME, sent with every request'))
    .optional(),
});

/** A custom harness: a program or an agent. */
export const harnessEntrySchema = z
  .strictObject({
    command: z
      .tuple([z.string().min(1)], z.string())
      .optional()
      .describe('Program and arguments'),
    agent: z.enum(agentKinds).optional().describe('`builtin`, `claude`, `codex`, `gemini` or `opencode`'),
    endpoint: endpointSchema.optional(),
    model: z.string().min(1).optional().describe('Default model; required for an agent'),
    models: z.array(z.string().min(1)).min(1).optional().describe('Models that a run can choose'),
    program: z.string().min(1).optional().describe("Path or name of the agent's program"),
    steps: z.int().min(1).optional().describe('Maximum number of model answers in a run'),
    stall_minutes: z.number().positive().optional().describe('Maximum time without output while no tool runs'),
    env: z
      .array(
        variableName.refine(
          name => !name.startsWith('AGENT_RUN_'),
          'must not start with AGENT_RUN_, which is reserved for the service',
        ),
      )
      .default([])
      .describe("The server's variables to pass to it"),
  })
  .superRefine((entry, context) => {
    if (entry.command === undefined) return;
    for (const name of ['agent', 'endpoint', 'model', 'models', 'program', 'steps', 'stall_minutes'] as const)
      if (entry[name] !== undefined)
        context.addIssue({
          code: 'custom',
          path: [name],
          message: 'applies to agents only, and this harness has a `command`; remove one of the two',
        });
  });

export type HarnessEntry = z.infer<typeof harnessEntrySchema>;
