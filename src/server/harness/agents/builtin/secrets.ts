import type { AgentSpec } from '../adapter.ts';
import { createHider, hideIn } from '../secrets.ts';

/** Prints values as JSON without the secrets in their texts. */
export type PrintJson = (value: unknown) => string;

export function createPrinter(spec: Pick<AgentSpec, 'endpoint' | 'mcpServers'>): PrintJson {
  const secrets = createHider(spec);
  return value => JSON.stringify(hideIn(secrets, value));
}
