import type { AgentConfig } from '../../contract/config.ts';
import { sizes, utf8Bytes } from '../../contract/tables/sizes.ts';

type McpEntries = NonNullable<AgentConfig['mcp_servers']>;

/** `${NAME}` and `${NAME:-default}`, as in the files of agent programs. */
const placeholder = /\$\{([A-Za-z_]\w*)(?:\}|:-([^{}]*)(\}?))/g;
const expanded = ['command', 'args', 'env', 'url', 'headers'];

/**
 * Replaces `${NAME}` with variables. If there is a default, an empty variable counts as missing. Throws RangeError;
 * the message starts with the member's path.
 */
export function expandVariables(entries: McpEntries, variables: Readonly<Record<string, string>>): McpEntries {
  let addedBytes = 0;
  const expand = (path: string, text: string): string =>
    text.replace(placeholder, (_all, name: string, fallback?: string, end?: string) => {
      if (end === '')
        throw new RangeError(`${path}: the default of the variable ${name} must end with "}" and have no braces in it`);
      const own = Object.hasOwn(variables, name) ? variables[name] : undefined;
      const value = own || (fallback ?? own);
      if (value === undefined)
        throw new RangeError(
          `${path}: the variable ${name} is not passed to the run. Pass it on (\`pass_env\` of a step, \`env\` of the harness or the environment on a server), or write \${${name}:-default}`,
        );
      addedBytes += utf8Bytes(value);
      if (addedBytes > sizes.mcpValuesBytes)
        throw new RangeError(`${path}: all variables together must add at most ${sizes.mcpValuesBytes} bytes`);
      return value;
    });
  const walk = (path: string, value: unknown): unknown => {
    if (typeof value === 'string') return expand(path, value);
    if (typeof value !== 'object' || value === null) return value;
    const walked = Object.entries(value).map(([name, each]) => [name, walk(`${path}.${name}`, each)] as const);
    return Array.isArray(value) ? walked.map(([, each]) => each) : Object.fromEntries(walked);
  };
  const expandEntry = (name: string, entry: McpEntries[string]) =>
    Object.entries(entry).map(([member, value]) => [
      member,
      expanded.includes(member) ? walk(`config.mcp_servers.${name}.${member}`, value) : value,
    ]);
  return Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [name, Object.fromEntries(expandEntry(name, entry))]),
  );
}
