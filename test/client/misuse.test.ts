/** Mistakes that TypeScript refuses and JavaScript allows. */
import { Readable } from 'node:stream';
import { arrayBuffer } from 'node:stream/consumers';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { type AgentRuns, ConfigurationError } from '../../src/client/index.ts';
import { listQuerySchema } from '../../src/contract/list-query.ts';
import { apiKey, createClient, createRun, failureOf, runId } from './fixtures.ts';
import { allFeatures, answerJson, hang, startScriptedServer } from './scripted-server.ts';

const controller = new AbortController();
const collect = async (items: AsyncIterable<unknown>) => {
  for await (const _item of items);
};

/** A class that hides its value in a private member. */
class Hidden {
  readonly #name = 'b';
  toString(): string {
    return this.#name;
  }
}

/** Objects whose data is not in their own members. */
const odd = [
  ['a promise', Promise.resolve('b')],
  ['a pattern', /zzz/],
  ['an object with private members', new Hidden()],
  ['a set', new Set(['b'])],
] as const;

type Refused = [string, (client: AgentRuns) => PromiseLike<unknown>, string];
const noText = 'idempotencyKey must be a string, not';

test.each<Refused>([
  [
    'a slip in an option of create',
    c => c.runs.create({ prompt: 'x' }, { idempotency_key: 'a' } as never),
    'Did you mean "idempotencyKey"?',
  ],
  [
    'a reason alone',
    c => c.runs.cancel(runId, 'because' as never),
    'the options of a cancel must be an object, not a string',
  ],
  [
    'a slip in an option of retrieve',
    c => c.runs.retrieve(runId, { timeout: 5 } as never),
    'Did you mean "timeoutMs"?',
  ],
  [
    'a slip in a filter, which would list everything',
    c => c.runs.list({ status: 'FAILED' } as never),
    'Did you mean "state"?',
  ],
  ...[null, Number.NaN, true, 42, ['x']].flatMap((key): Refused[] => [
    [`${key} for the key of a create`, c => c.runs.create({ prompt: 'x' }, { idempotencyKey: key as never }), noText],
    [`${key} for the key of a request`, c => c.post('/x', { idempotencyKey: key as never }), noText],
    [
      `${key} for the key of a message`,
      c => c.runs.followup(runId, { message: 'x' }, { idempotencyKey: key as never }),
      noText,
    ],
  ]),
  [
    'null for a source',
    c => c.runs.create({ prompt: 'x' }, { source: null as never }),
    'source must be a string, not null',
  ],
  ['a number for a reason', c => c.runs.cancel(runId, { reason: 5 as never }), 'reason must be a string, not 5'],
  [
    'a key among the headers of a create',
    c => c.runs.create({ prompt: 'x' }, { headers: { 'IDEMPOTENCY-key': 'a' }, idempotencyKey: 'a' }),
    'the header IDEMPOTENCY-key cannot be set; use the option idempotencyKey',
  ],
  [
    'a key among the headers of a client',
    c => c.withOptions({ defaultHeaders: new Headers({ 'Idempotency-Key': 'a' }) }).runs.create({ prompt: 'x' }),
    'the header idempotency-key cannot be set; use the option idempotencyKey',
  ],
  [
    'a key among the headers of a request',
    c => c.post('/x', { headers: [['Idempotency-Key', 'a']] }),
    'the header Idempotency-Key cannot be set; use the option idempotencyKey',
  ],
  ['null for the options of wait', c => c.runs.wait(runId, null as never), 'must be an object, not null'],
  ['null for the options of create', c => c.runs.create({ prompt: 'x' }, null as never), 'must be an object, not null'],
  ['null for the options of a list', c => c.runs.list({}, null as never), 'must be an object, not null'],
  ['null for the options of a result', c => c.runs.result(runId, null as never), 'must be an object, not null'],
  [
    'a listener for events that is not a function',
    c => c.runs.wait(runId, { onEvent: 5 as never }),
    'onEvent must be a function',
  ],
  [
    'a listener for runs that is not a function',
    c => c.runs.wait(runId, { onRun: 5 as never }),
    'onRun must be a function',
  ],
  [
    'a text for the query of a run, which would be spelled out',
    c => c.runs.retrieve(runId, { query: 'a=1' as never }),
    'query must be an object, not a string',
  ],
  ['a slip in an option of wait', c => c.runs.wait(runId, { timeout: 5 } as never), 'Did you mean "timeoutMs"?'],
  [
    'a number for the options of wait',
    c => c.runs.wait(runId, 5000 as never),
    'the options of following must be an object, not a number',
  ],
  ['a time-out of events', c => collect(c.runs.events(runId, { timeoutMs: 5 } as never)), 'unknown name "timeoutMs"'],
  ['a slip in an option of a request', c => c.get('/x', { timeoutms: 5 } as never), 'Did you mean "timeoutMs"?'],
  ['null for options', c => c.get('/x', null as never), 'the options of a request must be an object, not null'],
  [
    'a way of reading that there is not',
    c => c.get('/x', { as: 'stream' as never }),
    'as must be one of json, text, bytes',
  ],
  [
    'a header as a text',
    c => c.get('/x', { headers: 'X-Call: 1' as never }),
    'headers must be an object of names and values',
  ],
  [
    'headers as a list of texts',
    c => c.get('/x', { headers: ['X-Call: 1'] as never }),
    'headers must be an object of names and values',
  ],
  [
    'the same, for create',
    c => c.runs.create({ prompt: 'x' }, { headers: 'X-Call: 1' as never }),
    'headers must be an object of names and values',
  ],
  ['a path that is not a string', c => c.get(undefined as never), 'the path must be a string, not undefined'],
  [
    'search parameters for a query, which would be lost',
    c => c.get('/x', { query: new URLSearchParams('a=1') as never }),
    'query must be an object, not a URLSearchParams',
  ],
  [
    'a map for the filters of a list',
    c => c.runs.list(new Map([['name', 'a']]) as never),
    'the parameters of a list must be an object, not a Map',
  ],
  [
    'a map within a query',
    c => c.get('/x', { query: { metadata: new Map() as never } }),
    'metadata is not a plain object',
  ],
  ...odd.flatMap(([kind, value]): Refused[] => [
    [`${kind} for a filter`, c => c.runs.list({ name: value as never }), 'name is not a plain object'],
    [
      `${kind} within a filter`,
      c => c.runs.list({ metadata: { a: value } as never }),
      'metadata[a] is not a plain object',
    ],
    [`${kind} for the filters`, c => c.runs.list(value as never), 'which is not a plain object'],
    [`${kind} within a query`, c => c.get('/x', { query: { a: [value as never] } }), 'a is not a plain object'],
    [
      `${kind} within the query of a create`,
      c => c.runs.create({ prompt: 'x' }, { query: { a: value as never } }),
      'a is not a plain object',
    ],
    [`${kind} for a query`, c => c.runs.retrieve(runId, { query: value as never }), 'which is not a plain object'],
    [`${kind} for the options of wait`, c => c.runs.wait(runId, value as never), 'which is not a plain object'],
    [`${kind} for the options of create`, c => c.runs.create({ prompt: 'x' }, value as never), 'is not a plain object'],
  ]),
  ['no state at all for a filter', c => c.runs.list({ state: [] }), 'state is an empty list'],
  ['nothing but undefined for a filter', c => c.runs.list({ state: [undefined] as never }), 'state is an empty list'],
  ...['method', 'headers', 'body', 'signal', 'redirect'].map(
    (name): Refused => [
      `${name} among the options of fetch`,
      c => c.runs.retrieve(runId, { fetchOptions: { [name]: {} } as never }),
      `fetchOptions must not contain "${name}"`,
    ],
  ),
  [
    'a header that is an object',
    c => c.get('/x', { headers: { 'X-A': {} as never } }),
    'the header "X-A" has a name or',
  ],
  [
    'a promise for the headers',
    c => c.get('/x', { headers: Promise.resolve({}) as never }),
    'headers must be an object of names and values',
  ],
  [
    'a promise for the headers of a create',
    c => c.runs.create({ prompt: 'x' }, { headers: Promise.resolve({}) as never }),
    'headers must be an object of names and values',
  ],
  ['a header that is a promise', c => c.get('/x', { headers: { Host: odd[0][1] as never } }), 'the header "Host"'],
  ...[null, 'x', ['x'], undefined].map(
    (body): Refused => [
      `${JSON.stringify(body)} for the body of a create`,
      c => c.runs.create(body as never),
      'the body of a create must be an object',
    ],
  ),
  ['a text for a query', c => c.get('/x', { query: 'a=1' as never }), 'query must be an object, not a string'],
  ['a listener that is not a function', c => c.get('/x', { onRetry: 5 as never }), 'onRetry must be a function, not 5'],
  [
    'a controller in place of its signal',
    c => c.runs.list({}, { signal: controller as never }),
    'signal must be an AbortSignal',
  ],
  [
    'the same, for create',
    c => c.runs.create({ prompt: 'x' }, { signal: controller as never }),
    'signal must be an AbortSignal',
  ],
  ['the same, for wait', c => c.runs.wait(runId, { signal: controller as never }), 'signal must be an AbortSignal'],
  [
    'the same, for events',
    c => collect(c.runs.events(runId, { signal: controller as never })),
    'signal must be an AbortSignal',
  ],
])('%s is refused before anything is sent', async (_name, call, words) => {
  await using server = await startScriptedServer([]);
  const error = await failureOf(call(createClient(server.url).client));
  expect(error).toBeInstanceOf(ConfigurationError);
  expect((error as Error).message).toContain(words);
  expect(server.requests).toHaveLength(0);
});

