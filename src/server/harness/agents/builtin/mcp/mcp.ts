/**
 * The MCP servers of a run. Keeps the usable tools of a server and reports the others. The schema of a tool is passed
 * on unchanged if the model's provider accepts it.
 */
import { jsonSchema, type ToolSet } from 'ai';
import * as z from 'zod';
import { messageOf } from '../../../../../base/cause.ts';
import { isObject, type JsonObject } from '../../../../../base/json.ts';
import type { McpServer } from '../../../mcp-servers.ts';
import { capText } from '../tools/capped-text.ts';
import { ToolFault } from '../tools/tool-fault.ts';
import { type McpConnection, type McpPlace, openConnection } from './mcp-client.ts';
import { readToolSchema } from './tool-schema.ts';

/** Time to start and list the tools. Programs that are downloaded first take a while. */
const connectMs = 60_000;
const callMs = 10 * 60_000;
const closeMs = 500;
/** Limit on pages of a tool list. A faulty server always names another one. */
const pagesMax = 100;

export interface DeadServer {
  readonly name: string;
  readonly isRequired: boolean;
  readonly problem: string;
}

/** The tools of the usable servers, as `mcp__SERVER__TOOL`. */
export interface McpTools extends AsyncDisposable {
  readonly tools: ToolSet;
}

interface McpParts extends Omit<McpPlace, 'timeoutMs'> {
  readonly onDead: (server: DeadServer) => void;
  /** A warning about a server that can be used in part. */
  readonly onWarning?: (text: string) => void;
  /** @default connectMs */
  readonly timeoutMs?: number;
}

/**
 * Connects them one by one, and stops at the first required one that fails. Rejects only when stopped. Dispose of the
 * result.
 */
export async function connectMcpServers(servers: readonly McpServer[], parts: McpParts): Promise<McpTools> {
  const { signal, timeoutMs = connectMs, onDead, onWarning } = parts;
  const connections: McpConnection[] = [];
  const tools: ToolSet = {};
  for (const server of servers) {
    const deadline = performance.now() + timeoutMs;
    try {
      const connection = await openConnection(server, { ...parts, timeoutMs });
      connections.push(connection);
      const warn = (text: string): void => onWarning?.(`the MCP server ${server.name}: ${text}`);
      for (const offer of await readOffers(server, connection, { deadline, warn }))
        tools[nameTool(server.name, offer.name, name => name in tools)] = createTool(offer, connection);
    } catch (error) {
      if (signal.aborted) break;
      const problem = messageOf(error);
      onDead({ name: server.name, isRequired: server.required, problem });
      if (server.required) break;
    }
  }
  const close = async (): Promise<void> => {
    const closing = connections.map(connection => connection.close().catch(() => {}));
    await Promise.race([Promise.all(closing), new Promise(resolve => setTimeout(resolve, closeMs).unref())]);
  };
  if (signal.aborted) {
    await close();
    throw signal.reason;
  }
  return { tools, [Symbol.asyncDispose]: close };
}

/** Names that every API accepts: letters, digits, `_` and `-`, at most 64. */
export function nameTool(server: string, tool: string, isTaken: (name: string) => boolean): string {
  const full = `mcp__${server}__${tool}`.replace(/[^A-Za-z0-9_-]/g, '_');
  let name = full.slice(0, 64);
  for (let number = 2; isTaken(name); number += 1) name = `${full.slice(0, 60)}_${number}`;
  return name;
}

interface ToolOffer {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
}

interface Reading {
  readonly deadline: number;
  readonly warn: (text: string) => void;
}

/** The listed tools that a model can be offered. */
async function readOffers(
  { tools: wanted }: McpServer,
  connection: McpConnection,
  reading: Reading,
): Promise<readonly ToolOffer[]> {
  const { warn } = reading;
  const listed = await listTools(connection, reading);
  const offers = new Map<string, ToolOffer>();
  for (const tool of listed) {
    const { name, description, inputSchema } = isObject(tool) ? tool : {};
    if (typeof name !== 'string' || name === '') warn('skipped a tool without a name');
    else if (!offers.has(name) && (wanted === undefined || wanted.includes(name)))
      try {
        const { schema, lost } = readToolSchema(inputSchema);
        const more = lost && `Its arguments also have to satisfy this JSON Schema: ${JSON.stringify(lost)}`;
        const texts = [typeof description === 'string' ? description : '', more ?? ''];
        offers.set(name, { name, description: texts.filter(text => text !== '').join('\n'), schema });
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        warn(`skipped the tool ${JSON.stringify(name)}: ${error.message}`);
      }
  }
  const missing = wanted?.filter(name => !offers.has(name)) ?? [];
  if (missing.length > 0) warn(`its entry lists tools that the server does not have: ${missing.join(', ')}`);
  return [...offers.values()];
}

const pageSchema = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.unknown().optional() });

/** All pages, within the time. */
async function listTools(
  { client, describe }: McpConnection,
  { deadline, warn }: Reading,
): Promise<readonly unknown[]> {
  const tools: unknown[] = [];
  const cursors = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const params = cursor === undefined ? {} : { cursor };
    const timeout = Math.max(1, deadline - performance.now());
    const page = await client.request({ method: 'tools/list', params }, pageSchema, { timeout }).catch(error => {
      throw new Error(describe(error), { cause: error });
    });
    tools.push(...page.tools);
    const next = page.nextCursor ?? '';
    if (next === '') return tools;
    cursor = String(next);
    if (cursors.has(cursor) || cursors.size === pagesMax) {
      const why = cursors.has(cursor) ? 'repeats a page' : `has more than ${pagesMax} pages`;
      warn(`its list of tools ${why}; the tools listed before that are used`);
      return tools;
    }
    cursors.add(cursor);
  }
}

function createTool({ name, description, schema }: ToolOffer, { client, describe }: McpConnection): ToolSet[string] {
  return {
    description,
    inputSchema: jsonSchema(schema),
    type: 'dynamic',
    async execute(input, { abortSignal }) {
      const request = { method: 'tools/call', params: { name, arguments: input as JsonObject } } as const;
      const options = { timeout: callMs, ...(abortSignal && { signal: abortSignal }) };
      const result = await client.request(request, z.looseObject({}), options).catch(error => {
        abortSignal?.throwIfAborted();
        throw new ToolFault(capText(describe(error)));
      });
      const text = capText(readContent(result));
      if (result.isError === true) throw new ToolFault(text);
      return text;
    },
  };
}

/** The text of a result. Pictures and the like are only named. */
function readContent(result: JsonObject): string {
  const parts = Array.isArray(result.content) ? result.content.filter(isObject) : [];
  const { structuredContent: structured = result.toolResult } = result;
  if (!Array.isArray(result.content) && structured === undefined)
    throw new ToolFault('the server answered without `content`, so the result of the tool is unknown');
  if (parts.length === 0) return JSON.stringify(structured ?? '');
  return parts
    .map(part => {
      if (typeof part.text === 'string') return part.text;
      const { resource } = part;
      if (isObject(resource) && typeof resource.text === 'string') return resource.text;
      if (part.type === 'resource_link') return `[a resource: ${String(part.uri)}]`;
      return `[${String(part.type)} of type ${String(part.mimeType ?? 'unknown')}, which is not text and was left out]`;
    })
    .join('\n');
}
