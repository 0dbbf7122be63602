import type { McpServer } from '../../../../../src/server/harness/mcp-servers.ts';

type Stdio = Extract<McpServer, { type: 'stdio' }>;

/** A program of one line of code that is an MCP server or pretends to be one. */
export function programOf(code: string, more: Partial<Stdio> = {}): Stdio {
  return {
    type: 'stdio',
    name: 'odd',
    command: process.execPath,
    args: ['-e', code],
    env: {},
    required: false,
    ...more,
  };
}

/**
 * A program that speaks MCP. `answer` is the body of a function of `method` and `params`: its result, or undefined.
 * `write` prints a message.
 */
export function speaking(
  answer: string,
  { write = 'line => console.log(line)' } = {},
  more: Partial<Stdio> = {},
): Stdio {
  return programOf(
    `
const write = ${write};
const send = message => write(JSON.stringify({ jsonrpc: '2.0', ...message }));
const initialized = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } };
const answer = (method, params, message) => { ${answer} };
let rest = '';
process.stdin.setEncoding('utf8').on('data', chunk => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const message = JSON.parse(line);
    const { id, method, params } = message;
    const result = method === 'initialize' ? initialized : answer(method, params, message);
    if (result !== undefined) send({ id, result });
  }
});
`,
    more,
  );
}

/** The result of `tools/list` with these tools, as code. */
export function listing(tools: readonly object[]): string {
  return `if (method === 'tools/list') return { tools: ${JSON.stringify(tools)} };`;
}
