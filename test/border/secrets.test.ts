import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor, formsOf, redactValue } from '../../src/border/secrets.ts';

/** Finds these texts in no other form. */
const createExact = (secrets: readonly string[]) => createRedactor(secrets, secret => (secret === '' ? [] : [secret]));
const redact = (secrets: readonly string[], text: string) => createRedactor(secrets).redact(text);

/** The output of a stream for the chunks. */
function show(redactor: ReturnType<typeof createRedactor>, chunks: readonly string[]): string {
  const stream = redactor.openStream();
  return chunks.map(chunk => stream.push(chunk)).join('') + stream.end();
}

/** Checks each place of the text separately. */
function redactSlowly(secrets: readonly string[], text: string): string {
  const isSecret = Array.from({ length: text.length }, (_, at) =>
    secrets.some(secret => {
      for (let start = Math.max(0, at - secret.length + 1); start <= at; start += 1)
        if (text.startsWith(secret, start)) return true;
      return false;
    }),
  );
  return Array.from({ length: text.length }, (_, at) =>
    isSecret[at] !== true ? text[at] : isSecret[at - 1] === true ? '' : '***',
  ).join('');
}

// Two letters, so that secrets overlap, contain each other and begin where others end.
const word = (minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom('a', 'b'), { minLength, maxLength }).map(letters => letters.join(''));

test('each secret and nothing else is redacted, however chunks split the text', () => {
  fc.assert(
    fc.property(fc.array(word(1, 7), { maxLength: 5 }), fc.array(word(0, 9), { maxLength: 6 }), (secrets, chunks) => {
      const text = chunks.join('');
      const redacted = redactSlowly(secrets, text);
      expect(createExact(secrets).redact(text)).toBe(redacted);
      expect(show(createExact(secrets), chunks)).toBe(redacted);
    }),
    { numRuns: 2000 },
  );
});

test('secrets that begin alike for long are redacted by the longest that fits', () => {
  const alike = fc
    .tuple(fc.integer({ min: 0, max: 24 }), word(0, 2))
    .map(([count, end]) => `${'a'.repeat(count)}${end}`);
  fc.assert(
    fc.property(fc.array(alike, { maxLength: 6 }), fc.array(alike, { maxLength: 8 }), (secrets, chunks) => {
      const text = chunks.join('');
      const redacted = redactSlowly(
        secrets.filter(secret => secret !== ''),
        text,
      );
      expect(createExact(secrets).redact(text)).toBe(redacted);
      expect(show(createExact(secrets), chunks)).toBe(redacted);
    }),
    { numRuns: 2000 },
  );
});

const pem = [
  '-----BEGIN PRIVATE KEY-----',
  'MC4CAQAwBQYDK2VwBCIEIA+/q83vEjRWeJq83vEjRWeJ',
  'q80SNFZ4mrw=',
  '-----END PRIVATE KEY-----',
  '',
].join('\n');
const json = JSON.stringify({ type: 'service', key: 'a+b/c d?e', id: '7' }, undefined, 2);

test.each([
  ['a plain key', 'sk-a_b+/=? "<&>\\ 123456'],
  ['a PEM key', pem],
  ['a JSON key', json],
])('%s is redacted in each usual encoding', (_, secret) => {
  const inJson = JSON.stringify(secret);
  const forms = [
    secret,
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
    Buffer.from(secret).toString('hex'),
    encodeURIComponent(secret),
    new URLSearchParams({ key: secret }).toString().slice(4),
    inJson.slice(1, -1),
    JSON.stringify(inJson).slice(3, -3),
    ...secret.split('\n').filter(line => line.trim().length >= 8),
  ];
  for (const form of forms) expect(redact([secret], `(${form.trim()})`)).toMatch(/^\(\*\*\*=*\)$/);
});

test('a key is redacted in HTML', () => {
  expect(redact(['sk-a"<&>123'], '<p>sk-a&quot;&lt;&amp;&gt;123</p>')).toBe('<p>***</p>');
});

test.each(['', 'u', 'me', 'user:', 'ä'])(
  'a key is redacted in the base64 and hex of a text that begins with %j',
  before => {
    const key = 'sk-live>>Zq83?hdKw92~Lm';
    for (const after of ['', '\n', '@x', ':12'])
      for (const encoding of ['base64', 'base64url', 'hex'] as const) {
        const shown = redact([key], Buffer.from(`${before}${key}${after}`).toString(encoding));
        expect(shown).toContain('***');
        // Less than one character of the key is left at either end.
        expect(Buffer.from(shown.split('***').join(''), encoding).toString()).not.toMatch(/sk|Lm/);
        expect(shown.length).toBeLessThan(Buffer.from(before + after).toString(encoding).length + 8);
      }
    const upper = Buffer.from(`${before}${key}`).toString('hex').toUpperCase();
    expect(redact([key], upper)).toMatch(/\*\*\*$/);
  },
);

test('a secret with several lines is redacted line by line', () => {
  expect(redact(['{\n"key": "a-long-value"\n}'], 'x {\n  "key": "a-long-value"\n} y')).toBe('x {\n  ***\n} y');
});

test('a line of a JSON key that reveals nothing redacts nothing', () => {
  const line = '{ "state": { "run": [] } }';
  expect([redact([json], line), redact([pem], line)]).toEqual([line, line]);
});

