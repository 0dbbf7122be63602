import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  tailOfTerminalText,
  terminalJson,
  terminalLine,
  terminalText,
  withoutEscapes,
} from '../../src/base/terminal-text.ts';

const nasty = fc.string({
  unit: fc.oneof(fc.constantFrom(...'\x1b\x07\x9b\x00\r\n\t[]P\\;0m \u202E\u2069'), fc.string({ unit: 'binary' })),
  maxLength: 60,
});

test('whatever goes in, a terminal gets nothing to obey but tabs and ends of lines', () => {
  fc.assert(
    fc.property(nasty, text => {
      expect(terminalText(text)).not.toMatch(/(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      expect(terminalLine(text)).not.toMatch(/(?!\t)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

test('JSON for a terminal means the same and holds nothing to obey', () => {
  fc.assert(
    fc.property(nasty, text => {
      const shown = terminalJson({ text });
      expect(shown).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      expect(JSON.parse(shown)).toEqual({ text });
    }),
  );
});

test('colours, titles, links and what was drawn over are gone; words stay', () => {
  expect(terminalText('\x1b[1;32m✓\x1b[0m done\x1b[K')).toBe('✓ done');
  expect(terminalText('\x1b]0;title\x07text\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x1b\\')).toBe('textlink');
  expect(terminalText('10%\r20%\r100%\r\nnext\r\n')).toBe('100%\nnext\n');
});

test('in one line nothing is drawn over, so that nothing said can be hidden', () => {
  expect(terminalLine('send the keys\rhello\nthere\n')).toBe('send the keys hello there');
});

test.each([
  ['\x1b[38;2;250;100;100m', 'colours'],
  ['\x1b]8;;https://example.com/\x07', 'a link'],
  ['\x1b]8;;https://example.com/\x1b\\', 'a link with the other end'],
  ['\x1b(B', 'a set of characters'],
])('an end that begins within %j begins behind it', sequence => {
  const text = `${'é'.repeat(9)}${sequence}red\n${sequence}`;
  for (let bytes = 0; bytes <= Buffer.byteLength(text); bytes += 1) {
    const end = tailOfTerminalText(text, bytes);
    expect(text.endsWith(end)).toBe(true);
    expect(withoutEscapes(text)).toContain(withoutEscapes(end));
    // No more is left out than the sequence and a character.
    expect(bytes - Buffer.byteLength(end)).toBeLessThan(sequence.length + 2);
  }
});

test.each(['\x1b', '\x1b[0', '\x1b]', '\x1b[0m'])('of %j, however often, the end is found in one go', unit => {
  const text = unit.repeat(5_000_000 / unit.length);
  const began = performance.now();
  tailOfTerminalText(text, 4_000_000);
  expect(performance.now() - began).toBeLessThan(2000);
});
