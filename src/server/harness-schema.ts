import { z } from 'zod';
import { modelApis } from './harness/agents/adapter.ts';

export const agentKinds = ['builtin', 'claude', 'codex', 'gemini', 'opencode'] as const;
/** The agents that this server knows how to run. */
export type AgentKind = (typeof agentKinds)[number];

const variableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'is no name of a variable');

const endpointSchema = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address, without `/v1`'),
  api: z
    .enum(modelApis)
    .optional()
    .describe('`openai-chat`, `openai-responses`, `anthropic` or `gemini`; required for `builtin` and `opencode`'),
  key: variableName
    .optional()
    .describe("Variable with the key; without `url`, the provider's, such as ANTHROPIC_API_KEY"),
});

/** A harness of one's own: a program, or an agent. */
export const harnessEntrySchema = z
  .strictObject({
    command: z
      .tuple([z.string().min(1)], z.string())
      .optional()
      .describe('Program and arguments'),
    agent: z.enum(agentKinds).optional().describe('`builtin`, `claude`, `codex`, `gemini` or `opencode`'),
    endpoint: endpointSchema.optional(),
    model: z.string().min(1).optional().describe('Default model; required for an agent'),
    models: z.array(z.string().min(1)).min(1).optional().describe('Models that a run may name'),
    program: z.string().min(1).optional().describe("The agent's program"),
    steps: z.int().min(1).optional().describe('Model answers in a run'),
    stall_minutes: z.number().positive().optional().describe('Silence allowed while no tool runs'),
    env: z
      .array(
        variableName.refine(
          name => !name.startsWith('AGENT_RUN_'),
          "takes no AGENT_RUN_ variable: those are the service's own",
        ),
      )
      .default([])
      .describe('Server variables that it gets'),
  })
  .superRefine((entry, context) => {
    if (entry.command === undefined) return;
    for (const name of ['agent', 'endpoint', 'model', 'models', 'program', 'steps', 'stall_minutes'] as const)
      if (entry[name] !== undefined)
        context.addIssue({
          code: 'custom',
          path: [name],
          message: 'is for an agent, and this harness is a program (`command`); leave one of them out',
        });
  });

export type HarnessEntry = z.infer<typeof harnessEntrySchema>;
