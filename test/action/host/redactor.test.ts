import { expect, test } from 'vitest';
import { createRedactor } from '../../../src/action/host/redactor.ts';

function redact(secrets: readonly string[], text: string): string {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor.redact(text);
}

test('a secret is gone in each form in which it may be echoed', () => {
  const secret = 'sk-a_b+/=? "<&>\\ 123456';
  const forms = [
    secret,
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
    encodeURIComponent(secret),
    new URLSearchParams({ key: secret }).toString().slice(4),
    JSON.stringify(secret),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ];
  for (const form of forms) expect(redact([secret], `(${form})`)).toMatch(/^\("?\*\*\*=*"?\)$/);
});

test('a secret of several lines is gone line by line', () => {
  expect(redact(['{\n"key": "a-long-value"\n}'], 'x {\n  "key": "a-long-value"\n} y')).toBe('x {\n  ***\n} y');
});

test('secrets that overlap, touch or repeat leave nothing of themselves', () => {
  expect(redact(['abcdefgh', 'efghijkl'], '1abcdefghijkl2')).toBe('1***2');
  expect(redact(['aa'], 'baaab aaaa')).toBe('b***b ***');
  expect(redact(['tok', 'token-12'], 'token-12 tok')).toBe('*** ***');
});

test('what holds no secret stays as it is', () => {
  expect(redact([], 'a')).toBe('a');
  expect(redact(['', '  ', 'abcdefgh'], 'a b  c')).toBe('a b  c');
});

test('a long text takes time by its length, however often the secret is in it', () => {
  const startedAt = performance.now();
  expect(redact(['aaaaaaaaaaaaaaaa', 'b'], 'a'.repeat(4_000_000))).toBe('***');
  expect(redact(['b'], 'ab'.repeat(1_000_000)).length).toBe(4_000_000);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test('a text that begins a secret at every place takes no longer', () => {
  const half = 'a'.repeat(10_000);
  const text = 'a'.repeat(2_000_000);
  const startedAt = performance.now();
  expect(redact([`${half}b${half}`, `${half}c${half}`], text)).toBe(text);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test('forms that were told already are not told again', () => {
  const redactor = createRedactor();
  expect(redactor.add('one-secret').length).toBeGreaterThan(0);
  expect(redactor.add('one-secret')).toEqual([]);
});
