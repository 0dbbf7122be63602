import type { SecretHider } from '../../../base/secret-hider.ts';
import { findSecrets, isSecretName, secretLengthMin } from '../../../base/secret-variables.ts';
import { hideEach } from '../secret-hider.ts';
import type { AgentSpec } from './adapter.ts';

/**
 * The key of the model, what MCP servers are given in headers and behind the `?` of an address, their variables that are called a key, a token or
 * so, and of the variables that are passed on those that look like secrets.
 */
export function createHider({
  endpoint,
  mcpServers,
  variables,
}: Pick<AgentSpec, 'endpoint' | 'mcpServers' | 'variables'>): SecretHider {
  const secrets = new Set(findSecrets(variables));
  const add = (value: string | undefined): void => {
    if (value !== undefined && value.length >= secretLengthMin) secrets.add(value);
  };
  add(endpoint.apiKey);
  for (const server of mcpServers) {
    const url = server.type === 'http' ? URL.parse(server.url) : null;
    for (const value of [url?.password, ...(url?.searchParams.values() ?? [])]) add(value);
    const named = Object.entries(server.type === 'stdio' ? server.env : server.headers);
    // Of `Bearer …` what comes after the scheme.
    for (const [name, value] of named)
      if (server.type === 'http' || isSecretName(name)) {
        add(value.replace(/^(Bearer|Basic|token) /i, ''));
        // A cookie is shown by itself as well.
        if (/^cookie$/i.test(name)) for (const [, each] of value.matchAll(/=([^;]+)/g)) add(each);
      }
  }
  return hideEach([...secrets]);
}
