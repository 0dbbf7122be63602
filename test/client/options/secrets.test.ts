import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConnectionError } from '../../../src/client/index.ts';
import { Secrets } from '../../../src/client/options/secrets.ts';
import { apiKey, createClient, failureOf } from '../fixtures.ts';

const keys = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map(code => String.fromCharCode(code)),
  minLength: 8,
  maxLength: 60,
});

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const encodings: readonly ((key: string) => string)[] = [
  key => key,
  key => JSON.stringify(key).slice(1, -1),
  key => encodeURIComponent(key),
  key => new URLSearchParams({ '': key }).toString().slice(1),
  key => key.replace(/[&<>"]/g, character => entities[character] ?? ''),
  key => Buffer.from(key).toString('hex'),
  key => btoa(key),
  key => btoa(`Bearer ${key}`),
  key => btoa(`user:${key}`),
  key => btoa(`ab${key}cd`).replaceAll('+', '-').replaceAll('/', '_'),
];

/** Those of the key alone. */
const ofKeys = encodings.slice(0, 6);

/** The key is nowhere in the text, encoded or not; nor is the part of its base64 that depends on it alone. */
function expectNone(text: string, key: string): void {
  for (const encode of ofKeys) expect(text).not.toContain(encode(key));
  for (const offset of [0, 1, 2]) {
    const encoded = btoa('x'.repeat(offset) + key)
      .replaceAll('=', '')
      .slice(offset + 1, -1);
    expect(text).not.toContain(encoded);
    expect(text).not.toContain(encoded.replaceAll('+', '-').replaceAll('/', '_'));
  }
}

test('a key is redacted in its usual encodings, and nothing else is touched', () => {
  fc.assert(
    fc.property(keys, fc.constantFrom(...encodings), fc.stringMatching(/^[ #]{0,5}$/), (key, encode, around) => {
      const secrets = new Secrets();
      secrets.add(key);
      const redacted = secrets.redact(`${around}${encode(key)}${around}`);
      expectNone(redacted, key);
      expect(redacted.startsWith(around) && redacted.includes('***')).toBe(true);
    }),
  );
});

test('of two keys of which one begins with the other nothing is left, and the last eight are remembered', () => {
  const secrets = new Secrets();
  secrets.add('key-one');
  secrets.add('key-one-and-more');
  expect(secrets.redact('key-one-and-more key-one')).toBe('*** ***');
  for (let count = 0; count < 8; count += 1) secrets.add(`other-${count}`);
  expect(secrets.redact('key-one other-0 other-7')).toBe('key-one *** ***');
});

test('what is too short to be a secret is left alone', () => {
  const secrets = new Secrets();
  secrets.add('k');
  expect(secrets.redact('a book')).toBe('a book');
});

test('nothing makes it throw, whatever the key and the text are', () => {
  const anything = fc.string({ unit: 'binary', maxLength: 80 });
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 10 }), anything, (added, text) => {
      const secrets = new Secrets();
      for (const key of added) secrets.add(key);
      const kept = added.filter(key => key.length >= 4).slice(-8);
      const shown = [text, ...kept].map(part => secrets.redact(`${text}${part}${text}`)).join('\n');
      for (const key of kept) if (key !== '***'.repeat(key.length / 3)) expect(shown).not.toContain(key);
    }),
  );
});

test('a key that is used again is not forgotten for newer ones', () => {
  const secrets = new Secrets();
  for (let count = 0; count < 20; count += 1) {
    secrets.add('the-key-in-use');
    secrets.add(`key-of-one-call-${count}`);
  }
  expect(secrets.redact('the-key-in-use key-of-one-call-19 key-of-one-call-1')).toBe('*** *** key-of-one-call-1');
});

