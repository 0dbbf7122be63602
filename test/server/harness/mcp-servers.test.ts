import { expect, test } from 'vitest';
import { findDisabled, readMcpServers, UnsupportedMcpMember } from '../../../src/server/harness/mcp-servers.ts';

test('servers are programs, or are reached over HTTP', () => {
  expect(
    readMcpServers({
      mcp_servers: {
        files: { command: 'mcp-files', args: ['.'], env: { ROOT: '/x' } },
        notes: { command: 'mcp-notes', required: false },
        web: { url: 'https://mcp.example.com/mcp', headers: { Authorization: 'Bearer x' }, required: true },
      },
    }),
  ).toEqual([
    { type: 'stdio', name: 'files', command: 'mcp-files', args: ['.'], env: { ROOT: '/x' }, required: true },
    { type: 'stdio', name: 'notes', command: 'mcp-notes', args: [], env: {}, required: false },
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
  ['neither', {}, 'config.mcp_servers.one: needs either'],
  ['both', { command: 'x', url: 'https://a.example.com' }, 'config.mcp_servers.one: needs either'],
  ['an id of elsewhere', { warp_id: 'abc' }, 'config.mcp_servers.one.warp_id: '],
  ['a blank program', { command: ' ' }, 'config.mcp_servers.one.command: must not be empty'],
  ['headers of a program', { command: 'x', headers: { a: 'secret-value' } }, 'config.mcp_servers.one.headers: '],
  [
    'arguments of an address',
    { url: 'https://a.example.com', args: ['a'] },
    '`args` and `env` can be used only with `command`',
  ],
  [
    'another kind of address',
    { url: 'file:///etc/passwd' },
    'config.mcp_servers.one.url: must be a URL that starts with http',
  ],
  [
    'an address in a spelling in which its password would be shown',
    { url: 'https:\\\\me:secret-value@a.example.com' },
    'config.mcp_servers.one.url: must be a URL that starts with http',
  ],
  [
    'a variable that is too long',
    { command: 'x', env: { KEY: 'secret-value'.repeat(3000) } },
    'config.mcp_servers.one.env.KEY: must have at most 32768 bytes, not 36000',
  ],
  [
    'a header that is too long',
    { url: 'https://a.example.com', headers: { Cookie: 'é'.repeat(20_000) } },
    'config.mcp_servers.one.headers.Cookie: must have at most 32768 bytes, not 40000',
  ],
  [
    'an address that is too long',
    { url: `https://a.example.com/?key=${'secret-value'.repeat(3000)}` },
    'config.mcp_servers.one.url: must have at most 32768 bytes, not 36027',
  ],
])('%s is refused with its path', (_name, server, message) => {
  const read = () => readMcpServers({ mcp_servers: { one: server } });
  expect(read).toThrow(message);
  expect(read).not.toThrow('secret-value');
});

test('the values of all servers together are limited, and keys of some KiB fit', () => {
  const withValues = (count: number) => ({
    mcp_servers: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`s${index}`, { command: 'x', env: { KEY: 'k'.repeat(16_384) } }]),
    ),
  });
  expect(readMcpServers(withValues(4))).toHaveLength(4);
  expect(() => readMcpServers(withValues(5))).toThrow(
    'config.mcp_servers: all `env`, `headers` and `url` together must have at most 65536 bytes, not 81920',
  );
});

test('a member that resembles ours is refused as a typo, and other programs’ are ignored', () => {
  const read = (server: Readonly<Record<string, unknown>>) => readMcpServers({ mcp_servers: { t: server } });
  expect(() => read({ command: 'x', requird: true })).toThrow(
    'config.mcp_servers.t: unknown member "requird". Did you mean "required"?',
  );
  expect(() => read({ comand: 'x' })).toThrow('Did you mean "command"?');
  const foreign = {
    type: 'stdio',
    timeout: 5,
    disabled: false,
    autoApprove: [],
    description: 'd',
    alwaysAllow: ['x'],
    disabledTools: [],
    trust: true,
  };
  expect(read({ command: 'x', ...foreign })).toHaveLength(1);
});

test('a name that cannot be part of a tool name is refused', () => {
  expect(() => readMcpServers({ mcp_servers: { 'a b': { command: 'x' } } })).toThrow(RangeError);
});

