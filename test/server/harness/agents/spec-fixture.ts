import type { AgentSpec } from '../../../../src/server/harness/agents/adapter.ts';

/** Spec of an adapter for a run without special requests. */
export function createSpec(more: Pick<AgentSpec, 'endpoint'> & Partial<AgentSpec>): AgentSpec {
  return {
    prompt: 'Do it.',
    instructions: 'Be short.',
    model: 'large',
    mcpServers: [],
    skills: [],
    workspace: '/run/workspace',
    stateDir: '/run/state',
    tempDir: '/run/tmp',
    variables: {},
    newSessionId: '01920000-0000-7000-8000-000000000001',
    resume: undefined,
    stepsMax: 20,
    ...more,
  };
}

/** Contents of each file for the launch. */
export function textsOf({
  files,
}: {
  readonly files: readonly { readonly path: string; readonly text: string }[];
}): Readonly<Record<string, string>> {
  return Object.fromEntries(files.map(({ path, text }) => [path, text]));
}
