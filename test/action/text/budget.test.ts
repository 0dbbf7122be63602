import fc from 'fast-check';
import { expect, test } from 'vitest';
import { budgets, keepHead, keepTail, measureText, type Surface } from '../../../src/action/text/budget.ts';

const surface = fc.constantFrom(...(Object.keys(budgets) as Surface[]));
/** Characters of one to four bytes, with line ends. */
const anyText = fc
  .array(fc.constantFrom('a', 'é', '€', '😀', '👨‍👩‍👧', '\n', 'word ', 'x'.repeat(40)), { maxLength: 60 })
  .map(pieces => pieces.join(''));
const room = fc.integer({ min: 0, max: 400 });

test.each(Object.entries(budgets))('our share of %s is below its limit', (_name, { limit, max }) => {
  expect(max).toBeLessThan(limit);
});

test('a cut text never exceeds its room and never has half a character', () => {
  fc.assert(
    fc.property(anyText, surface, room, (text, on, size) => {
      for (const cut of [
        keepHead(text, { surface: on, room: size }),
        keepTail(text, { surface: on, room: size }),
        keepTail(text, { surface: on, room: size, where: 'the whole is in the file /tmp/result.md' }),
        keepTail(text, { surface: on, room: size, missingBytes: 12 }),
      ]) {
        expect(measureText(cut, on)).toBeLessThanOrEqual(size);
        expect(cut.isWellFormed()).toBe(true);
      }
    }),
  );
});

test('a text that fits is unchanged', () => {
  fc.assert(
    fc.property(anyText, surface, (text, on) => {
      const exact = { surface: on, room: measureText(text, on) };
      expect(keepHead(text, exact)).toBe(text);
      expect(keepTail(text, exact)).toBe(text);
    }),
  );
});

test('a cut text keeps its end below a line with the exact size of the rest', () => {
  fc.assert(
    fc.property(anyText, surface, room, (text, on, size) => {
      const cut = keepTail(text, { surface: on, room: size });
      const [, count, tail] = /^\(the first (\d+) (?:bytes|characters) are left out\)\n(.*)$/s.exec(cut) ?? [];
      if (count === undefined || tail === undefined) {
        expect(text.endsWith(cut)).toBe(true);
        return;
      }
      expect(text.endsWith(tail)).toBe(true);
      expect(Number(count) + measureText(tail, on)).toBe(measureText(text, on));
    }),
  );
});

test('bytes missing before the text are added to the cut on every surface and noted without one', () => {
  fc.assert(
    fc.property(anyText, surface, room, fc.integer({ min: 1, max: 1e9 }), (text, on, size, missingBytes) => {
      const cut = keepTail(text, { surface: on, room: size, missingBytes });
      const [, count, tail = ''] = /^\(the first (\d+) bytes are left out\)\n(.*)$/s.exec(cut) ?? [];
      if (count === undefined) expect(text.endsWith(cut)).toBe(true);
      else expect(Number(count) + Buffer.byteLength(tail)).toBe(missingBytes + Buffer.byteLength(text));
    }),
  );
  expect(keepTail('the end', { surface: 'comment', missingBytes: 5 })).toBe(
    '(the first 5 bytes are left out)\nthe end',
  );
});

test('the start of a sentence stays, as much of it as fits', () => {
  expect(keepHead('a long sentence', { surface: 'comment', room: 7 })).toBe('a long…');
  expect(keepHead('a long sentence', { surface: 'summary', room: 9 })).toBe('a long…');
  expect(keepHead('😀😀😀', { surface: 'comment', room: 4 })).toBe('😀…');
});

test("a surface's room counts in its own unit", () => {
  const emoji = '😀'.repeat(300_000);
  expect(measureText(emoji, 'outputs')).toBe(600_000);
  expect(measureText(emoji, 'summary')).toBe(1_200_000);
  expect(Buffer.byteLength(keepTail(emoji, { surface: 'result' }))).toBeLessThanOrEqual(64 * 1024);
  expect(keepTail('x'.repeat(1_100_000), { surface: 'outputs' }).length).toBeGreaterThan(299_990);
});

test('the line about the cut says where the whole is, and the rest begins with a line', () => {
  const text = Array.from({ length: 1000 }, (_, index) => `line ${index}`).join('\n');
  const cut = keepTail(text, { surface: 'comment', room: 300, where: 'the whole is in the file /tmp/result.md' });
  expect(cut).toMatch(
    /^\(the first \d+ characters are left out; the whole is in the file \/tmp\/result\.md\)\nline \d+\n/,
  );
  expect(cut.endsWith('line 999')).toBe(true);
});