test.each([
  [{ clock: {} }, 'clock must have a method now'],
  [{ clock: null }, 'clock must have a method now'],
  [{ clock: { now: () => 0, monotonicMs: () => 0 } }, 'clock must have a method sleep'],
  [{ dangerouslyAllowBrowser: true }, 'Did you mean "allowBrowser"?'],
])("%j as the client's options is refused", (options, words) => {
  expect(() => createClient('http://127.0.0.1:1', options as never)).toThrow(words);
});

/** Like node-fetch, whose bodies are Node streams. */
async function fetchAsNodeFetch(url: string, init: RequestInit) {
  const { status, headers, body } = await fetch(url, init);
  const stream = Readable.fromWeb(body as never);
  return { status, headers, body: stream, arrayBuffer: () => arrayBuffer(stream) } as never;
}

test('a fetch with Node streams as bodies works, even without a known length', async () => {
  await using server = await startScriptedServer((response, { path }) => {
    response.writeHead(200, { 'Content-Type': 'application/json', ...allFeatures });
    response.write(path.includes('/events') ? '{"events":[],"done":' : '{"run_id":"1",');
    response.end(path.includes('/events') ? 'true}' : '"state":"SUCCEEDED"}');
  });
  const { client } = createClient(server.url, { fetch: fetchAsNodeFetch });
  expect((await client.runs.create({ prompt: 'x' })).run_id).toBe('1');
  expect((await client.runs.wait('1', { onEvent: () => {} })).state).toBe('SUCCEEDED');
  expect(server.requests).toHaveLength(3);
});

