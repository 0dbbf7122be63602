import type { AgentConfig } from './config.ts';

type McpServers = NonNullable<AgentConfig['mcp_servers']>;

const mask = '***';

/**
 * Replaces possible secrets of MCP servers with `***`: variables, headers, and the password and query of an address.
 */
export function hideMcpSecrets(config: AgentConfig): AgentConfig {
  if (config.mcp_servers === undefined) return config;
  const servers = Object.entries(config.mcp_servers).map(([name, server]) => [name, redactServer(server)]);
  return { ...config, mcp_servers: Object.fromEntries(servers) };
}

function redactServer(server: McpServers[string]): McpServers[string] {
  const { env, headers, url } = server;
  return {
    ...server,
    ...(env === undefined ? {} : { env: redactValues(env) }),
    ...(headers === undefined ? {} : { headers: redactValues(headers) }),
    ...(url === undefined ? {} : { url: redactAddress(url) }),
  };
}

/** Every view of a run calls this, so it scans the text once. A regular expression would rescan for each start. */
function redactAddress(url: string): string {
  const redactPart = (part: string) =>
    part
      .split('&')
      .map((piece, index) => redactPair(piece, index === 0 ? piece.indexOf('?') : 0))
      .join('&');
  return redactPassword(url).split('#').map(redactPart).join('#');
}

function redactPassword(url: string): string {
  let start = url.indexOf(':') + 1;
  while (url[start] === '/' || url[start] === '\\') start += 1;
  const [authority = ''] = url.slice(start).split(/[/?#]/, 1);
  const [colon, end] = [authority.indexOf(':'), authority.lastIndexOf('@')];
  if (colon === -1 || colon > end) return url;
  return `${url.slice(0, start + colon + 1)}${mask}${url.slice(start + end)}`;
}

/** `name=***` for a name that begins at `from`; unchanged if `from` is -1. */
function redactPair(piece: string, from: number): string {
  const end = from === -1 ? 0 : piece.indexOf('=', from) + 1;
  return end === 0 || end === piece.length ? piece : `${piece.slice(0, end)}${mask}`;
}

function redactValues(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.keys(values).map(name => [name, mask]));
}
