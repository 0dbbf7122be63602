import { expect, test } from 'vitest';
import { redactValue } from '../../../../src/border/secrets.ts';
import { createAgentRedactor } from '../../../../src/server/harness/agents/agent-redactor.ts';

const redactorOf = (...values: readonly string[]) =>
  createAgentRedactor({
    endpoint: { api: 'anthropic', root: 'https://models.example.com', apiKey: undefined },
    mcpServers: [
      {
        type: 'http',
        name: 'tools',
        url: 'https://mcp.example.com/',
        headers: Object.fromEntries(values.map((value, index) => [`x-${index}`, value])),
        required: false,
      },
    ],
    variables: {},
  });

/** The stream's output for pieces, one after another, and at its end. */
function show(values: readonly string[], pieces: readonly string[]): readonly string[] {
  const stream = redactorOf(...values).openStream();
  return [...pieces.map(piece => stream.push(piece)), stream.end()];
}

test('a secret cut in two anywhere is not shown by the stream', () => {
  const text = 'a secret-0815 b secret-0815';
  for (let at = 0; at <= text.length; at += 1)
    expect(show(['secret-0815'], [text.slice(0, at), text.slice(at)]).join('')).toBe('a *** b ***');
  expect(show(['secret-0815'], Array.from(text)).join('')).toBe('a *** b ***');
});

test('only the possible beginning of a secret is held back', () => {
  expect(show(['secret-0815'], ['see sec', 'ond', ' s'])).toEqual(['see ', 'second', ' ', 's']);
});

test('the longer of two secrets with the same start is awaited, then the shorter is redacted', () => {
  const secrets = ['12345678', '12345678-abc'];
  expect(show(secrets, ['x12345678', '-abc y']).join('')).toBe('x*** y');
  expect(show(secrets, ['x12345678', '-abd y']).join('')).toBe('x***-abd y');
  expect(show(secrets, ['x12345678']).join('')).toBe('x***');
});

test('the end of a secret is not taken for the beginning of another one', () => {
  expect(show(['abcdefgh-12', '12-345678'], ['abcdefgh-12', ' end']).join('')).toBe('*** end');
});

test('special characters of patterns and JSON are plain characters of a secret', () => {
  const secret = 'a.b*c"d\\e\n[f]$1';
  const redactor = redactorOf(secret);
  expect(redactor.redact(`x${secret}x a.bbb`)).toBe('x***x a.bbb');
  expect(redactValue({ said: [`x${secret}x`], count: 1 }, redactor.redact)).toEqual({ said: ['x***x'], count: 1 });
});

test('without secrets all output is shown at once', () => {
  expect(show([], ['a', 'b'])).toEqual(['a', 'b', '']);
});

test('secrets in member names are redacted, and the members of one line are limited', () => {
  const secrets = createAgentRedactor({
    endpoint: { root: 'https://models.example.com', api: 'openai-chat', apiKey: 'sk-0123456789abcdef' },
    mcpServers: [
      {
        type: 'http',
        name: 'tickets',
        url: 'https://bot:hunter2hunter2@tickets.example.com/?key=of-the-address',
        headers: { Cookie: 'sid=0123456789abcd; theme=dark' },
        required: false,
      },
    ],
    variables: {},
  });
  expect(redactValue({ input: { 'sk-0123456789abcdef': ['x sk-0123456789abcdef', 7, null] } }, secrets.redact)).toEqual(
    {
      input: { '***': ['x ***', 7, null] },
    },
  );
  expect(secrets.redact('hunter2hunter2 of-the-address 0123456789abcd')).toBe('*** *** ***');
});

test('a secret with quotes and backslashes is redacted in JSON within JSON', () => {
  const secret = 'tok"en\\long-secret-abc';
  const once = JSON.stringify({ secret });
  for (const text of [secret, once, JSON.stringify({ once })]) {
    const shown = redactorOf(secret).redact(`a ${text} b`);
    expect(shown).toContain('***');
    expect(shown).not.toContain('long-secret');
  }
});

test('variables of an MCP server follow the rules of run variables, and plain ones stay readable', () => {
  const env = {
    GITHUB_PAT: 'ghp_0123456789abcdefghijABCDEFGHIJ012345',
    AZURE_PAT: 'all-letters-and-dashes',
    DATABASE_URL: 'postgres://app:hunter2hunter2@db.example.com:5432/app',
    SENTRY_DSN: 'https://0123456789abcdef0123456789abcdef@o1.ingest.example.com/42',
    SIGNING_KEY: 'line one of the key\nline two of the key',
    NODE_ENV: 'production',
    BASE_URL: 'http://localhost:3000',
    AUTH_MODE: 'interactive',
  };
  const { redact } = createAgentRedactor({
    endpoint: { root: 'https://models.example.com', api: 'anthropic', apiKey: undefined },
    mcpServers: [{ type: 'stdio', name: 'db', command: 'db', args: [], env, required: true }],
    variables: {},
  });
  expect(Object.values(env).map(redact)).toEqual([
    '***',
    '***',
    'postgres://app:***@db.example.com:5432/app',
    'https://***@o1.ingest.example.com/42',
    '***',
    'production',
    'http://localhost:3000',
    'interactive',
  ]);
  expect(redact('it said: line two of the key')).toBe('it said: ***');
});

test('login and password of a Basic header are secrets as well', () => {
  const login = 'bot:hunter2:hunter2';
  const { redact } = redactorOf(`Basic ${Buffer.from(login).toString('base64')}`);
  expect(redact(`${login}, hunter2:hunter2, ${Buffer.from(login).toString('base64')}`)).toBe('***, ***, ***');
});

test('headers about content and client contain no key, and any other may', () => {
  const headers = {
    Accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'User-Agent': 'our-agent/1.0',
    'X-Team': 'team-of-the-shop',
  };
  const { redact } = createAgentRedactor({
    endpoint: { root: 'https://models.example.com', api: 'anthropic', apiKey: undefined },
    mcpServers: [
      { type: 'http', name: 'web', url: 'https://mcp.example.com/s/0a1b2c3d4e5f6a7b8c9d/mcp', headers, required: true },
    ],
    variables: {},
  });
  expect(Object.values(headers).map(redact)).toEqual([
    'application/json, text/event-stream',
    'application/json',
    'our-agent/1.0',
    '***',
  ]);
  expect(redact('https://mcp.example.com/s/0a1b2c3d4e5f6a7b8c9d/mcp')).toBe('https://mcp.example.com/s/***/mcp');
});
