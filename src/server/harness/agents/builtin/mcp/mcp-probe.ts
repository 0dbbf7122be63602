import type { McpServer } from '../../../mcp-servers.ts';
import { connectMcpServers } from './mcp.ts';

/** State of one MCP server. */
export interface ProbedServer {
  readonly server: string;
  /** Why it cannot be used. Undefined if it can. */
  readonly problem?: string;
  /** Number of its tools. */
  readonly tools?: number;
}

/** Connects to all servers at once, for a moment. Rejects only when stopped. */
export async function probeServers(
  servers: readonly McpServer[],
  place: Omit<Parameters<typeof connectMcpServers>[1], 'onDead'>,
): Promise<readonly ProbedServer[]> {
  return await Promise.all(
    servers.map(async server => {
      let problem: string | undefined;
      const onDead = (dead: { readonly problem: string }): void => {
        problem = dead.problem;
      };
      await using connected = await connectMcpServers([server], { ...place, onDead });
      return problem === undefined
        ? { server: server.name, tools: Object.keys(connected.tools).length }
        : { server: server.name, problem };
    }),
  );
}
