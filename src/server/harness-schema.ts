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
    .describe("Address of the model endpoint, without `/v1`; the provider's own where it is not given"),
  api: z
    .enum(modelApis)
    .optional()
    .describe('Its language; `builtin` and `opencode` speak several, the others one only'),
  key: variableName
    .optional()
    .describe(
      "Name of the variable that holds its key; without `url` the provider's usual one (OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY)",
    ),
});

/** A harness of one's own: a program, or an agent. */
export const harnessEntrySchema = z
  .strictObject({
    command: z
      .tuple([z.string().min(1)], z.string())
      .optional()
      .describe('Program and arguments; the prompt comes on standard input'),
    agent: z
      .enum(agentKinds)
      .optional()
      .describe('Instead of `command`: the agent; not needed where NAME is the name of one'),
    endpoint: endpointSchema.optional().describe('Where an agent asks its model'),
    model: z.string().min(1).optional().describe('The model of a run that names none; needed for an agent'),
    models: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe('The models that a run may name; any where not given'),
    program: z
      .string()
      .min(1)
      .optional()
      .describe(
        "File or name of the agent's program; else what `agent-run agents install` installed, else the usual name on PATH",
      ),
    steps: z.int().min(1).optional().describe('Answers of the model that a run may take (200)'),
    stall_minutes: z
      .number()
      .positive()
      .optional()
      .describe('How long an agent may be silent while no tool works (10)'),
    env: z
      .array(
        variableName.refine(
          name => !name.startsWith('AGENT_RUN_'),
          "takes no AGENT_RUN_ variable: those are the service's own",
        ),
      )
      .default([])
      .describe("Names passed on from the server's environment"),
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