test('whatever a server echoes, and wherever, no error and no line holds the key', async () => {
  await fc.assert(
    fc.asyncProperty(
      keys,
      fc.constantFrom(...encodings),
      fc.constantFrom(200, 204, 302, 304, 400, 401, 404, 429, 500, 503),
      fc.constantFrom('application/json', 'application/problem+json', 'text/html', 'text/plain', ''),
      fc.constantFrom('json', 'member', 'raw', 'cut', 'thrown', 'thrown deep'),
      async (key, encode, status, type, place) => {
        const echo = encode(key);
        const header = /^[\x20-\x7e]*$/.test(echo) ? echo : 'none';
        const bodies: Record<string, string> = {
          json: JSON.stringify({
            type: `x/${echo}`,
            title: echo,
            detail: `bad ${echo}`,
            trace_id: echo,
            issues: [{ path: echo, message: echo }],
          }),
          member: JSON.stringify({ title: 'x', extra: [{ [echo]: { [echo]: echo } }] }),
          raw: `<p>${echo}</p>`,
          cut: `{"detail": "${echo}`,
        };
        const fetch = async () => {
          const fault = new Error(`refused ${echo}`, { cause: new Error(`inner ${echo}`) });
          if (place === 'thrown') throw fault;
          if (place === 'thrown deep') throw new TypeError('fetch failed', { cause: fault });
          return new Response(status === 204 || status === 304 ? null : bodies[place], {
            status,
            headers: {
              ...(type === '' ? {} : { 'content-type': type }),
              'x-request-id': header,
              'x-echo': header,
              location: `https://a.example.com/${header}`,
              'set-cookie': `a=${header}`,
            },
          });
        };
        const { client, lines } = createClient('https://a.example.com', { apiKey: key, fetch, maxRetries: 1 });
        const error = await failureOf(client.runs.retrieve('some-run'));
        const chain: unknown[] = [];
        for (let link = error as Error | undefined; link instanceof Error; link = link.cause as Error | undefined)
          chain.push(link.message, link.stack, String(link));
        const headers = JSON.stringify([...((error as { headers?: Headers }).headers ?? [])]);
        const shown = [JSON.stringify(error), inspect(error, { depth: 10 }), headers, ...chain, ...lines].join('\n');
        expectNone(shown, key);
      },
    ),
    { numRuns: 300 },
  );
});

test('an error keeps what its body says besides the key', async () => {
  const body = { type: 'x/invalid_request', detail: 'the key key-3f9a-secret is bad', list: ['key-3f9a-secret', 5] };
  const fetch = async () =>
    Response.json(body, { status: 400, headers: { 'X-Kept': 'yes', 'X-Mirror': 'Bearer key-3f9a-secret' } });
  const { client } = createClient('https://a.example.com', { fetch });
  const error = (await failureOf(client.runs.retrieve('some-run'))) as { headers: Headers; body: unknown };
  expect(error).toMatchObject({ code: 'invalid_request', detail: 'the key *** is bad', body: { list: ['***', 5] } });
  expect([error.headers.get('x-kept'), error.headers.get('x-mirror')]).toEqual(['yes', 'Bearer ***']);
});

/** Where an error of a `fetch` can hold what it was called with. */
const holders: Readonly<Record<string, (init: RequestInit, key: string) => unknown>> = {
  'a member': init => Object.assign(new Error('boom'), { config: init }),
  'a deep member': init => Object.assign(new Error('boom'), { a: { b: [{ c: { d: { e: { init } } } }] } }),
  'a member of its cause': init => new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { init }) }),
  'a hidden member': (_, key) => Object.defineProperty(new Error('boom'), 'hidden', { value: `Bearer ${key}` }),
  'a symbol': (_, key) => Object.assign(new Error('boom'), { [Symbol('told')]: [key] }),
  'a name of a member': (_, key) => Object.assign(new Error('boom'), { [key]: 1 }),
  'a getter of its class': (_, key) =>
    new (class Told extends Error {
      override get message() {
        return `told ${key}`;
      }
    })(),
  'a member that throws': (_, key) =>
    Object.defineProperty(Object.assign(new Error('boom'), { key }), 'bad', {
      enumerable: true,
      get: () => {
        throw new Error(key);
      },
    }),
  'a request': (init, key) =>
    Object.assign(new Error('boom'), {
      request: new Request('https://a.example.com', { headers: init.headers ?? {} }),
      key,
    }),
  headers: init => Object.assign(new Error('boom'), { headers: new Headers(init.headers) }),
  'a map': (_, key) => Object.assign(new Error('boom'), { map: new Map([['key', key]]) }),
  'several errors': (_, key) => new AggregateError([new Error('a'), new Error(key)], 'all failed'),
  'a circle': (_, key) => {
    const error: Error & { self?: unknown; key?: string } = new Error('boom');
    return Object.assign(error, { self: { error }, key });
  },
  'many members': (_, key) =>
    Object.assign(new Error('boom'), { list: [...Array.from({ length: 5000 }, (_, at) => ({ at })), key] }),
  'a message and a name': (_, key) => Object.assign(new Error(`with ${key}`), { name: key, code: key }),
  'no error': init => ({ config: init }),
  'a text': (_, key) => `no answer with ${key}`,
};

