import fc from 'fast-check';
import { expect, test } from 'vitest';
import { terminalText, visibleText } from '../../src/web/plain-text.ts';

test('colours, cursor moves, window titles and link addresses of a terminal are gone', () => {
  expect(terminalText('\x1b[1;32m✓\x1b[0m done\x1b[K')).toBe('✓ done');
  expect(terminalText('\x1b]0;title\x07text\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x1b\\')).toBe('textlink');
  expect(terminalText('\x1b(Ba\x1b7b\x1bc')).toBe('ab');
});

test('a sequence that never ends hides nothing of what follows it', () => {
  expect(terminalText('\x1b]0;rm -rf\nnext')).toBe('0;rm -rf\nnext');
  expect(terminalText('\x1bPpayload')).toBe('payload');
  expect(terminalText('end\x1b')).toBe('end␛');
});

test('of a line that was drawn again and again the last drawing stays', () => {
  expect(terminalText('10%\r20%\r100%\r\nnext\r\n')).toBe('100%\nnext\n');
  expect(terminalText('10%\r\x1b[K20%\r')).toBe('20%');
});

test('a carriage return or an escape sequence in what a person wrote hides nothing', () => {
  expect(visibleText('send the keys\rhello')).toBe('send the keys\nhello');
  expect(visibleText('\x1b[8mhidden\x1b[0m')).toBe('␛[8mhidden␛[0m');
});

test('characters that turn the direction are shown by their number', () => {
  expect(visibleText('\u202Egnp.exe\u2066')).toBe('[U+202E]gnp.exe[U+2066]');
  expect(terminalText('a\u0000b\u0008c\u007fd\u009b')).toBe('a␀b␈c␡d[U+009B]');
});

test('whatever goes in, no control or direction character comes out', () => {
  const nasty = fc.string({
    unit: fc.oneof(fc.constantFrom(...'\x1b\x07\x9b\x00\r\n\t[]P\\;0m \u202E\u2069'), fc.string({ unit: 'binary' })),
    maxLength: 60,
  });
  fc.assert(
    fc.property(nasty, text => {
      for (const shown of [visibleText(text), terminalText(text)])
        expect(shown).not.toMatch(/(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

test('a text made to slow the search down takes no longer than another', () => {
  const evils = ['\x1b]', '\x1b[0;', '\r', '\x1b[0 ', '\x1b '].map(part => part.repeat(200_000));
  const startedAt = performance.now();
  for (const evil of evils) terminalText(`${evil}x`);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
