import { expect, test } from 'vitest';
import { readMcpServers } from '../../../src/server/harness/mcp-servers.ts';

test('servers are programs, or are reached by HTTP', () => {
  expect(
    readMcpServers({
      mcp_servers: {
        files: { command: 'mcp-files', args: ['.'], env: { ROOT: '/x' } },
        web: { url: 'https://mcp.example.com/mcp', headers: { Authorization: 'Bearer x' }, required: true },
      },
    }),
  ).toEqual([
    { type: 'stdio', name: 'files', command: 'mcp-files', args: ['.'], env: { ROOT: '/x' }, required: false },
    {
      type: 'http',
      name: 'web',
      url: 'https://mcp.example.com/mcp',
      headers: { Authorization: 'Bearer x' },
      required: true,
    },
  ]);
});

test.each([
  ['neither', {}, 'config.mcp_servers.one: give either'],
  ['both', { command: 'x', url: 'https://a.example.com' }, 'config.mcp_servers.one: give either'],
  ['an id of elsewhere', { warp_id: 'abc' }, 'config.mcp_servers.one.warp_id: '],
  ['a blank program', { command: ' ' }, 'config.mcp_servers.one.command: is blank'],
  ['headers of a program', { command: 'x', headers: { a: 'secret-value' } }, 'config.mcp_servers.one.headers: '],
  ['arguments of an address', { url: 'https://a.example.com', args: ['a'] }, '`args` and `env` go with `command`'],
  ['another kind of address', { url: 'file:///etc/passwd' }, 'config.mcp_servers.one.url: is no http or https address'],
])('%s is refused with its path', (_name, server, message) => {
  const read = () => readMcpServers({ mcp_servers: { one: server } });
  expect(read).toThrow(message);
  expect(read).not.toThrow('secret-value');
});

test('a name that could not be part of a tool is refused', () => {
  expect(() => readMcpServers({ mcp_servers: { 'a b': { command: 'x' } } })).toThrow(RangeError);
});
