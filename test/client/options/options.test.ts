import { inspect } from 'node:util';
import { expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import type { ClientOptions } from '../../../src/client/index.ts';
import { AgentRuns, ConfigurationError, defaults } from '../../../src/client/index.ts';
import { resolveCredentials } from '../../../src/client/options/credentials.ts';

const own = { AGENT_RUN_BASE_URL: 'https://own.example.com', AGENT_RUN_API_KEY: 'own-key' };
const other = { OZ_API_BASE_URL: 'https://oz.example.com/api/v1', WARP_API_KEY: 'warp-key' };

function resolve(options: ClientOptions, variables: Readonly<Record<string, string>> = {}) {
  const { baseUrl, apiKey } = resolveCredentials(options, name => variables[name]);
  return [baseUrl, apiKey];
}

test.each<[string, ClientOptions, Record<string, string>, [string, string]]>([
  [
    'options go before the environment',
    { baseUrl: 'https://a.example.com', apiKey: 'a' },
    { ...own, ...other },
    ['https://a.example.com/api/v1', 'a'],
  ],
  ['AGENT_RUN_* goes before the public pair', {}, { ...own, ...other }, ['https://own.example.com/api/v1', 'own-key']],
  ['the public pair serves alone', {}, other, ['https://oz.example.com/api/v1', 'warp-key']],
  [
    'a lone AGENT_RUN_API_KEY serves an explicit address',
    { baseUrl: 'https://a.example.com' },
    { AGENT_RUN_API_KEY: 'own-key' },
    ['https://a.example.com/api/v1', 'own-key'],
  ],
  [
    'an explicit address takes the key of the pair with that address',
    { baseUrl: 'https://oz.example.com' },
    { ...own, ...other },
    ['https://oz.example.com/api/v1', 'warp-key'],
  ],
  [
    'an address is the same with a slash at its end',
    { baseUrl: 'https://OWN.example.com:443/' },
    own,
    ['https://own.example.com/api/v1', 'own-key'],
  ],
  [
    'an explicit key goes to AGENT_RUN_BASE_URL',
    { apiKey: 'k' },
    { ...own, ...other },
    ['https://own.example.com/api/v1', 'k'],
  ],
  [
    'an explicit key of the public pair goes to its own address',
    { apiKey: 'warp-key' },
    { ...own, ...other },
    ['https://oz.example.com/api/v1', 'warp-key'],
  ],
  [
    'what stands around a value of the environment is no part of it',
    {},
    { AGENT_RUN_BASE_URL: ' https://own.example.com\n', AGENT_RUN_API_KEY: 'own-key\n' },
    ['https://own.example.com/api/v1', 'own-key'],
  ],
  [
    'a key of the environment that is given without its line break belongs to its pair',
    { apiKey: 'warp-key' },
    { ...own, ...other, WARP_API_KEY: 'warp-key\r\n' },
    ['https://oz.example.com/api/v1', 'warp-key'],
  ],
  [
    'blank options count as not given',
    { baseUrl: ' ', apiKey: '' },
    own,
    ['https://own.example.com/api/v1', 'own-key'],
  ],
])('%s', (_name, options, variables, expected) => {
  expect(resolve(options, variables)).toEqual(expected);
});

test.each<[string, ClientOptions, Record<string, string>, RegExp]>([
  ['nothing is given', {}, {}, /baseUrl.*AGENT_RUN_BASE_URL/],
  ['the key is missing', {}, { AGENT_RUN_BASE_URL: 'https://own.example.com' }, /apiKey.*AGENT_RUN_API_KEY/],
  [
    'half a pair is not passed over for the other service',
    {},
    { AGENT_RUN_API_KEY: 'own-key', ...other },
    /AGENT_RUN_BASE_URL/,
  ],
  [
    'the own key never goes to another address',
    { baseUrl: 'https://evil.example.com' },
    own,
    /API key for https:\/\/evil/,
  ],
  ['the public key never goes to another address', { baseUrl: 'https://evil.example.com' }, other, /WARP_API_KEY/],
  [
    'a lone WARP_API_KEY never goes to an explicit address',
    { baseUrl: 'https://a.example.com' },
    { WARP_API_KEY: 'warp-key' },
    /missing/,
  ],
  [
    "the public pair's key, given as option, never goes to AGENT_RUN_BASE_URL",
    { apiKey: 'warp-key' },
    { ...own, WARP_API_KEY: 'warp-key' },
    /address of the service is missing/,
  ],
  [
    'a key that is there says whose it is',
    { baseUrl: 'https://evil.example.com' },
    own,
    /missing: the key in AGENT_RUN_API_KEY belongs to https:\/\/own\.example\.com; give the option apiKey$/,
  ],
  ['an address is invalid', { baseUrl: 'own.example.com', apiKey: 'k' }, {}, /the option baseUrl must be a URL/],
  ['an address of another kind', { baseUrl: 'ftp://own.example.com', apiKey: 'k' }, {}, /https:\/\/ or http:\/\//],
  ['an address with a query', { baseUrl: 'https://own.example.com?x=1', apiKey: 'k' }, {}, /query/],
  ['plain HTTP to another host', { baseUrl: 'http://own.example.com', apiKey: 'k' }, {}, /plain HTTP/],
  ['a name that only looks like loopback', { baseUrl: 'http://127.0.0.1.example.com', apiKey: 'k' }, {}, /plain HTTP/],
])('refused: %s', (_name, options, variables, message) => {
  expect(() => resolve(options, variables)).toThrow(ConfigurationError);
  expect(() => resolve(options, variables)).toThrow(message);
});

test.each(['secret key', 'secret\n', 'secret\r\nX-Evil: 1', 'secret\u0000', 'secrét', '\tsecret'])(
  'a key that no header can carry is refused and not shown',
  apiKey => {
    expect(() => resolve({ baseUrl: 'https://a.example.com', apiKey })).toThrow(/option apiKey/);
    expect(() => resolve({ baseUrl: 'https://a.example.com', apiKey })).not.toThrow(/secr/);
  },
);

test.each<[ClientOptions, Record<string, string>, string | undefined, string]>([
  [{}, {}, 'baseUrl', 'the address of the service is missing: give <baseUrl>, or set AGENT_RUN_BASE_URL'],
  [{ baseUrl: 'x', apiKey: 'k' }, {}, 'baseUrl', '<baseUrl> must be a URL that starts with https:// or http://'],
  [
    { baseUrl: 'agents.example.com', apiKey: 'k' },
    {},
    'baseUrl',
    '<baseUrl> must be a URL that starts with https:// or http://, not "agents.example.com". Use https://agents.example.com',
  ],
  [
    { baseUrl: 'localhost:8080/api/v1', apiKey: 'k' },
    {},
    'baseUrl',
    '<baseUrl> must be a URL that starts with https:// or http://, not "localhost:8080/api/v1". Use http://localhost:8080/api/v1',
  ],
  [
    { apiKey: 'k' },
    { AGENT_RUN_BASE_URL: 'x' },
    undefined,
    'AGENT_RUN_BASE_URL must be a URL that starts with https:// or http://',
  ],
  [
    { baseUrl: 'https://a.example.com', apiKey: 'a b' },
    {},
    'apiKey',
    'the API key in <apiKey> contains a space, a line break or another invalid character',
  ],
])(
  '%o with %o gives an error that names its option, under another name if given',
  (options, variables, option, sentence) => {
    try {
      resolve(options, variables);
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      expect(error.option).toBe(option);
      expect(error.describe(name => `<${name}>`)).toBe(sentence);
      expect(error.message).toBe(sentence.replace(/<(\w+)>/g, 'the option $1'));
    }
  },
);

test('credentials in an address are refused and not shown', () => {
  const baseUrl = 'https://user:hunter2@a.example.com';
  expect(() => resolve({ baseUrl, apiKey: 'k' })).toThrow(/user name or password/);
  expect(() => resolve({ baseUrl, apiKey: 'k' })).not.toThrow(/hunter2/);
});

test.each([
  ['http://localhost:7420', 'http://localhost:7420/api/v1'],
  ['http://[::1]:7420/', 'http://[::1]:7420/api/v1'],
  ['http://127.8.9.1/api/v1/', 'http://127.8.9.1/api/v1'],
  ['https://a.example.com/agents/', 'https://a.example.com/agents/api/v1'],
  ['https://a.example.com/agents/api/v1//', 'https://a.example.com/agents/api/v1'],
])('%s is used as %s', (baseUrl, expected) => {
  expect(resolve({ baseUrl, apiKey: 'k' })[0]).toBe(expected);
});

test('allowHttp allows the key over plain HTTP', () => {
  expect(resolve({ baseUrl: 'http://own.example.com', apiKey: 'k', allowHttp: true })[1]).toBe('k');
});

test('the added prefix is logged once, at level debug', () => {
  const lines: string[] = [];
  const logger = {
    error: () => {},
    warn: () => {},
    info: (line: string) => lines.push(`info: ${line}`),
    debug: (line: string) => lines.push(line),
  };
  const client = new AgentRuns({ baseUrl: 'https://a.example.com', apiKey: 'k', logger, logLevel: 'debug' });
  client.withOptions({ timeoutMs: 5 });
  expect(lines).toEqual([
    'agent-run: https://a.example.com does not end with /api/v1; using https://a.example.com/api/v1',
  ]);
  expect(client.baseUrlNote).toContain('https://a.example.com/api/v1');
  expect(new AgentRuns({ baseUrl: 'https://a.example.com/api/v1', apiKey: 'k' }).baseUrlNote).toBeUndefined();
});

test('the process environment is read, and an empty variable counts as unset', () => {
  vi.stubEnv('AGENT_RUN_BASE_URL', ' ');
  vi.stubEnv('AGENT_RUN_API_KEY', '');
  vi.stubEnv('OZ_API_BASE_URL', 'https://oz.example.com/api/v1');
  vi.stubEnv('WARP_API_KEY', 'warp-key');
  try {
    expect(new AgentRuns().baseUrl).toBe('https://oz.example.com/api/v1');
    vi.stubEnv('AGENT_RUN_LOG', 'loud');
    expect(() => new AgentRuns()).toThrow(/AGENT_RUN_LOG must be one of off, error, warn, info, debug, not "loud"/);
  } finally {
    vi.unstubAllEnvs();
  }
});

test.each([
  { timeoutMs: 0 },
  { timeoutMs: Number.NaN },
  { totalTimeoutMs: -1 },
  { maxRetries: 1.5 },
  { maxRetries: -1 },
  { maxRetries: Number.POSITIVE_INFINITY },
])('%o is refused by name', options => {
  const [name] = Object.keys(options);
  expect(() => new AgentRuns({ baseUrl: 'https://a.example.com', apiKey: 'k', ...options })).toThrow(name);
});

test('a copy never sends the key to another address', () => {
  const client = new AgentRuns({ baseUrl: 'https://a.example.com', apiKey: 'k' });
  expect(() => client.withOptions({ baseUrl: 'https://b.example.com' })).toThrow(ConfigurationError);
  expect(client.withOptions({ baseUrl: 'https://b.example.com', apiKey: 'b' }).baseUrl).toBe(
    'https://b.example.com/api/v1',
  );
  expect(client.withOptions({ baseUrl: 'https://a.example.com/' }).baseUrl).toBe(client.baseUrl);
  expect(client.withOptions({ apiKey: undefined, timeoutMs: 5 }).baseUrl).toBe(client.baseUrl);
});

test('a printed client does not show its key', () => {
  const client = new AgentRuns({ baseUrl: 'https://a.example.com', apiKey: 'key-3f9a-secret' });
  const copy = client.withOptions({ timeoutMs: 5 });
  for (const one of [client, copy])
    expect(inspect(one, { depth: 10, showHidden: true }) + JSON.stringify(one) + String(one)).not.toContain('3f9a');
});

const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

test('in a browser a fixed key is refused unless allowed, a function is not', () => {
  const baseUrl = 'https://a.example.com';
  vi.stubGlobal('navigator', { userAgent: browser });
  vi.stubEnv('AGENT_RUN_BASE_URL', baseUrl);
  vi.stubEnv('AGENT_RUN_API_KEY', 'key-3f9a-secret');
  try {
    for (const options of [{ baseUrl, apiKey: 'key-3f9a-secret' }, {}, { allowBrowser: false }]) {
      expect(() => new AgentRuns(options)).toThrow(ConfigurationError);
      expect(() => new AgentRuns(options)).toThrow(/your server.*function.*allowBrowser/);
      expect(() => new AgentRuns(options)).not.toThrow(/3f9a/);
    }
    expect(new AgentRuns({ allowBrowser: true }).withOptions({ timeoutMs: 5 }).baseUrl).toBe(`${baseUrl}/api/v1`);
    expect(new AgentRuns({ apiKey: () => 'k' }).baseUrl).toBe(`${baseUrl}/api/v1`);
  } finally {
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  }
});

test.each(['Node.js/24', 'Deno/2.5.0', 'Bun/1.3.0', 'Cloudflare-Workers', undefined])(
  'a program whose platform is called %s is not a browser',
  userAgent => {
    vi.stubGlobal('navigator', { userAgent });
    try {
      expect(() => new AgentRuns({ baseUrl: 'https://a.example.com', apiKey: 'k' })).not.toThrow();
    } finally {
      vi.unstubAllGlobals();
    }
  },
);

test.each([
  ['baseURL', 'baseUrl'],
  ['timeout', 'timeoutMs'],
  ['apikey', 'apiKey'],
  ['default_headers', 'defaultHeaders'],
])('an unknown option %s is refused, with a hint at %s', (name, meant) => {
  expect(() => new AgentRuns({ baseUrl: 'https://a.example.com', apiKey: 'k', [name]: 1 })).toThrow(
    `the options of a client: unknown name "${name}". Did you mean "${meant}"?`,
  );
  const client = new AgentRuns({ baseUrl: 'https://a.example.com', apiKey: 'k' });
  expect(() => client.withOptions({ [name]: 1 })).toThrow(ConfigurationError);
});

const endless: unknown[] = [];
endless.push(endless);

test.each<[string, unknown, string]>([
  ['null', null, 'the options of a client must be an object, not null'],
  ['an address alone', 'https://a.example.com', 'the options of a client must be an object, not a string'],
  ['a list that holds itself', endless, 'not a list'],
  ['a number that JSON does not know', 5n, 'not a bigint'],
  ['a number as a text', { maxRetries: '2' }, '0 or more, not a string'],
  ['a time as a text', { timeoutMs: '5' }, 'above 0, not a string'],
  ['a fetch that is not a function', { fetch: 'x' }, 'fetch must be a function, not a string'],
  ['a word for a permission', { allowHttp: 'false' }, 'allowHttp must be a boolean, not a string'],
  ['a query as a text', { defaultQuery: 'a=b' }, 'defaultQuery must be an object, not a string'],
  ['a number for the options of fetch', { fetchOptions: 5 }, 'fetchOptions must be an object, not 5'],
  ['a logger without methods', { logger: { log() {} } }, 'logger must have at least one of the methods'],
  ['an address that is not a string', { baseUrl: 5 }, 'the option baseUrl must be a string'],
])('%s is refused with an explanation', (_name, options, words) => {
  const given =
    typeof options === 'object' && options !== null && !Array.isArray(options)
      ? { baseUrl: 'https://a.example.com', apiKey: 'k', ...options }
      : options;
  const client = new AgentRuns({ baseUrl: 'https://a.example.com', apiKey: 'k' });
  for (const use of [() => new AgentRuns(given as never), () => client.withOptions(given as never)]) {
    expect(use).toThrow(words);
    expect(use).toThrow(ConfigurationError);
  }
});

test('a key in place of the options is not shown', () => {
  for (const given of ['key-3f9a-secret', ['key-3f9a-secret']])
    expect(() => new AgentRuns(given as never)).toThrow(/^(?!.*3f9a)/);
});

test("every option in the client's type is accepted", () => {
  const every: Required<ClientOptions> = {
    baseUrl: 'https://a.example.com',
    apiKey: 'k',
    fetch: globalThis.fetch,
    defaultHeaders: {},
    defaultQuery: {},
    logger: console,
    logLevel: 'off',
    clock: systemClock,
    allowHttp: false,
    allowBrowser: false,
    timeoutMs: 1,
    totalTimeoutMs: 1,
    maxRetries: 0,
    onRetry: () => {},
    fetchOptions: {},
  };
  expect(() => new AgentRuns(every)).not.toThrow();
});

test('an address may be a URL', () => {
  const client = new AgentRuns({ baseUrl: new URL('https://a.example.com/x/'), apiKey: 'k' });
  expect(client.baseUrl).toBe('https://a.example.com/x/api/v1');
  expect(client.withOptions().baseUrl).toBe(client.baseUrl);
});

test("an undefined option of a copy keeps the original's", () => {
  const seen: string[] = [];
  const fetch = async (url: string) => {
    seen.push(url);
    return Response.json({});
  };
  const client = new AgentRuns({ baseUrl: 'https://a.example.com', apiKey: 'k', fetch, defaultQuery: { a: 1 } });
  return client
    .withOptions({ fetch: undefined, defaultQuery: undefined })
    .get('/x')
    .then(() => expect(seen).toEqual(['https://a.example.com/api/v1/x?a=1']));
});

test('a key function is used with the address from the environment', () => {
  const apiKey = () => 'k';
  expect(resolve({ apiKey }, { ...own, ...other })).toEqual(['https://own.example.com/api/v1', apiKey]);
  expect(resolve({ apiKey }, other)).toEqual(['https://oz.example.com/api/v1', apiKey]);
  expect(() => resolve({ apiKey }, {})).toThrow(/address of the service is missing/);
});

test('the defaults are frozen', () => {
  expect(Object.isFrozen(defaults)).toBe(true);
});
