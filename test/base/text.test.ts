import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../src/base/json.ts';
import { ellipsis, firstLine, headOfUtf8, lastLines, tailOfUtf8 } from '../../src/base/text.ts';
import { didYouMean, nearest } from '../../src/base/wording/nearest.ts';

test('a cut text fits, is one end of the whole and never splits a character', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }).filter(text => !text.includes('\uFFFD')),
      fc.nat(40),
      (text, max) => {
        for (const [cut, fits] of [
          [headOfUtf8(text, max), text.startsWith(headOfUtf8(text, max))],
          [tailOfUtf8(text, max), text.endsWith(tailOfUtf8(text, max))],
        ] as const) {
          expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(max);
          expect(fits).toBe(true);
          expect(cut).not.toContain('\uFFFD');
        }
      },
    ),
  );
});

test('firstLine and lastLines skip empty lines, ellipsis cuts by code points', () => {
  expect(firstLine('\n  \r\n  Fix it \nnow')).toBe('Fix it');
  expect(firstLine(' \n')).toBe('');
  expect(lastLines('a\n\nb\r\nc\n', 2)).toEqual(['b', 'c']);
  expect(ellipsis('😀😀😀', 3)).toBe('😀😀😀');
  expect(ellipsis('😀😀😀😀', 3)).toBe('😀😀…');
});

test('the nearest known word is one typo away, not any word', () => {
  expect(nearest('concurency', ['concurrency', 'run_minutes'])).toBe('concurrency');
  // Two swapped letters are one typo.
  expect(nearest('lits', ['logs', 'list'])).toBe('list');
  expect(nearest('zebra', ['concurrency', 'run_minutes'])).toBeUndefined();
  expect(nearest('on', ['auto', 'off'])).toBeUndefined();
  expect(nearest('dangerouslyAllowBrowser', ['allowHttp', 'allowBrowser'])).toBe('allowBrowser');
  expect(didYouMean('promt', ['prompt'])).toBe('. Did you mean "prompt"?');
});

test('objects with equal members have the same canonical JSON', () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe(canonicalJson({ a: null, b: [{ c: 2, d: 1 }] }));
  expect(canonicalJson({ a: [1, 2] })).not.toBe(canonicalJson({ a: [2, 1] }));
});
