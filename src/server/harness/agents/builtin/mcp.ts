import { createMCPClient, type MCPClient, type MCPTransport } from '@ai-sdk/mcp';
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import type { ToolSet } from 'ai';
import { isObject } from '../../../../base/json.ts';
import { findRedirect, refuseRedirect } from '../../../../base/redirect.ts';
import { version } from '../../../../base/version.ts';
import type { McpServer } from '../../mcp-servers.ts';
import { capText } from './tools/capped-text.ts';
import { ToolFault } from './tools/tool-fault.ts';

/** Time to start and to say what tools there are: programs that are fetched first take a while. */
const connectMs = 60_000;
const callMs = 10 * 60_000;
const closeMs = 500;
/** Of a list of tools. A server that always names one more has no end. */
const pagesMax = 100;

export interface DeadServer {
  readonly name: string;
  readonly isRequired: boolean;
  readonly problem: string;
}

/** The tools of the servers that can be used, as `mcp__SERVER__TOOL`. */
export interface McpTools extends AsyncDisposable {
  readonly tools: ToolSet;
}

type ToolDefinitions = Awaited<ReturnType<MCPClient['listTools']>>;

interface McpPlace {
  readonly env: Readonly<Record<string, string>>;
  readonly workspace: string;
  readonly signal: AbortSignal;
  readonly onDead: (server: DeadServer) => void;
  /** @default connectMs */
  readonly timeoutMs?: number;
}

/** Connects them one by one, to the first required one that is dead. Rejects only when it is stopped; must be disposed of. */
export async function connectMcpServers(servers: readonly McpServer[], place: McpPlace): Promise<McpTools> {
  const clients: MCPClient[] = [];
  const tools: ToolSet = {};
  for (const server of servers) {
    try {
      const client = await connect(server, place);
      clients.push(client);
      Object.assign(
        tools,
        await readTools(server.name, client, { taken: tools, timeoutMs: place.timeoutMs ?? connectMs }),
      );
    } catch (error) {
      if (place.signal.aborted) break;
      place.onDead({ name: server.name, isRequired: server.required, problem: describe(error, server) });
      if (server.required) break;
    }
  }
  const close = async (): Promise<void> => {
    const closing = clients.map(client => client.close().catch(() => {}));
    await Promise.race([Promise.all(closing), new Promise(resolve => setTimeout(resolve, closeMs).unref())]);
  };
  if (place.signal.aborted) {
    await close();
    throw place.signal.reason;
  }
  return { tools, [Symbol.asyncDispose]: close };
}

async function connect(
  server: McpServer,
  { env, workspace, signal, timeoutMs = connectMs }: McpPlace,
): Promise<MCPClient> {
  const transport =
    server.type === 'stdio'
      ? createStdio(server, { env, workspace })
      : { type: 'http' as const, url: server.url, headers: { ...server.headers }, fetch: fetchHere };
  return await createMCPClient({
    transport,
    clientName: 'agent-run',
    version,
    initializationOptions: { timeout: timeoutMs, signal },
    onUncaughtError: () => {},
  });
}

/** Its headers may be credentials. */
const fetchHere: typeof fetch = async (input, init) => {
  const answer = await fetch(input, { ...init, redirect: 'manual' });
  await refuseRedirect(answer, 'and its headers go nowhere else; name the address that it leads to in `url`');
  return answer;
};

function createStdio(
  { command, args, env: own }: Extract<McpServer, { readonly type: 'stdio' }>,
  { env, workspace }: Pick<McpPlace, 'env' | 'workspace'>,
): MCPTransport {
  // Everything that tools have: above all the marker by which every process of the run is found.
  return new StdioMCPTransport({
    command,
    args: [...args],
    env: { ...env, ...own },
    cwd: workspace,
    stderr: 'inherit',
  });
}

/** Names that no API refuses: letters, digits, `_` and `-`, at most 64. */
export function nameTool(server: string, tool: string, isTaken: (name: string) => boolean): string {
  const full = `mcp__${server}__${tool}`.replace(/[^A-Za-z0-9_-]/g, '_');
  let name = full.slice(0, 64);
  for (let number = 2; isTaken(name); number += 1) name = `${full.slice(0, 60)}_${number}`;
  return name;
}

async function readTools(
  server: string,
  client: MCPClient,
  { taken, timeoutMs }: { readonly taken: ToolSet; readonly timeoutMs: number },
): Promise<ToolSet> {
  const offered = client.toolsFromDefinitions(await listTools(client, timeoutMs));
  const own: Record<string, ToolSet[string]> = {};
  for (const [name, offer] of Object.entries(offered)) {
    const { execute, description, inputSchema } = offer;
    own[nameTool(server, name, candidate => candidate in taken || candidate in own)] = {
      description: description ?? '',
      inputSchema,
      type: 'dynamic',
      async execute(input, options) {
        const signals = [AbortSignal.timeout(callMs), ...(options.abortSignal ? [options.abortSignal] : [])];
        options.abortSignal?.throwIfAborted();
        const result: unknown = await execute(input, { ...options, abortSignal: AbortSignal.any(signals) });
        const text = capText(readContent(result));
        if (isObject(result) && result.isError === true) throw new ToolFault(text);
        return text;
      },
    };
  }
  return own;
}

/** All pages, within the time. Throws where there is no end of them. */
async function listTools(client: MCPClient, timeoutMs: number): Promise<ToolDefinitions> {
  const deadline = Date.now() + timeoutMs;
  const tools: ToolDefinitions['tools'] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= pagesMax; page += 1) {
    const found = await client.listTools({
      ...(cursor === undefined ? {} : { params: { cursor } }),
      options: { timeout: Math.max(1, deadline - Date.now()) },
    });
    tools.push(...found.tools);
    cursor = found.nextCursor;
    if (cursor === undefined) return { ...found, tools };
  }
  throw new Error(`its list of tools has more than ${pagesMax} pages`);
}

/** The text of a result; pictures and the like are only named. */
function readContent(result: unknown): string {
  if (!isObject(result)) return String(result);
  const parts = Array.isArray(result.content) ? result.content.filter(isObject) : [];
  if (parts.length === 0) return JSON.stringify(result.structuredContent ?? result.toolResult ?? '');
  return parts
    .map(part => {
      if (typeof part.text === 'string') return part.text;
      const { resource } = part;
      if (isObject(resource) && typeof resource.text === 'string') return resource.text;
      if (part.type === 'resource_link') return `[a resource: ${String(part.uri)}]`;
      return `[${String(part.type)} of type ${String(part.mimeType ?? 'unknown')}, which is no text and was left out]`;
    })
    .join('\n');
}

/** Its own words, and those of what caused it: `fetch failed` alone says nothing. */
/** The library says only that nothing can be sent to it any more. */
const endedEarly = 'it ended before it answered; what it printed is in the log';

function describe(error: unknown, server: McpServer): string {
  // What stands behind the host of its address may be a credential.
  const redirect = findRedirect(error);
  if (redirect !== undefined && server.type === 'http')
    return redirect.message.replace(/^it/, new URL(server.url).origin);
  if (!(error instanceof Error)) return String(error);
  if (/closed client|connection closed/i.test(error.message)) return endedEarly;
  const cause = error.cause instanceof Error && !error.message.includes(error.cause.message) ? error.cause : undefined;
  return [error.message, ...(cause === undefined ? [] : [cause.message])].filter(text => text !== '').join(': ');
}
