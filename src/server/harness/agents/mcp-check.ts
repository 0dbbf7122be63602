/**
 * Programs go on without an MCP server that does not start, and some say nothing of it. So each server is tried before the program starts, by a process
 * of the run, for a server is a program as well.
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
  /** Without secrets. */
  readonly problem: string;
}

/** What tries the servers of a task; undefined for one without any. */
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
  /** The servers that cannot be used. */
  readonly dead: readonly DeadServer[];
  /** Those that the check says nothing of: nothing is known of them. */
  readonly untried: HarnessTask['mcpServers'];
}

/** What the check printed to standard output. */
export function readMcpCheck(
  { mcpServers, variables }: Pick<HarnessTask, 'mcpServers' | 'variables'>,
  printed: string,
): McpFindings {
  const { redact } = createAgentRedactor({
    endpoint: { api: 'anthropic', root: '', apiKey: undefined },
    mcpServers,
    variables,
  });
  // Others are not tried: a server that can write there may have written thousands, and each that is none takes an error to find out.
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
