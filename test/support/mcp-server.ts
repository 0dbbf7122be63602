/**
 * An MCP server for tests, without a library: `node test/support/mcp-server.ts` speaks it on its standard streams,
 * `startMcpServer` over HTTP. It has the tools `greet` {name}, which says whether it got the secret MCP_SECRET or the
 * header x-secret, and `fail`, which always fails. Each is on a page of its own.
 */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

interface JsonRpcRequest {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: { readonly name?: string };
    readonly protocolVersion?: string;
    readonly cursor?: string;
  };
}

const objectSchema = { type: 'object', properties: { name: { type: 'string' } } };
const tools = ['greet', 'fail'].map(name => ({ name, description: `Does ${name}`, inputSchema: objectSchema }));

/** Undefined for a message that needs no answer. */
function answer({ id, method, params }: JsonRpcRequest, secret: string): object | undefined {
  if (id === undefined) return undefined;
  const reply = (result: object) => ({ jsonrpc: '2.0', id, result });
  switch (method) {
    case 'initialize':
      return reply({
        protocolVersion: params?.protocolVersion ?? '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'test', version: '1' },
      });
    case 'tools/list': {
      const at = Number(params?.cursor ?? 0);
      return reply({
        tools: tools.slice(at, at + 1),
        ...(at + 1 < tools.length ? { nextCursor: String(at + 1) } : {}),
      });
    }
    case 'tools/call': {
      const isError = params?.name === 'fail';
      const said = isError
        ? 'it went wrong'
        : `hello ${params?.arguments?.name}, secret of ${secret.length} characters`;
      return reply({ content: [{ type: 'text', text: said }], isError });
    }
    default:
      return { jsonrpc: '2.0', id, error: { code: -32601, message: `there is no method ${method}` } };
  }
}

export interface McpTestServer extends AsyncDisposable {
  readonly url: string;
  /** Headers `x-secret` as received. */
  readonly secrets: readonly string[];
}

export async function startMcpServer(): Promise<McpTestServer> {
  const secrets: string[] = [];
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const secret = String(request.headers['x-secret'] ?? '');
    secrets.push(secret);
    const reply = answer(JSON.parse(await text(request)) as JsonRpcRequest, secret);
    if (reply === undefined) return response.writeHead(202).end();
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/mcp`,
    secrets,
    async [Symbol.asyncDispose]() {
      const gone = new Promise(done => server.close(done));
      server.closeAllConnections();
      await gone;
    },
  };
}

if (import.meta.main) {
  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const reply = answer(JSON.parse(line) as JsonRpcRequest, process.env.MCP_SECRET ?? '');
      if (reply !== undefined) process.stdout.write(`${JSON.stringify(reply)}\n`);
    }
  });
}