test('a disabled server is left out, even if its entry is invalid', () => {
  const mcp_servers = {
    off: { command: 'x', cwd: '/', disabled: true },
    also: { enabled: false },
    on: { command: 'x', disabled: false, enabled: true },
  };
  expect(readMcpServers({ mcp_servers }).map(({ name }) => name)).toEqual(['on']);
  expect(findDisabled({ mcp_servers })).toEqual(['off', 'also']);
  const read = (entry: object) => () => readMcpServers({ mcp_servers: { t: { command: 'x', ...entry } } });
  expect(read({ disabled: 'yes' })).toThrow('config.mcp_servers.t.disabled: must be true or false');
  expect(read({ required: 'false' })).toThrow('config.mcp_servers.t.required: must be true or false');
  expect(read({ disable: true })).toThrow('Did you mean "disabled"?');
});

test.each([
  ['tools', ['a', 'b'], ['a', 'b']],
  ['allowedTools', ['a'], ['a']],
  ['enabled_tools', ['a'], ['a']],
  ['includeTools', [], []],
  ['tools', ['*'], undefined],
])('a server with %s %j gives the agent only those tools', (member, value, tools) => {
  const [server] = readMcpServers({ mcp_servers: { t: { command: 'x', [member]: value } } });
  expect(server?.tools).toEqual(tools);
});

test.each([
  ['disabledTools', ['a']],
  ['exclude_tools', ['a']],
  ['cwd', 'sub'],
  ['envFile', '.env'],
])('the unsupported restriction %s is refused by its path', (member, value) => {
  const read = () => readMcpServers({ mcp_servers: { t: { command: 'x', [member]: value } } });
  expect(read).toThrow(UnsupportedMcpMember);
  expect(read).toThrow(`config.mcp_servers.t.${member}: not supported`);
});

test.each([
  [{ tools: ['a', 'b'], allowedTools: ['a'] }, ['a']],
  [{ enabledTools: ['b', 'c'], tools: ['*'], include_tools: ['a', 'c'] }, ['c']],
])('with the lists %j the agent may use only tools in all of them', (lists, tools) => {
  const [server] = readMcpServers({ mcp_servers: { t: { command: 'x', ...lists } } });
  expect(server?.tools).toEqual(tools);
});

test('a tool list that is not a list is refused', () => {
  const read = () => readMcpServers({ mcp_servers: { t: { command: 'x', tools: { a: true } } } });
  expect(read).toThrow('config.mcp_servers.t.tools: must be a list of tool names');
});

test('variables of the run replace their names, and no others do', () => {
  const variables = { TOKEN: 'of-the-run', DIR: '/data', EMPTY: '', CHAIN: '${TOKEN}' };
  const mcp_servers = {
    files: {
      command: '${DIR}/bin/files',
      args: ['--root', '${DIR}', '--level=${LEVEL:-info}', '$DIR', '${a:?b}'],
      env: { KEY: 'x-${TOKEN}', NONE: '${EMPTY}', ELSE: '${EMPTY:-other}', CHAIN: '${CHAIN}' },
    },
    web: { url: '${BASE:-https://mcp.example.com}/mcp?key=${TOKEN}', headers: { Authorization: 'Bearer ${TOKEN}' } },
  };
  expect(readMcpServers({ mcp_servers }, variables)).toMatchObject([
    {
      command: '/data/bin/files',
      args: ['--root', '/data', '--level=info', '$DIR', '${a:?b}'],
      env: { KEY: 'x-of-the-run', NONE: '', ELSE: 'other', CHAIN: '${TOKEN}' },
    },
    { url: 'https://mcp.example.com/mcp?key=of-the-run', headers: { Authorization: 'Bearer of-the-run' } },
  ]);
});

test.each([
  // The server sets these itself.
  ['${PATH}', 'config.mcp_servers.t.env.KEY: the variable PATH is not passed to the run. Pass it on'],
  ['${HOME}', 'the variable HOME is not passed'],
  ['${KEY:-{}}', 'config.mcp_servers.t.env.KEY: the default of the variable KEY must end with "}"'],
  ['${KEY:-x', 'config.mcp_servers.t.env.KEY: the default of the variable KEY must end with "}"'],
  ['${BIG}${BIG}${BIG}', 'config.mcp_servers.t.env.KEY: all variables together must add at most 65536 bytes'],
])('%s is refused with the name of the missing variable', (value, message) => {
  const read = () =>
    readMcpServers({ mcp_servers: { t: { command: 'x', env: { KEY: value } } } }, { BIG: 'b'.repeat(30_000) });
  expect(read).toThrow(message);
});
