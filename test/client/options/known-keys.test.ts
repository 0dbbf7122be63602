import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ConnectionError } from '../../../src/client/index.ts';
import { KnownKeys } from '../../../src/client/options/known-keys.ts';
import { apiKey, createClient, failureOf } from '../fixtures.ts';

const baseUrl = 'https://a.example.com';

test('a key that starts with another is redacted whole, and the last eight are remembered', () => {
  const keys = new KnownKeys();
  keys.add('key-one');
  keys.add('key-one-and-more');
  expect(keys.redact('key-one-and-more key-one')).toBe('*** ***');
  for (let count = 0; count < 8; count += 1) keys.add(`other-${count}`);
  expect(keys.redact('key-one other-0 other-7')).toBe('key-one *** ***');
});

test('a value too short for a secret is not redacted', () => {
  const keys = new KnownKeys();
  keys.add('k');
  expect(keys.redact('a book')).toBe('a book');
});

test('a key in use is not forgotten for newer ones', () => {
  const keys = new KnownKeys();
  for (let count = 0; count < 20; count += 1) {
    keys.add('the-key-in-use');
    keys.add(`key-of-one-call-${count}`);
  }
  expect(keys.redact('the-key-in-use key-of-one-call-19 key-of-one-call-1')).toBe('*** *** key-of-one-call-1');
});

test('no error and no log line contains a key that a server or fetch repeats', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.stringMatching(/^[\w.-]{8,60}$/),
      fc.constantFrom(200, 302, 400, 401, 404, 429, 500, 503),
      fc.constantFrom('application/json', 'application/problem+json', 'text/html', ''),
      fc.constantFrom('json', 'raw', 'cut', 'thrown', 'thrown deep'),
      async (key, status, type, place) => {
        const bodies: Record<string, string> = {
          json: JSON.stringify({ type: `x/${key}`, detail: `bad ${key}`, issues: [{ path: key, message: key }] }),
          raw: `<p>${key}</p>`,
          cut: `{"detail": "${key}`,
        };
        const fetch = async () => {
          const fault = new Error(`refused ${key}`, { cause: new Error(`inner ${key}`) });
          if (place === 'thrown') throw fault;
          if (place === 'thrown deep') throw new TypeError('fetch failed', { cause: fault });
          const headers = { 'x-request-id': key, 'x-echo': key, location: `${baseUrl}/${key}` };
          return new Response(bodies[place], {
            status,
            headers: type === '' ? headers : { ...headers, 'content-type': type },
          });
        };
        const { client, lines } = createClient(baseUrl, { apiKey: key, fetch, maxRetries: 1 });
        const error = await failureOf(client.runs.retrieve('some-run'));
        const headers = JSON.stringify([...((error as { headers?: Headers }).headers ?? [])]);
        const shown = [JSON.stringify(error), inspect(error, { depth: 10 }), headers, ...lines].join('\n');
        expect(shown).not.toContain(key);
      },
    ),
    { numRuns: 100 },
  );
});

test('an error keeps the rest of a body that contains the key', async () => {
  const body = { type: 'x/invalid_request', detail: `the key ${apiKey} is bad`, list: [apiKey, 5] };
  const fetch = async () =>
    Response.json(body, { status: 400, headers: { 'X-Kept': 'yes', 'X-Mirror': `Bearer ${apiKey}` } });
  const { client } = createClient(baseUrl, { fetch });
  const error = (await failureOf(client.runs.retrieve('some-run'))) as { headers: Headers; body: unknown };
  expect(error).toMatchObject({ code: 'invalid_request', detail: 'the key *** is bad', body: { list: ['***', 5] } });
  expect([error.headers.get('x-kept'), error.headers.get('x-mirror')]).toEqual(['yes', 'Bearer ***']);
});

test('a redacted error keeps its message, name, code and stack, and those of its causes', async () => {
  const fetch = async () => {
    const inner = Object.assign(new Error(`no answer for Bearer ${apiKey}`), { code: 'ECONNRESET' });
    throw new TypeError('fetch failed', { cause: inner });
  };
  const { client } = createClient(baseUrl, { fetch, maxRetries: 0 });
  const { cause, fault } = (await failureOf(client.runs.retrieve('some-run'))) as ConnectionError;
  expect(fault).toBe('closed');
  expect(cause).toMatchObject({ name: 'TypeError', message: 'fetch failed' });
  expect((cause as Error).stack).toMatch(/known-keys\.test\.ts/);
  expect((cause as Error).cause).toMatchObject({ message: 'no answer for Bearer ***', code: 'ECONNRESET' });
});

test('an error without the key is passed on unchanged', async () => {
  const thrown = new TypeError('fetch failed', { cause: Object.assign(new Error('read'), { code: 'ECONNRESET' }) });
  const { client } = createClient(baseUrl, { fetch: () => Promise.reject(thrown), maxRetries: 0 });
  expect(((await failureOf(client.runs.retrieve('some-run'))) as ConnectionError).cause).toBe(thrown);
});

test.each(['authorization', 'Authorization', 'X-Api-Key'])(
  'a key in the header %s of the client or a call is redacted too',
  async name => {
    const fetch = async (_url: string, init: RequestInit) =>
      Response.json({ error: `bad ${JSON.stringify(init.headers)}` }, { status: 403 });
    const { client } = createClient(baseUrl, { fetch });
    const headers = { [name]: 'Bearer s3cret-of-a-header' };
    for (const [caller, own] of [
      [client.withOptions({ defaultHeaders: headers }), {}],
      [client, headers],
    ] as const) {
      const shown = inspect(await failureOf(caller.runs.retrieve('some-run', { headers: own })), { depth: 10 });
      expect(shown).toContain('***');
      expect(shown).not.toContain('s3cret');
    }
  },
);
