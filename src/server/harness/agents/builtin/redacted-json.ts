import { redactValue } from '../../../../border/secrets.ts';
import type { AgentSpec } from '../adapter.ts';
import { createAgentRedactor } from '../agent-redactor.ts';

/** Prints values as JSON without the secrets in their texts. */
export type PrintJson = (value: unknown) => string;

export function createPrinter(spec: Pick<AgentSpec, 'endpoint' | 'mcpServers'>): PrintJson {
  // Of what else the agent was given the server takes secrets out, as of all that it prints.
  const { redact } = createAgentRedactor({ ...spec, variables: {} });
  return value => JSON.stringify(redactValue(value, redact));
}
