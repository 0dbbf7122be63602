import fc from 'fast-check';
import { expect, test } from 'vitest';
import { revealControls, terminalJson, terminalLine, terminalText } from '../../src/border/terminal-text.ts';

const nasty = fc.string({
  unit: fc.oneof(fc.constantFrom(...'\x1b\x07\x9b\x00\r\n\t[]P\\;0m \u202E\u2069'), fc.string({ unit: 'binary' })),
  maxLength: 60,
});

test('terminal text has no control characters except tabs and line feeds', () => {
  fc.assert(
    fc.property(nasty, text => {
      expect(terminalText(text)).not.toMatch(/(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      expect(revealControls(text)).not.toMatch(/(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      expect(terminalLine(text)).not.toMatch(/(?!\t)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

test('JSON for a terminal is equivalent and has no control characters', () => {
  fc.assert(
    fc.property(nasty, text => {
      const shown = terminalJson({ text });
      expect(shown).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      expect(JSON.parse(shown)).toEqual({ text });
    }),
  );
});

test('colors, titles, links and overdrawn text are removed, words stay', () => {
  expect(terminalText('\x1b[1;32m✓\x1b[0m done\x1b[K')).toBe('✓ done');
  expect(terminalText('\x1b]0;title\x07text\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x1b\\')).toBe('textlink');
  expect(terminalText('10%\r20%\r100%\r\nnext\r\n')).toBe('100%\nnext\n');
});

test('one line keeps overdrawn text, so nothing can be hidden', () => {
  expect(terminalLine('send the keys\rhello\nthere\n')).toBe('send the keys hello there');
});

test('an unterminated sequence hides nothing after it', () => {
  expect(terminalText('\x1b]0;rm -rf\nnext')).toBe('0;rm -rf\nnext');
  expect(terminalText('\x1bPpayload')).toBe('payload');
});

test("a person's text is shown in full", () => {
  expect(revealControls('send the keys\rhello')).toBe('send the keys\nhello');
  expect(revealControls('\x1b[8mhidden\x1b[0m')).toBe('␛[8mhidden␛[0m');
  expect(revealControls('\u202Egnp.exe\u2066')).toBe('[U+202E]gnp.exe[U+2066]');
  expect(revealControls('a\u0000b\u0008c\u007fd\u009b')).toBe('a␀b␈c␡d[U+009B]');
});
