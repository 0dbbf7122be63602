import { redactValue } from '../../../../border/secrets.ts';
import type { AgentSpec } from '../adapter.ts';
import { createAgentRedactor } from '../agent-redactor.ts';

/** Prints values as JSON and redacts secrets in their strings. */
export type PrintJson = (value: unknown) => string;

export function createPrinter(spec: Pick<AgentSpec, 'endpoint' | 'mcpServers'>): PrintJson {
  // The server redacts the agent's other secrets in all output.
  const { redact } = createAgentRedactor({ ...spec, variables: {} });
  return value => JSON.stringify(redactValue(value, redact));
}