test.each([undefined, {}, 'text'])(
  'a fetch that returns %j gives an error that says so, without a retry',
  async given => {
    let calls = 0;
    const fetch = async () => {
      calls += 1;
      return given as never;
    };
    const error = await failureOf(createClient('http://127.0.0.1:1', { fetch }).client.runs.list());
    expect((error as Error).message).toContain('the fetch option returned no Response');
    expect(calls).toBe(1);
  },
);

/** Like the Headers of another package. */
class ForeignHeaders {
  *[Symbol.iterator]() {
    yield ['x-call', '3'];
  }
}

test('a create by a fetch that loses its response may have started a run, and the error says so', async () => {
  await using server = await startScriptedServer(answerJson({ run_id: '1', state: 'QUEUED' }));
  const forgetful = async (url: string, init: RequestInit) => {
    await fetch(url, init);
    return undefined as never;
  };
  const error = await failureOf(createClient(server.url, { fetch: forgetful }).client.runs.create({ prompt: 'x' }));
  expect(error).toMatchObject({ name: 'StartUnknownError', message: expect.stringContaining('returned no Response') });
  expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('headers may be Headers of any package or pairs, and null omits one', async () => {
  await using server = await startScriptedServer(answerJson({ run_id: '1', state: 'QUEUED' }));
  const { client } = createClient(server.url, {
    defaultHeaders: new Headers({ 'X-Team': 'checkout', 'X-Other': 'a' }),
  });
  await client.runs.create({ prompt: 'x' }, { headers: new Headers({ 'X-Call': '1' }) });
  await client.runs.create({ prompt: 'x' }, { headers: { 'x-other': null } });
  const pairs = [
    ['X-Call', '2'],
    ['x-other', null],
  ] as const;
  await client.runs.create({ prompt: 'x' }, { headers: pairs });
  await client.runs.retrieve('1', { headers: pairs });
  await client.runs.create({ prompt: 'x' }, { headers: new ForeignHeaders() as never });
  expect(server.requests.map(({ headers }) => [headers['x-team'], headers['x-other'], headers['x-call']])).toEqual([
    ['checkout', 'a', '1'],
    ['checkout', undefined, undefined],
    ['checkout', undefined, '2'],
    ['checkout', undefined, '2'],
    ['checkout', 'a', '3'],
  ]);
});

test('raw requests give responses of any type, bytes and text', async () => {
  const bytes = Uint8Array.of(0, 255, 1);
  await using server = await startScriptedServer((response, { path }) => {
    const type = { '/csv': 'text/csv', '/page': 'text/html' }[path] ?? 'application/octet-stream';
    response.writeHead(200, { 'Content-Type': type }).end(path === '/bytes' ? bytes : 'a;b');
  });
  const { client } = createClient(server.url);
  expect(await failureOf(client.get('/bytes'))).toMatchObject({ name: 'UnexpectedResponseError' });
  expect(await (await client.get('/bytes').asResponse()).bytes()).toEqual(bytes);
  expect(await client.get('/bytes', { as: 'bytes' })).toEqual(bytes);
  expect(await client.get('/csv', { as: 'text' })).toBe('a;b');
  expect(await client.get('/other', { as: 'text' })).toBe('a;b');
  expect(await failureOf(client.get('/page', { as: 'text' }))).toMatchObject({ name: 'UnexpectedResponseError' });
  expect(await failureOf(client.get('/csv').withResponse())).toMatchObject({ name: 'UnexpectedResponseError' });
});

test('an error as JSON has its message and no key', async () => {
  await using server = await startScriptedServer(
    answerJson({ type: 'x/invalid_request', detail: `no ${apiKey}` }, {}, 400),
  );
  const error = await failureOf(createClient(server.url).client.runs.retrieve(runId));
  const shown = JSON.parse(JSON.stringify(error));
  expect(shown).not.toHaveProperty('headers');
  expect(shown).not.toHaveProperty('body');
  expect(shown).toMatchObject({ name: 'BadRequestError', status: 400, code: 'invalid_request' });
  expect(shown.message).toContain('400 invalid_request: no ***');
  expect(JSON.stringify(error)).not.toContain(apiKey);
});

test('plain objects of other contexts, or without a prototype, are accepted', async () => {
  await using server = await startScriptedServer(answerJson({ runs: [], page_info: { has_next_page: false } }));
  const { client } = createClient(server.url);
  await client.runs.list(runInNewContext('({ metadata: { a: "b" } })'));
  await client.runs.list({ metadata: Object.assign(Object.create(null), { a: 'b' }) });
  expect(server.requests.map(({ path }) => path)).toEqual(Array(2).fill('/agent/runs?metadata%5Ba%5D=b'));
});

test('every filter of the contract is accepted', async () => {
  await using server = await startScriptedServer(answerJson({ runs: [], page_info: { has_next_page: false } }));
  const { client } = createClient(server.url);
  for (const name of Object.keys(listQuerySchema.shape)) await client.runs.list({ [name]: 'x' } as never);
  expect(server.requests.map(({ path }) => path.split(/[?=]/)[1])).toEqual(Object.keys(listQuerySchema.shape));
});

test('infinite limits set no timer', async () => {
  await using server = await startScriptedServer([answerJson(createRun('SUCCEEDED')), hang]);
  const { client } = createClient(server.url, {
    timeoutMs: Number.POSITIVE_INFINITY,
    totalTimeoutMs: Number.POSITIVE_INFINITY,
  });
  expect((await client.runs.retrieve(runId)).state).toBe('SUCCEEDED');
  expect(await failureOf(client.runs.retrieve(runId, { timeoutMs: 50, totalTimeoutMs: 50 }))).toMatchObject({
    name: 'ConnectionTimeoutError',
  });
});
