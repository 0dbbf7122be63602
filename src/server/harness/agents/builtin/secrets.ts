import type { AgentSpec } from '../adapter.ts';

/** Shorter ones are words such as `ollama`, which would be cut out of plain text. */
const lengthMin = 8;
const secretNames = /key|token|secret|password|credential|auth/i;

/** Prints values as JSON without the secrets in their texts. */
export type PrintJson = (value: unknown) => string;

/**
 * `***` stands for the key of the model and for what MCP servers are given in headers and behind the `?` of an address, and in variables that are called
 * a key, a token or so.
 */
export function createPrinter({ endpoint, mcpServers }: Pick<AgentSpec, 'endpoint' | 'mcpServers'>): PrintJson {
  const secrets = new Set<string>();
  const add = (value: string | undefined): void => {
    if (value !== undefined && value.length >= lengthMin) secrets.add(value);
  };
  add(endpoint.apiKey);
  for (const server of mcpServers) {
    if (server.type === 'http') for (const value of URL.parse(server.url)?.searchParams.values() ?? []) add(value);
    const named = Object.entries(server.type === 'stdio' ? server.env : server.headers);
    // Of `Bearer …` what comes after the scheme.
    for (const [name, value] of named)
      if (server.type === 'http' || secretNames.test(name)) add(value.replace(/^(Bearer|Basic|token) /i, ''));
  }
  // The longest first: one may be the beginning of another.
  const ordered = [...secrets].sort((a, b) => b.length - a.length);
  const hide = (text: string): string => ordered.reduce((whole, secret) => whole.replaceAll(secret, '***'), text);
  return value =>
    JSON.stringify(value, (_name, member: unknown) => (typeof member === 'string' ? hide(member) : member));
}
