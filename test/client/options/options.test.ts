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

test('an unknown level in AGENT_RUN_LOG is refused', () => {
  vi.stubEnv('AGENT_RUN_LOG', 'loud');
  try {
    const options = { baseUrl: 'https://a.example.com', apiKey: 'k' };
    expect(() => new AgentRuns(options)).toThrow(
      /AGENT_RUN_LOG must be one of off, error, warn, info, debug, not "loud"/,
    );
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
