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
  [
    'an address in a spelling in which its password would be shown',
    { url: 'https:\\\\me:secret-value@a.example.com' },
    'config.mcp_servers.one.url: is no http or https address',
  ],
  [
    'a variable that is too long',
    { command: 'x', env: { KEY: 'secret-value'.repeat(3000) } },
    'config.mcp_servers.one.env.KEY: has 36000 bytes, and at most 32768 are allowed',
  ],
  [
    'a header that is too long',
    { url: 'https://a.example.com', headers: { Cookie: 'é'.repeat(20_000) } },
    'config.mcp_servers.one.headers.Cookie: has 40000 bytes',
  ],
  [
    'an address that is too long',
    { url: `https://a.example.com/?key=${'secret-value'.repeat(3000)}` },
    'config.mcp_servers.one.url: has 36027 bytes',
  ],
])('%s is refused with its path', (_name, server, message) => {
  const read = () => readMcpServers({ mcp_servers: { one: server } });
  expect(read).toThrow(message);
  expect(read).not.toThrow('secret-value');
});

test('values of all servers together are bounded, and keys in files of some KiB are taken', () => {
  const withValues = (count: number) => ({
    mcp_servers: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`s${index}`, { command: 'x', env: { KEY: 'k'.repeat(16_384) } }]),
    ),
  });
  expect(readMcpServers(withValues(4))).toHaveLength(4);
  expect(() => readMcpServers(withValues(5))).toThrow(
    'config.mcp_servers: all `env`, `headers` and `url` together have 81920 bytes, and at most 65536 are allowed',
  );
});

test('a member that is nearly one of ours is a slip, and those of other programs are passed over', () => {
  const read = (server: Readonly<Record<string, unknown>>) => readMcpServers({ mcp_servers: { t: server } });
  expect(() => read({ command: 'x', requird: true })).toThrow(
    'config.mcp_servers.t: there is no member "requird", did you mean "required"?',
  );
  expect(() => read({ comand: 'x' })).toThrow('did you mean "command"?');
  const foreign = {
    type: 'stdio',
    timeout: 5,
    disabled: false,
    autoApprove: [],
    description: 'd',
    cwd: '/',
    trust: true,
  };
  expect(read({ command: 'x', ...foreign })).toHaveLength(1);
});

test('a name that could not be part of a tool is refused', () => {
  expect(() => readMcpServers({ mcp_servers: { 'a b': { command: 'x' } } })).toThrow(RangeError);
});
