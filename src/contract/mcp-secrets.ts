import type { AgentConfig } from './config.ts';

type McpServers = NonNullable<AgentConfig['mcp_servers']>;

const mask = '***';

/** A configuration with `***` for whatever may be a key of its MCP servers: variables, headers, and of an address the password and what stands behind the `?`. */
export function hideMcpSecrets(config: AgentConfig): AgentConfig {
  if (config.mcp_servers === undefined) return config;
  const servers = Object.entries(config.mcp_servers).map(([name, server]) => [name, hideInServer(server)]);
  return { ...config, mcp_servers: Object.fromEntries(servers) };
}

function hideInServer(server: McpServers[string]): McpServers[string] {
  const { env, headers, url } = server;
  return {
    ...server,
    ...(env === undefined ? {} : { env: hideValues(env) }),
    ...(headers === undefined ? {} : { headers: hideValues(headers) }),
    ...(url === undefined ? {} : { url: hideInAddress(url) }),
  };
}

function hideInAddress(url: string): string {
  return url.replace(/^(\w+:\/\/[^/?#@]*:)[^/?#]*@/, `$1${mask}@`).replace(/([?&][^=&#]*=)[^&#]+/g, `$1${mask}`);
}

function hideValues(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.keys(values).map(name => [name, mask]));
}
