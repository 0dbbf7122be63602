import {
  Client,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  // biome-ignore lint/suspicious/noDeprecatedImports: servers of the protocol's first version speak nothing else
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { version } from '../../../../../base/process/version.ts';
import { findRedirect, refuseRedirect } from '../../../../../border/answers.ts';
import type { McpServer } from '../../../mcp-servers.ts';
import { StdioTransport } from './mcp-stdio.ts';

/** Limit on a problem's text. It is redacted where it is shown, before it is shortened further. */
const problemMax = 10_000;
/** Part of the start time for a program that printed text and may still be loading. */
const quietPart = 1 / 6;
/** Response of servers of the protocol's first version, which use server-sent events, to a POST. */
const olderStatus: readonly number[] = [400, 404, 405];

export interface McpPlace {
  /** The environment of all tools, which contains the marker for finding the run's processes. */
  readonly env: Readonly<Record<string, string>>;
  readonly workspace: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

export interface McpConnection {
  readonly client: Client;
  /** The reason of a failed request, as a clause. */
  describe(error: unknown): string;
  close(): Promise<void>;
}

/** Rejects with an Error whose message is a clause. */
export async function openConnection(server: McpServer, place: McpPlace): Promise<McpConnection> {
  if (server.type === 'stdio') {
    const { command, args } = server;
    const program = { command, args, env: { ...place.env, ...server.env }, cwd: place.workspace };
    return await open(new StdioTransport(program, place.timeoutMs * quietPart), server, place);
  }
  const url = new URL(server.url);
  const options = { requestInit: { headers: { ...server.headers } }, fetch: fetchHere };
  try {
    return await open(new StreamableHTTPClientTransport(url, options), server, place);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (!(cause instanceof SdkHttpError && olderStatus.includes(cause.status ?? 0))) throw error;
    return await open(new SSEClientTransport(url, options), server, place).catch(() => Promise.reject(error));
  }
}

async function open(transport: Transport, server: McpServer, place: McpPlace): Promise<McpConnection> {
  const client = new Client({ name: 'agent-run', version }, { capabilities: { elicitation: { form: {}, url: {} } } });
  // No person can answer. A handler per method would refuse a question that deviates from the protocol.
  client.fallbackRequestHandler = async ({ method }) => {
    if (method === 'elicitation/create') return { action: 'decline' };
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `Method not found: ${method}`);
  };
  client.onerror = error => {
    // The stream of a first-version server carries all answers, and a new stream none to earlier requests.
    if (error instanceof SseError) void transport.close();
  };
  if (transport instanceof StreamableHTTPClientTransport) failLostCalls(transport);
  const describe = (error: unknown): string => {
    const problem = transport instanceof StdioTransport ? transport.problem : undefined;
    return (problem ?? describeError(error, server)).slice(0, problemMax);
  };
  const signal = AbortSignal.any([place.signal, AbortSignal.timeout(place.timeoutMs)]);
  // Some transports ignore the signal while they start.
  const { promise: late, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(new Error('it did not answer: timed out')), { once: true });
  try {
    await Promise.race([client.connect(transport, { timeout: place.timeoutMs, signal }), late]);
  } catch (error) {
    void transport.close();
    throw new Error(describe(error), { cause: error });
  }
  return {
    client,
    describe,
    async close() {
      if (transport instanceof StreamableHTTPClientTransport) await transport.terminateSession().catch(() => {});
      await client.close();
    },
  };
}

/** Its headers may be credentials. */
const fetchHere: typeof fetch = async (input, init) => {
  const answer = await fetch(input, { ...init, redirect: 'manual' });
  await refuseRedirect(answer, 'and its headers are not sent to another address; set `url` to the final address');
  return answer;
};

/**
 * The transport resumes a broken stream if the server supports that. When it gives up, the client would wait for the
 * call's timeout.
 */
function failLostCalls(transport: StreamableHTTPClientTransport): void {
  const send = transport.send.bind(transport);
  const open = new Set<string>();
  let trouble = '';
  // The client also calls handlers that were set before it connects.
  transport.onerror = ({ message }) => {
    trouble = `: ${message.slice(0, problemMax)}`;
  };
  transport.onmessage = message => {
    if (!('method' in message)) open.delete(String(message.id));
  };
  transport.send = (message, options) => {
    if (Array.isArray(message) || !('method' in message && 'id' in message)) return send(message, options);
    const { id } = message;
    open.add(String(id));
    trouble = '';
    // Streams also end after an answer.
    const onRequestStreamEnd = (): void => {
      if (!open.has(String(id))) return;
      const text = `its stream ended without an answer${trouble}`;
      transport.onmessage?.({ jsonrpc: '2.0', id, error: { code: lostCode, message: text } });
    };
    return send(message, { ...options, onRequestStreamEnd });
  };
}

/** From the range for implementations. */
const lostCode = -32_000;
/** The library says only that it cannot send any more. */
const endedEarly = 'it exited before it answered; the log has its output';

/** The error's message and those of its causes: `fetch failed` alone says nothing. */
function describeError(error: unknown, server: McpServer): string {
  // The part after the address's host may contain a credential.
  const redirect = findRedirect(error);
  if (redirect !== undefined && server.type === 'http')
    return redirect.message.replace(/^it/, new URL(server.url).origin);
  if (!(error instanceof Error)) return String(error);
  if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed) return endedEarly;
  const status = error instanceof SdkHttpError ? `it answered with status ${error.status}` : '';
  const cause = error.cause instanceof Error && !error.message.includes(error.cause.message) ? error.cause.message : '';
  return [status, error.message, cause].filter(text => text !== '').join(': ');
}
