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

/** Each view of a run comes by here, so that the text is gone through once: a pattern looks for its end from many places. */
function hideInAddress(url: string): string {
  const hideInPart = (part: string) =>
    part
      .split('&')
      .map((piece, index) => hideValue(piece, index === 0 ? piece.indexOf('?') : 0))
      .join('&');
  return hidePassword(url).split('#').map(hideInPart).join('#');
}

function hidePassword(url: string): string {
  let start = url.indexOf(':') + 1;
  while (url[start] === '/' || url[start] === '\\') start += 1;
  const [authority = ''] = url.slice(start).split(/[/?#]/, 1);
  const [colon, end] = [authority.indexOf(':'), authority.lastIndexOf('@')];
  if (colon === -1 || colon > end) return url;
  return `${url.slice(0, start + colon + 1)}${mask}${url.slice(start + end)}`;
}

/** `name=***`, for a name that begins at `from`; -1 where there is none. */
function hideValue(piece: string, from: number): string {
  const end = from === -1 ? 0 : piece.indexOf('=', from) + 1;
  return end === 0 || end === piece.length ? piece : `${piece.slice(0, end)}${mask}`;
}

function hideValues(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.keys(values).map(name => [name, mask]));
}