test('whatever a fetch throws that holds the key, the error of the client does not show it', async () => {
  await fc.assert(
    fc.asyncProperty(
      keys,
      fc.constantFrom(...Object.keys(holders)),
      fc.boolean(),
      async (apiKey, holder, isWrapped) => {
        const fetch = async (_url: string, init: RequestInit) => {
          const thrown = holders[holder]?.(init, apiKey);
          throw isWrapped ? Object.assign(new Error('around'), { thrown, list: [{ thrown }] }) : thrown;
        };
        const { client, lines } = createClient('https://a.example.com', { apiKey, fetch, maxRetries: 0 });
        const error = await failureOf(client.runs.retrieve('some-run'));
        expect(error).toBeInstanceOf(ConnectionError);
        const shown = [inspect(error, { depth: 10, showHidden: true }), JSON.stringify(error), ...lines].join('\n');
        expectNone(shown, apiKey);
      },
    ),
    { numRuns: 300 },
  );
});

test('an error in place of one that tells the key keeps its message, name, code and stack, and those of its causes', async () => {
  const fetch = async (_url: string, init: RequestInit) => {
    const inner = Object.assign(new Error(`no answer for Bearer ${apiKey}`), { code: 'ECONNRESET' });
    const outer = new TypeError('fetch failed', { cause: inner });
    throw Object.assign(outer, { config: init });
  };
  const { client } = createClient('https://a.example.com', { fetch, maxRetries: 0 });
  const { cause, fault } = (await failureOf(client.runs.retrieve('some-run'))) as ConnectionError;
  expect(fault).toBe('closed');
  expect(cause).toMatchObject({ name: 'TypeError', message: 'fetch failed' });
  expect((cause as Error).stack).toMatch(/secrets\.test\.ts/);
  expect((cause as Error).cause).toMatchObject({ message: 'no answer for Bearer ***', code: 'ECONNRESET' });
});

test('an error that tells no key is passed on as it is', async () => {
  const thrown = new TypeError('fetch failed', {
    cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', socket: { bytesRead: 0 } }),
  });
  const { client } = createClient('https://a.example.com', { fetch: () => Promise.reject(thrown), maxRetries: 0 });
  expect(((await failureOf(client.runs.retrieve('some-run'))) as ConnectionError).cause).toBe(thrown);
});

test.each([
  ['authorization', 'Bearer s3cret-of-a-header'],
  ['Authorization', 's3cret-of-a-header'],
  ['X-Api-Key', 's3cret-of-a-header'],
])('a key given in the header %s is cut out too, of the client and of a call', async (name, value) => {
  const fetch = async (_url: string, init: RequestInit) =>
    Response.json({ error: `bad ${JSON.stringify(init.headers)}` }, { status: 403 });
  const { client } = createClient('https://a.example.com', { fetch });
  const copy = client.withOptions({ defaultHeaders: { [name]: value } });
  for (const [caller, headers] of [
    [copy, {}],
    [client, { [name]: value }],
  ] as const) {
    const shown = inspect(await failureOf(caller.runs.retrieve('some-run', { headers })), { depth: 10 });
    expect(shown).toContain('***');
    expect(shown).not.toContain('s3cret');
  }
});

test('the beginning of a key at the end of a text that may be cut is redacted', () => {
  const secrets = new Secrets();
  secrets.add('wk-test-0123456789');
  expect(secrets.redactCut('no such key: wk-test-0123')).toBe('no such key: ***');
  expect(secrets.redactCut(`no such key: ${btoa('wk-test-0123')}`)).toBe('no such key: ***');
  expect(secrets.redactCut('wk-test- is how keys begin, wk')).toBe('wk-test- is how keys begin, wk');
  expect(secrets.redact('keys begin with wk-test-')).toBe('keys begin with wk-test-');
});
