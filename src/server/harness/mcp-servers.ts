import { nearest } from '../../base/wording/nearest.ts';
import type { AgentConfig } from '../../contract/config.ts';
import { sizes, utf8Bytes } from '../../contract/tables/sizes.ts';
import { expandVariables } from './mcp-variables.ts';

/** An MCP server (Model Context Protocol) for an agent. */
export type McpServer =
  | {
      readonly type: 'stdio';
      /** Lower and upper case letters, digits, `-` and `_`. */
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      /** The run fails if it cannot be used. */
      readonly required: boolean;
      /** Names of the only tools that the agent may use. Undefined: all. */
      readonly tools?: readonly string[];
    }
  | {
      readonly type: 'http';
      readonly name: string;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly required: boolean;
      readonly tools?: readonly string[];
    };

type Entry = NonNullable<AgentConfig['mcp_servers']>[string];

/** A known member that this server does not support. The text begins with its path. */
export class UnsupportedMcpMember extends RangeError {
  override readonly name = 'UnsupportedMcpMember';
}

const nameForm = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/**
 * The servers of a configuration that are not disabled, in its order, with the run's variables in place of `${NAME}`.
 * Throws RangeError; the message starts with the member's path.
 */
export function readMcpServers(
  { mcp_servers: entries = {} }: Pick<AgentConfig, 'mcp_servers'>,
  variables: Readonly<Record<string, string>> = {},
): readonly McpServer[] {
  const enabled = Object.entries(entries).filter(([name, entry]) => !isDisabled(name, entry));
  const expanded = expandVariables(Object.fromEntries(enabled), variables);
  checkSizes(expanded);
  return Object.entries(expanded).map(([name, server]) => {
    const path = `config.mcp_servers.${name}`;
    if (!nameForm.test(name))
      throw new RangeError(
        `${path}: its name must have 1 to 64 letters, digits, "-" and "_", and start with a letter or digit`,
      );
    const slip = findSlip(server);
    if (slip !== undefined) throw new RangeError(`${path}: ${slip}`);
    const { command, args = [], env = {}, url, headers = {}, warp_id: elsewhere } = server;
    const common = { name, required: server.required !== false, ...readTools(path, server) };
    if (elsewhere !== undefined)
      throw new UnsupportedMcpMember(
        `${path}.warp_id: this server has no MCP servers with ids; use \`command\` or \`url\``,
      );
    if ((command === undefined) === (url === undefined))
      throw new RangeError(`${path}: needs either \`command\` (a program) or \`url\` (a server reached over HTTP)`);
    if (command !== undefined) {
      if (Object.keys(headers).length > 0)
        throw new RangeError(`${path}.headers: can be used only with \`url\`, not with \`command\``);
      if (command.trim() === '') throw new RangeError(`${path}.command: must not be empty`);
      return { type: 'stdio', ...common, command, args, env };
    }
    if (args.length > 0 || Object.keys(env).length > 0)
      throw new RangeError(`${path}: \`args\` and \`env\` can be used only with \`command\`, not with \`url\``);
    const address = URL.parse(url ?? '');
    // In other spellings, such as with backslashes, the redactor would not find its password.
    if (address === null || !/^https?:\/\//i.test(url ?? ''))
      throw new RangeError(`${path}.url: must be a URL that starts with http:// or https://`);
    return { type: 'http', ...common, url: address.href, headers };
  });
}

/** Names of the servers that their entries disable. */
export function findDisabled({ mcp_servers: entries = {} }: Pick<AgentConfig, 'mcp_servers'>): readonly string[] {
  return Object.keys(entries).filter(name => isDisabled(name, entries[name] ?? {}));
}

function isDisabled(name: string, entry: Entry): boolean {
  for (const flag of ['required', 'disabled', 'enabled'])
    if (typeof (entry[flag] ?? false) !== 'boolean')
      throw new RangeError(`config.mcp_servers.${name}.${flag}: must be true or false`);
  return entry.disabled === true || entry.enabled === false;
}

const members = ['command', 'args', 'env', 'url', 'headers', 'required', 'warp_id', 'disabled', 'enabled'] as const;

/** Members of other programs are ignored, but one that resembles ours is a typo and refused. */
function findSlip(server: Entry): string | undefined {
  for (const name of Object.keys(server).filter(name => !members.includes(name as (typeof members)[number]))) {
    const guess = nearest(name, members);
    const isMeant = guess !== undefined && server[guess] === undefined && name.length > 3;
    if (isMeant) return `unknown member ${JSON.stringify(name)}. Did you mean "${guess}"?`;
  }
  return undefined;
}

/**
 * Members by which programs restrict a server, without `_`. Ignoring one would let the agent do more than the entry
 * says.
 */
const toolLists = /^(allowed|enabled|include)?tools$/i;
const unsupported = /^((disabled|disallowed|exclude)tools|cwd|envfile)$/i;

function readTools(path: string, entry: Entry): Pick<McpServer, 'tools'> {
  let tools: readonly string[] | undefined;
  for (const [member, value] of Object.entries(entry)) {
    const plain = member.replaceAll('_', '');
    // An empty list takes no tools away.
    if (unsupported.test(plain) && String(value) !== '')
      throw new UnsupportedMcpMember(`${path}.${member}: not supported by this server; remove it`);
    if (!toolLists.test(plain) || value === '*') continue;
    if (!Array.isArray(value) || value.some(name => typeof name !== 'string'))
      throw new RangeError(`${path}.${member}: must be a list of tool names`);
    if (!value.includes('*')) tools = tools?.filter(name => value.includes(name)) ?? value;
  }
  return tools === undefined ? {} : { tools };
}

function checkSizes(servers: Readonly<Record<string, Entry>>): void {
  let all = 0;
  for (const [name, { env = {}, headers = {}, url = '' }] of Object.entries(servers)) {
    const values = [
      ...Object.entries(env).map(([key, value]) => [`env.${key}`, value] as const),
      ...Object.entries(headers).map(([key, value]) => [`headers.${key}`, value] as const),
      ['url', url] as const,
    ];
    for (const [member, value] of values) {
      const bytes = utf8Bytes(value);
      all += bytes;
      if (bytes > sizes.mcpValueBytes)
        throw new RangeError(
          `config.mcp_servers.${name}.${member}: must have at most ${sizes.mcpValueBytes} bytes, not ${bytes}; put longer values into a file`,
        );
    }
  }
  if (all > sizes.mcpValuesBytes)
    throw new RangeError(
      `config.mcp_servers: all \`env\`, \`headers\` and \`url\` together must have at most ${sizes.mcpValuesBytes} bytes, not ${all}`,
    );
}
