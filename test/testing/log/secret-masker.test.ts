import { expect, test } from 'vitest';
import { SecretMasker } from '../../../src/testing/log/secret-masker.ts';

const maskerOf = (...secrets: readonly string[]) => {
  const masker = new SecretMasker();
  for (const secret of secrets) masker.add(secret);
  return masker;
};

test('a secret is hidden at every place, also at the start and the end', () => {
  expect(maskerOf('key').mask('key and key, keykey')).toBe('*** and ***, ***');
});

test('secrets that overlap or touch leave no part of either, nor does one that overlaps itself', () => {
  expect(maskerOf('aa').mask('baaab')).toBe('b***b');
  expect(maskerOf('abc', 'cde', 'xyz').mask('1abcde2 abcxyz')).toBe('1***2 ***');
});

test('a longer secret is hidden whole when a shorter one is its beginning', () => {
  expect(maskerOf('tok', 'token-1').mask('token-1 tok')).toBe('*** ***');
});

test('each line of a secret is hidden by itself, without the blanks around it', () => {
  expect(maskerOf('-----BEGIN\n  bGluZQ==\r\n-----END').mask('got bGluZQ== there')).toBe('got *** there');
});

test('a blank value hides nothing', () => {
  expect(maskerOf('', ' \n ').mask('a b\n c')).toBe('a b\n c');
});
