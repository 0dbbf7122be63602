/**
 * Programs continue without an MCP server that does not start, some silently. So each server is tried before the
 * program starts. A server is a program as well, so a process of the run does this.
 */
import { isObject } from '../../../base/json.ts';
import { ellipsis } from '../../../base/text.ts';
import type { HarnessTask, PreparedCommand } from '../harness.ts';
import { createAgentRedactor } from './agent-redactor.ts';
import { builtinAdapter } from './builtin/builtin.ts';
import { locateOwn } from './in-container.ts';

const problemMax = 600;

type Check = Pick<PreparedCommand, 'argv' | 'env' | 'stdin' | 'readable'>;

export interface DeadServer {
  readonly name: string;
  readonly isRequired: boolean;
  /** Redacted. */
  readonly problem: string;
}

/** Program that tries the servers of a task. Undefined for a task without servers. */
export function prepareMcpCheck({
  mcpServers,
  workspace,
  image,
  variables,
}: Pick<HarnessTask, 'mcpServers' | 'workspace' | 'image' | 'variables'>): Check | undefined {
  const { program } = builtinAdapter;
  if (mcpServers.length === 0 || typeof program === 'string') return undefined;
  const own =
    image === undefined
      ? { command: [process.execPath, program.file] as const, readable: [] }
      : locateOwn(program.file);
  return {
    argv: [...own.command, '--probe'],
    readable: own.readable,
    env: variables,
    stdin: JSON.stringify({ servers: mcpServers, workspace }),
  };
}

export interface McpFindings {
  readonly dead: readonly DeadServer[];
  /** Servers that the check does not mention. Their state is unknown. */
  readonly untried: HarnessTask['mcpServers'];
}

/** Standard output of the check. */
export function readMcpCheck(
  { mcpServers, variables }: Pick<HarnessTask, 'mcpServers' | 'variables'>,
  printed: string,
): McpFindings {
  const { redact } = createAgentRedactor({
    endpoint: { api: 'anthropic', root: '', apiKey: undefined },
    mcpServers,
    variables,
  });
  // Only likely lines are parsed: a server may print thousands of others, and each invalid one throws.
  const lines = printed.split('\n').filter(line => line.startsWith('{"server":'));
  const found = new Map(lines.map(parse).map(line => [line?.server, line?.problem]));
  return {
    dead: mcpServers.flatMap(({ name, required }) => {
      const problem = found.get(name);
      return typeof problem === 'string'
        ? [{ name, isRequired: required, problem: ellipsis(redact(problem), problemMax) }]
        : [];
    }),
    untried: mcpServers.filter(({ name }) => !found.has(name)),
  };
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
