/** MCP servers of the built-in agent: real ones, over standard streams and HTTP. */
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import {
  connectMcpServers,
  type DeadServer,
  nameTool,
} from '../../../../../../src/server/harness/agents/builtin/mcp/mcp.ts';
import type { McpServer } from '../../../../../../src/server/harness/mcp-servers.ts';
import { startMcpServer } from '../../../../../support/mcp-server.ts';
import { findSleeps } from '../../../../../support/processes.ts';
import { startRedirect } from '../../../../../support/redirect.ts';
import { createTempFolder } from '../../../../../support/temp-folder.ts';
import { eventsOf, logOf, runScript, toolEnv } from '../loop-fixture.ts';

const program = resolve(import.meta.dirname, '../../../../../support/mcp-server.ts');
const stdio = (more: Partial<Extract<McpServer, { type: 'stdio' }>> = {}): McpServer => ({
  type: 'stdio',
  name: 'local',
  command: process.execPath,
  args: [program],
  env: { MCP_SECRET: 'twelve-chars' },
  required: false,
  ...more,
});

test('tools are offered under server names and called, over standard streams and HTTP', async () => {
  await using remote = await startMcpServer();
  const { end, server, lines } = await runScript(
    [
      { tools: [{ mcp: { server: 'local', tool: 'greet', input: { name: 'octo' } } }] },
      { tools: [{ mcp: { server: 'remote', tool: 'greet', input: { name: 'cat' } } }] },
      { tools: [{ mcp: { server: 'remote', tool: 'fail' } }] },
      { text: 'Greeted.' },
    ],
    {
      spec: {
        mcpServers: [
          stdio(),
          {
            type: 'http',
            name: 'remote',
            url: remote.url,
            headers: { 'x-secret': 'secret-of-the-header' },
            required: true,
          },
        ],
      },
    },
  );
  expect(end).toEqual({ kind: 'succeeded', text: 'Greeted.' });
  expect(server.requests[0]?.tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['mcp__local__greet', 'mcp__local__fail', 'mcp__remote__greet', 'shell']),
  );
  expect(eventsOf(lines, 'tool_result').map(({ data }) => [data.output, data.is_error])).toEqual([
    ['hello octo, secret of 12 characters', false],
    ['hello cat, secret of 20 characters', false],
    ['it went wrong', true],
  ]);
  expect(new Set(remote.secrets)).toEqual(new Set(['secret-of-the-header']));
});

const dead: readonly (readonly [string, McpServer])[] = [
  ['is not there', stdio({ name: 'lost', command: 'no-such-server' })],
  ['ends at once', stdio({ name: 'lost', args: ['-e', 'process.exit(3)'] })],
  ['cannot be reached', { type: 'http', name: 'lost', url: 'http://127.0.0.1:1/', headers: {}, required: false }],
];

test.each(dead)('a server that %s is reported, and the run continues without it', async (_name, server) => {
  const { end, lines } = await runScript([{ text: 'Done.' }], { spec: { mcpServers: [server] } });
  expect(end).toMatchObject({ kind: 'succeeded' });
  expect(logOf(lines)).toMatch(/^the MCP server lost cannot be used: .+\n$/);
});

test.each(dead)('a required server that %s fails the run before the model is asked', async (_name, server) => {
  const run = await runScript([{ text: 'Done.' }], { spec: { mcpServers: [{ ...server, required: true }] } });
  expect(run.end).toMatchObject({
    kind: 'failed',
    fault: 'mcp_server',
    message: expect.stringMatching(/^lost: .+/),
  });
  expect(run.server.requests).toEqual([]);
  // There is no conversation to continue yet.
  expect(run.lines.filter(line => 'session' in line)).toEqual([]);
});

test('a silent server is not waited for, and is ended', async () => {
  const folder = createTempFolder();
  const seconds = `61.${process.pid}`;
  const silent = stdio({ name: 'silent', command: 'sleep', args: [seconds] });
  const dead: DeadServer[] = [];
  await using mcp = await connectMcpServers([silent], {
    env: toolEnv,
    workspace: folder,
    signal: new AbortController().signal,
    timeoutMs: 1000,
    onDead: server => dead.push(server),
  });
  expect(mcp.tools).toEqual({});
  expect(dead).toEqual([{ name: 'silent', isRequired: false, problem: expect.stringContaining('timed out') }]);
  await expect.poll(() => findSleeps(seconds)).toEqual([]);
});

test('a server that redirects cannot be used, and its headers are not passed on', async () => {
  await using other = await startMcpServer();
  const url = await startRedirect(other.url);
  const remote: McpServer = {
    type: 'http',
    name: 'remote',
    url,
    headers: { 'x-secret': 'secret-of-the-header' },
    required: false,
  };
  const { lines } = await runScript([{ text: 'Done.' }], { spec: { mcpServers: [remote] } });
  expect(logOf(lines)).toBe(
    `the MCP server remote cannot be used: ${url} redirects to ${new URL(other.url).origin} (status 307), and its headers are not sent to another address; set \`url\` to the final address\n`,
  );
  expect(other.secrets).toEqual([]);
});

test('tool names are valid in every API, and unique', () => {
  const taken = new Set<string>();
  const name = (tool: string): string => {
    const found = nameTool('shop', tool, candidate => taken.has(candidate));
    taken.add(found);
    return found;
  };
  expect(name('list.items')).toBe('mcp__shop__list_items');
  expect(name('list/items')).toBe('mcp__shop__list_items_2');
  const long = [name('x'.repeat(80)), name(`${'x'.repeat(80)}y`)];
  expect(new Set(long).size).toBe(2);
  for (const one of long) expect(one).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
});
