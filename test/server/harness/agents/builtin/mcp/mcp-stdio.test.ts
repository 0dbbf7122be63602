/** Output of a program other than messages is quoted as the reason, and does not have to wait for the timeout. */
import { expect, test } from 'vitest';
import { connectMcpServers, type DeadServer } from '../../../../../../src/server/harness/agents/builtin/mcp/mcp.ts';
import type { McpServer } from '../../../../../../src/server/harness/mcp-servers.ts';
import { createTempFolder } from '../../../../../support/temp-folder.ts';
import { eventsOf, runScript, toolEnv } from '../loop-fixture.ts';
import { listing, programOf, speaking } from '../mcp-program.ts';

/** After text alone, the wait is a sixth of the time. */
async function connect(server: McpServer, timeoutMs: number) {
  const dead: DeadServer[] = [];
  await using mcp = await connectMcpServers([server], {
    env: toolEnv,
    workspace: createTempFolder(),
    signal: new AbortController().signal,
    timeoutMs,
    onDead: found => dead.push(found),
  });
  return { tools: Object.keys(mcp.tools), problem: dead[0]?.problem };
}

const list = listing([{ name: 'a', inputSchema: { type: 'object', properties: {} } }]);
const quoted = 'it printed something other than an MCP message to its standard output: ';

test.each([
  ['text without a line end', programOf("process.stdout.write('ready> '); process.stdin.resume()"), '"ready>"', 6000],
  [
    'a banner',
    programOf("console.log('Listening on port 3000'); process.stdin.resume()"),
    '"Listening on port 3000"',
    6000,
  ],
  // These look like an answer, so there is no wait.
  [
    'an answer behind a prompt',
    speaking(list, { write: "line => console.log('ready> ' + line)" }),
    '"ready> {',
    60_000,
  ],
  [
    'an answer over several lines',
    speaking(list, { write: 'line => console.log(JSON.stringify(JSON.parse(line), null, 2))' }),
    '"{\\n\\"jsonrpc\\": \\"2.0\\"',
    60_000,
  ],
])('%s is quoted as the reason', async (_name, server, text, timeoutMs) => {
  const began = performance.now();
  const { problem } = await connect(server, timeoutMs);
  expect(problem).toContain(`${quoted}${text}`);
  expect(performance.now() - began).toBeLessThan(timeoutMs / 2);
});

const endless = "(function more() { process.stdout.write('x'.repeat(1024 * 1024), more); })()";

test('an endless line fails the start of its server', async () => {
  const { problem } = await connect(programOf(`${endless}; process.stdin.resume()`), 60_000);
  expect(problem).toBe('it printed a line of more than 16 MiB to its standard output');
});

test('an endless line fails the call that waits for it', async () => {
  const server = speaking(`${list} if (method === 'tools/call') ${endless};`);
  const { lines } = await runScript([{ tools: [{ mcp: { server: 'odd', tool: 'a' } }] }, { text: 'Done.' }], {
    spec: { mcpServers: [server] },
  });
  expect(eventsOf(lines, 'tool_result').map(({ data }) => data.output)).toEqual([
    'it printed a line of more than 16 MiB to its standard output',
  ]);
});

test.each([
  ['a byte order mark', 'let first = true', "'\\uFEFF'"],
  ['a greeting', "console.log('Hello, I am starting')", "''"],
  ['a line of its log', 'console.log(\'{"level":"info"}\')', "''"],
])('%s before its messages does no harm', async (_name, before, mark) => {
  const server = speaking(list, { write: `(${before}, 0), line => console.log(${mark} + line)` });
  expect(
    await connect(programOf(`${before};\n${server.args[1]}`.replace(`(${before}, 0), `, '')), 60_000),
  ).toMatchObject({
    tools: ['mcp__odd__a'],
    problem: undefined,
  });
});
