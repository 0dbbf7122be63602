/**
 * Programs go on without an MCP server that does not start, and some say nothing of it. So each server is tried before the program starts, by a process
 * of the run, for a server is a program as well.
 */
import { isObject } from '../../../base/json.ts';
import type { HarnessTask, PreparedCommand } from '../harness.ts';
import { builtinAdapter } from './builtin/builtin.ts';
import { locateOwn } from './in-container.ts';
import { createHider } from './secrets.ts';

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
}: Pick<HarnessTask, 'mcpServers' | 'workspace' | 'image'>): Check | undefined {
  const { program } = builtinAdapter;
  if (mcpServers.length === 0 || typeof program === 'string') return undefined;
  const own =
    image === undefined
      ? { command: [process.execPath, program.file] as const, readable: [] }
      : locateOwn(program.file);
  return {
    argv: [...own.command, '--probe'],
    readable: own.readable,
    env: {},
    stdin: JSON.stringify({ servers: mcpServers, workspace }),
  };
}

/** The servers that cannot be used, by what the check printed to standard output. Of one that it says nothing of nothing is known. */
export function readMcpCheck(
  { mcpServers, variables }: Pick<HarnessTask, 'mcpServers' | 'variables'>,
  printed: string,
): readonly DeadServer[] {
  const { hide } = createHider({ endpoint: { api: 'anthropic', root: '', apiKey: undefined }, mcpServers, variables });
  return printed.split('\n').flatMap(line => {
    const found = parse(line);
    const server = mcpServers.find(({ name }) => name === found?.server);
    if (server === undefined || typeof found?.problem !== 'string') return [];
    return [{ name: server.name, isRequired: server.required, problem: hide(found.problem) }];
  });
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
