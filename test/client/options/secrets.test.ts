import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Secrets } from '../../../src/client/options/secrets.ts';
import { createClient, failureOf } from '../fixtures.ts';

const keys = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map(code => String.fromCharCode(code)),
  minLength: 8,
  maxLength: 60,
});

function escapeHtml(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': 'amp',
    '<': 'lt',
    '>': 'gt',
    '"': 'quot',
    "'": '#39',
    '/': '#x2F',
  };
  return text.replace(/[&<>"'/]/g, character => `&${names[character]};`);
}

const spellings: readonly ((key: string) => string)[] = [
  key => key,
  key => JSON.stringify(key).slice(1, -1),
  key => JSON.stringify(JSON.stringify(key)).slice(1, -1),
  key => Array.from(key, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  key =>
    Array.from(key, (character, at) =>
      at % 2 ? character : `\\u00${character.charCodeAt(0).toString(16).toUpperCase()}`,
    ).join(''),
  key => encodeURIComponent(key),
  key => encodeURIComponent(encodeURIComponent(key)),
  key => Array.from(key, character => `%${character.charCodeAt(0).toString(16)}`).join(''),
  key => Array.from(key, character => `\\x${character.charCodeAt(0).toString(16)}`).join(''),
  key => Array.from(key, character => `&#${character.charCodeAt(0)};`).join(''),
  key => Array.from(key, character => `&#X${character.charCodeAt(0).toString(16).padStart(4, '0')};`).join(''),
  escapeHtml,
  key => escapeHtml(escapeHtml(key)),
  key => btoa(key),
  key => btoa(`Bearer ${key}`),
  key => btoa(`user:${key}`),
  key => btoa(`ab${key}cd`).replaceAll('+', '-').replaceAll('/', '_'),
  key => encodeURIComponent(btoa(`Bearer ${key}`)),
];

/** The key, in whatever spelling, is nowhere in the text; nor is the part of its base64 that depends on it alone. */
function expectNone(text: string, key: string): void {
  for (const spell of spellings.slice(0, 13)) expect(text).not.toContain(spell(key));
  for (const offset of [0, 1, 2]) {
    const encoded = btoa('x'.repeat(offset) + key)
      .replaceAll('=', '')
      .slice(offset + 1, -1);
    expect(text).not.toContain(encoded);
    expect(text).not.toContain(encoded.replaceAll('+', '-').replaceAll('/', '_'));
  }
}

test('a key is cut out of a text in whatever spelling, and nothing else is touched', () => {
  fc.assert(
    fc.property(keys, fc.constantFrom(...spellings), fc.stringMatching(/^[ #]{0,5}$/), (key, spell, around) => {
      const secrets = new Secrets();
      secrets.add(key);
      const cleaned = secrets.clean(`${around}${spell(key)}${around}`);
      expectNone(cleaned, key);
      expect(cleaned.startsWith(around) && cleaned.includes('***')).toBe(true);
    }),
  );
});

test('of two keys of which one begins with the other nothing is left, and the last eight are remembered', () => {
  const secrets = new Secrets();
  secrets.add('key-one');
  secrets.add('key-one-and-more');
  expect(secrets.clean('key-one-and-more key-one')).toBe('*** ***');
  for (let count = 0; count < 8; count += 1) secrets.add(`other-${count}`);
  expect(secrets.clean('key-one other-0 other-7')).toBe('key-one *** ***');
});

test('what is too short to be a secret is left alone', () => {
  const secrets = new Secrets();
  secrets.add('k');
  expect(secrets.clean('a book')).toBe('a book');
});

test.each(['\\', '\\\\x5c', '%25', '&amp;', '&', '&#00', 'u00', 'x5c', 'k', 'a&', 'key-3f9a-secre'])(
  'a megabyte of %s is searched in a moment, whatever the key is',
  part => {
    for (const key of ['key-3f9a-secret', '&;&;&;&;', '\\abc\\d', 'a'.repeat(40)]) {
      const secrets = new Secrets();
      secrets.add(key);
      const text = part.repeat(1_000_000 / part.length);
      const began = performance.now();
      secrets.clean(text);
      expect(performance.now() - began).toBeLessThan(1_000);
    }
  },
);

test('a long body of backslashes and percent signs is cleaned in a moment', () => {
  const secrets = new Secrets();
  secrets.add('key-3f9a-secret');
  const began = performance.now();
  secrets.clean('\\'.repeat(500_000) + '%25'.repeat(100_000) + 'key-3f9a-secre'.repeat(50_000));
  expect(performance.now() - began).toBeLessThan(5_000);
});

test('whatever a server echoes, and wherever, no error and no line holds the key', async () => {
  await fc.assert(
    fc.asyncProperty(
      keys,
      fc.constantFrom(...spellings),
      fc.constantFrom(200, 204, 302, 304, 400, 401, 404, 429, 500, 503),
      fc.constantFrom('application/json', 'application/problem+json', 'text/html', 'text/plain', ''),
      fc.constantFrom('json', 'member', 'raw', 'cut', 'thrown', 'thrown deep'),
      async (key, spell, status, type, place) => {
        const echo = spell(key);
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
