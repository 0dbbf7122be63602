import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSecretHider } from '../../src/base/secret-hider.ts';

/** What a stream shows of pieces, one after another, and at its end. */
function show(secrets: readonly string[], pieces: readonly string[]): string {
  const stream = createSecretHider(secrets).openStream();
  return pieces.map(piece => stream.push(piece)).join('') + stream.end();
}

/** Each place looked at by itself. */
function hideSlowly(secrets: readonly string[], text: string): string {
  const isHidden = Array.from({ length: text.length }, (_, at) =>
    secrets.some(secret => {
      for (let start = Math.max(0, at - secret.length + 1); start <= at; start += 1)
        if (text.startsWith(secret, start)) return true;
      return false;
    }),
  );
  return Array.from({ length: text.length }, (_, at) =>
    isHidden[at] !== true ? text[at] : isHidden[at - 1] === true ? '' : '***',
  ).join('');
}

// Of two letters, so that secrets overlap, hold each other and begin as others end.
const word = (minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom('a', 'b'), { minLength, maxLength }).map(letters => letters.join(''));

test('each place of each secret is hidden, and nothing else, however the text is cut into pieces', () => {
  fc.assert(
    fc.property(fc.array(word(1, 7), { maxLength: 5 }), fc.array(word(0, 9), { maxLength: 6 }), (secrets, pieces) => {
      const text = pieces.join('');
      const hidden = hideSlowly(secrets, text);
      expect(createSecretHider(secrets).hide(text)).toBe(hidden);
      expect(show(secrets, pieces)).toBe(hidden);
    }),
    { numRuns: 2000 },
  );
});

test('a stream shows at once what can be no beginning of a secret', () => {
  const stream = createSecretHider(['abcab-1', 'ab']).openStream();
  const shown = ['xa', 'b', 'cab', 'cab-', '1', 'y'].map(piece => stream.push(piece));
  expect(shown).toEqual(['x', '', '', '***c', '***', 'y']);
  expect(stream.end()).toBe('');
});

test('after its end a stream begins anew', () => {
  const stream = createSecretHider(['secret-0815']).openStream();
  expect([
    stream.push('secret-'),
    stream.end(),
    stream.push('0815'),
    stream.push('x secret-0815'),
    stream.end(),
  ]).toEqual(['', 'secret-', '0815', 'x ***', '']);
});

test('without secrets, or with an empty one, everything is shown', () => {
  expect(show([], ['a', 'b'])).toBe('ab');
  expect(show([''], ['a', 'b'])).toBe('ab');
});

test('secrets that begin alike, at every place of the text, do not make it stand still', () => {
  const half = 'a'.repeat(10_000);
  const hider = createSecretHider([`${half}b${half}`, `${half}c${half}`]);
  const text = 'a'.repeat(2_000_000);
  const startedAt = performance.now();
  expect(hider.hide(text)).toBe(text);
  const stream = hider.openStream();
  let shown = '';
  for (let at = 0; at < text.length; at += 16_384) shown += stream.push(text.slice(at, at + 16_384));
  expect(shown + stream.end()).toBe(text);
  // Looking at each place anew takes minutes.
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test('thousands of secrets, longer together than a pattern may be, cost no more', () => {
  const secrets = Array.from({ length: 5000 }, (_, index) => `${'k'.repeat(index % 50)}-${index}-${'x'.repeat(50)}`);
  const hider = createSecretHider(secrets);
  const startedAt = performance.now();
  expect(hider.hide(`${'kkkk-12-x '.repeat(200_000)}${secrets[4999]}`).endsWith('kkkk-12-x ***')).toBe(true);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
