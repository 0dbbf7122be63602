import type { McpServer } from '../../../mcp-servers.ts';
import { connectMcpServers } from './mcp.ts';

/** One MCP server, as it was found. */
export interface ProbedServer {
  readonly server: string;
  /** Undefined where it can be used. */
  readonly problem?: string;
  /** How many tools it offers. */
  readonly tools?: number;
}

/** Connects every server for a moment, all at once. Rejects only when it is stopped. */
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