test('a short key is redacted whole, and its encodings only if they are long enough', () => {
  expect(formsOf('run')).toEqual(['run']);
  expect(redact(['run\n'], 'run it')).toBe('*** it');
  expect(new Set(formsOf('abcdef'))).toEqual(new Set(['616263646566', 'YWJjZGVm', 'abcdef']));
});

test('empty secrets and secrets of spaces redact nothing', () => {
  expect(redact(['', ' \n\t'], 'a b  c')).toBe('a b  c');
  expect(show(createRedactor([]), ['a', 'b'])).toBe('ab');
});

test('a lone surrogate in a key throws nothing', () => {
  expect(redact(['key-\ud83d-12345'], '(key-\ud83d-12345)')).toBe('(***)');
});

test('overlapping, adjacent and repeated secrets leave no part of themselves', () => {
  expect(redact(['abcdefgh', 'efghijkl'], '1abcdefghijkl2')).toBe('1***2');
  expect(redact(['aa'], 'baaab aaaa')).toBe('b***b ***');
  expect(redact(['tok', 'token-12'], 'token-12 tok')).toBe('*** ***');
});

test('names and strings of a JSON value are redacted', () => {
  const { redact } = createRedactor(['secret-0815']);
  expect(redactValue({ 'secret-0815': ['x secret-0815', 7, null] }, redact)).toEqual({ '***': ['x ***', 7, null] });
});

test('a stream shows text at once unless it may start a secret', () => {
  const stream = createExact(['abcab-1', 'ab']).openStream();
  const shown = ['xa', 'b', 'cab', 'cab-', '1', 'y'].map(chunk => stream.push(chunk));
  expect(shown).toEqual(['x', '', '', '***c', '***', 'y']);
  expect(stream.end()).toBe('');
});

test('a stream can be used again after its end', () => {
  const stream = createRedactor(['secret-0815']).openStream();
  expect([
    stream.push('secret-'),
    stream.end(),
    stream.push('0815'),
    stream.push('x secret-0815'),
    stream.end(),
  ]).toEqual(['', 'secret-', '0815', 'x ***', '']);
});

test('a secret of thousands of characters is redacted whole, wherever a stream is split', () => {
  const secret = Array.from({ length: 3001 }, (_, at) => String.fromCharCode(0x41 + ((at * at) % 26))).join('');
  const redactor = createRedactor([secret]);
  expect(redactor.redact(`a ${secret} ${btoa(secret)} b`)).toMatch(/^a \*\*\* \*\*\*=* b$/);
  for (const size of [1, 100, 257, 2999]) {
    const chunks = `a ${secret} b`.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
    expect(show(redactor, chunks)).toBe('a *** b');
  }
});

/** Limits are many times the usual duration, for busy machines. */
function measureMs(work: () => void): number {
  const startedMs = performance.now();
  work();
  return performance.now() - startedMs;
}

test('hundreds of secrets that begin like the output do not slow the redactor down', () => {
  const secrets = Array.from({ length: 244 }, (_, at) => `${'a'.repeat(at + 1)}b${'c'.repeat(253 - at)}`);
  const redactor = createRedactor(secrets);
  const text = 'a'.repeat(1000);
  const stream = redactor.openStream();
  const pushAll = () => {
    for (let count = 0; count < 4000; count += 1) stream.push(text);
  };
  expect(measureMs(pushAll)).toBeLessThan(6000);
});

test('output that almost matches the secrets does not slow the redactor down', () => {
  const secrets = Array.from({ length: 12 }, (_, at) => `sk-live-${`${at * 7919}-`.repeat(8)}${at}`);
  const redactor = createRedactor(secrets);
  const text = secrets
    .map(secret => secret.slice(0, -1))
    .join(' ')
    .repeat(8000);
  expect(measureMs(() => redactor.redact(text))).toBeLessThan(5000);
  expect(measureMs(() => show(redactor, text.match(/.{1,1000}/gs) ?? []))).toBeLessThan(5000);
});

test('a secret that starts at every place of a text does not block the redactor', () => {
  const half = 'a'.repeat(10_000);
  const redactor = createRedactor([`${half}b${half}`, `${half}c${half}`, 'aaaaaaaaaaaaaaaa']);
  expect(measureMs(() => expect(redactor.redact('a'.repeat(2_000_000))).toBe('***'))).toBeLessThan(10_000);
  const almost = `${'a'.repeat(15)}d`.repeat(100_000);
  expect(measureMs(() => expect(redactor.redact(almost)).toBe(almost))).toBeLessThan(10_000);
});

test('the longest secrets of one request do not block the redactor', () => {
  const secrets = ['a', 'b'].map(letter => Array.from({ length: 8000 }, (_, at) => `${letter}${at % 997}`).join(''));
  let redactor = createRedactor([]);
  expect(measureMs(() => (redactor = createRedactor(secrets)))).toBeLessThan(1500);
  expect(measureMs(() => expect(redactor.redact(`x ${secrets[1]}`)).toBe('x ***'))).toBeLessThan(1000);
});

test('thousands of secrets do not block the redactor', () => {
  const secrets = Array.from({ length: 5000 }, (_, index) => `${'k'.repeat(index % 50)}-${index}-${'x'.repeat(50)}`);
  const { redact } = createRedactor(secrets);
  const text = `${'kkkk-12-x '.repeat(200_000)}${secrets[4999]}`;
  expect(measureMs(() => expect(redact(text).endsWith('kkkk-12-x ***')).toBe(true))).toBeLessThan(10_000);
});
