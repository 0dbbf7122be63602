import { findSecrets, secretLengthMin } from '../../../base/secret-variables.ts';
import type { Redactor } from '../../../border/secrets.ts';
import { createRunRedactor } from '../run-redactor.ts';
import type { AgentSpec } from './adapter.ts';

/** Headers of every request, which contain no key. */
const plainHeader = /^(accept|content-type|user-agent)$/i;

/**
 * Secrets that an agent was given: the key of the model; the headers of its endpoint; for MCP servers the headers, the
 * query of the address, and values expanded from secret variables; and values in variables and addresses that look
 * like secrets.
 */
export function createAgentRedactor({
  endpoint,
  mcpServers,
  variables,
}: Pick<AgentSpec, 'endpoint' | 'mcpServers' | 'variables'>): Redactor {
  const secrets = new Set(findSecrets(variables));
  const add = (value: string | undefined): void => {
    if (value !== undefined && value.length >= secretLengthMin) secrets.add(value);
  };
  add(endpoint.apiKey);
  for (const value of Object.values(endpoint.headers ?? {})) add(value);
  for (const server of mcpServers) {
    const named = server.type === 'stdio' ? server.env : { url: server.url };
    for (const secret of findSecrets(named)) secrets.add(secret);
    if (server.type === 'stdio') continue;
    for (const value of URL.parse(server.url)?.searchParams.values() ?? []) add(value);
    for (const [name, value] of Object.entries(server.headers)) {
      if (plainHeader.test(name)) continue;
      // The part after the scheme, as in `Bearer …`.
      add(value.replace(/^(Bearer|Basic|token) /i, ''));
      const [, encoded] = /^Basic (.+)/i.exec(value) ?? [];
      const login = Buffer.from(encoded ?? '', 'base64').toString();
      for (const secret of [login, login.slice(login.indexOf(':') + 1)]) add(secret);
      // A cookie is also printed by itself.
      if (/^cookie$/i.test(name)) for (const [, each] of value.matchAll(/=([^;]+)/g)) add(each);
    }
  }
  return createRunRedactor(secrets);
}
