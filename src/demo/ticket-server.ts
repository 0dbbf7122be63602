/**
 * The MCP server of the demo's agents: `node src/demo/ticket-server.ts` speaks MCP on its standard streams and has
 * one tool, `read_ticket` {number}.
 */
import { isObject, type JsonObject } from '../base/json.ts';

const tickets: Readonly<Record<number, string>> = {
  42: 'Shipping should be free from 100 on. A customer ordered for exactly 100 and paid 5 for shipping.',
};

const tool = {
  name: 'read_ticket',
  description: 'Returns the text of a ticket of the shop',
  inputSchema: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
};

function readTicket(number: unknown): JsonObject {
  const text = typeof number === 'number' ? tickets[number] : undefined;
  return {
    content: [{ type: 'text', text: text === undefined ? 'ticket not found' : `#${number} ${text}` }],
    isError: text === undefined,
  };
}

/** Undefined for a message that needs no answer. */
function answer({ id, method, params: given }: JsonObject): JsonObject | undefined {
  if (id === undefined) return undefined;
  const params = isObject(given) ? given : {};
  const reply = (result: JsonObject) => ({ jsonrpc: '2.0', id, result });
  switch (method) {
    case 'initialize':
      return reply({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'tickets', version: '1' },
      });
    case 'ping':
      return reply({});
    case 'tools/list':
      return reply({ tools: [tool] });
    case 'tools/call':
      if (params.name === tool.name) return reply(readTicket(isObject(params.arguments) && params.arguments.number));
      return { jsonrpc: '2.0', id, error: { code: -32602, message: `there is no tool ${params.name}` } };
    default:
      return { jsonrpc: '2.0', id, error: { code: -32601, message: `there is no method ${method}` } };
  }
}

let rest = '';
process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
  const lines = `${rest}${chunk}`.split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) {
    const reply = answer(JSON.parse(line) as JsonObject);
    if (reply !== undefined) process.stdout.write(`${JSON.stringify(reply)}\n`);
  }
});
