import { expect, test } from 'vitest';
import { createMasks, isSecretVariable } from '../../../src/action/host/masks.ts';
import { SecretMasker } from '../../../src/testing/log/secret-masker.ts';

const pem = [
  '-----BEGIN PRIVATE KEY-----',
  'MC4CAQAwBQYDK2VwBCIEIA+/q83vEjRWeJq83vEjRWeJ',
  'q80SNFZ4mrw=',
  '-----END PRIVATE KEY-----',
  '',
].join('\n');
const json = JSON.stringify({ type: 'service', key: 'a+b/c d?e', id: '7' }, undefined, 2);

const masksOf = (secret: string) => createMasks().add(secret);

/** The runner's output of a text after masking the secret. */
function show(secret: string, text: string): string {
  const masker = new SecretMasker();
  for (const mask of masksOf(secret)) masker.add(mask);
  return masker.mask(text);
}

test.each([
  ['a plain key', 'sk-abc+/=? 123456'],
  ['a PEM key', pem],
  ['a JSON key', json],
])('%s is masked in every form in which it may be echoed', (_, secret) => {
  const forms = [
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
    encodeURIComponent(secret),
    new URLSearchParams({ key: secret }).toString().slice(4),
    ...secret.split('\n').filter(line => line.trim().length >= 8),
  ];
  for (const form of forms) expect(show(secret, `<${form.trim()}>`)).toMatch(/^<\*\*\*=*>$/);
});

test.each(['', 'u', 'me', 'user:', '\u00e4'])(
  'a key is masked in the base64 and hex of a text that begins with %j',
  before => {
    const key = 'sk-live>>Zq83?hdKw92~Lm';
    for (const after of ['', '\n', '@x', ':12'])
      for (const encoding of ['base64', 'base64url', 'hex'] as const) {
        const text = Buffer.from(`${before}${key}${after}`).toString(encoding);
        const shown = show(key, text);
        expect(shown).toContain('***');
        // Less than one character of the key is left at either end.
        expect(Buffer.from(shown.split('***').join(''), encoding).toString()).not.toMatch(/sk|Lm/);
        expect(shown.length).toBeLessThan(Buffer.from(before + after).toString(encoding).length + 8);
      }
    const upper = Buffer.from(`${before}${key}`).toString('hex').toUpperCase();
    expect(show(key, upper)).toMatch(/\*\*\*$/);
  },
);

test('a trivial line of a JSON key does not mask anything', () => {
  const line = '{ "state": { "run": [] } }';
  expect(show(json, line)).toBe(line);
  expect(show(pem, line)).toBe(line);
});

test('a one-line key is always masked whole, and its encoded forms only if they are long enough', () => {
  expect(masksOf('run')).toEqual(['run']);
  expect(new Set(masksOf('abcdef'))).toEqual(new Set(['616263646566', 'YWJjZGVm', 'abcdef']));
});

test('whitespace masks nothing', () => {
  expect([masksOf(''), masksOf(' \n\t')]).toEqual([[], []]);
});

test('half of a surrogate pair in a key is masked and throws nothing', () => {
  expect(masksOf('key-\ud83d-12345')).toContain('key-\ud83d-12345');
});

test('a text is redacted of all added secrets, and each is reported once', () => {
  const { add, redact } = createMasks();
  expect(add('one-secret').length).toBeGreaterThan(0);
  expect(redact('one-secret, other-secret')).toBe('***, other-secret');
  expect(add('one-secret')).toEqual([]);
  add('other-secret');
  expect(redact('one-secret, other-secret')).toBe('***, ***');
});

test.each([
  ['MODEL_API_KEY', '12345678', true],
  ['GH_TOKEN', '12345678', true],
  ['db_password', '12345678', true],
  ['MODEL_API_KEY', '1234567', false],
  ['SETTING', 'x'.repeat(16), true],
  ['SETTING', 'x'.repeat(15), false],
  ['VERBOSE', 'true', false],
  ['MODEL', 'some-large-model-2030-01-01', false],
  ['GIT_AUTHOR_NAME', 'octo-cat', false],
  ['GITHUB_REPOSITORY', 'octo-org/shopping-cart', false],
  ['RUNNER_WORKSPACE', '/w/octo-org/shopping-cart', false],
  ['GITHUB_TOKEN', 'ghs_0123456789abcdef', true],
])('whether %s=%s is a secret: %s', (name, value, expected) => {
  expect(isSecretVariable(name, value)).toBe(expected);
});
