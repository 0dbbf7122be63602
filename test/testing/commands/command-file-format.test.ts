import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CommandFileError, parsePairs, parsePaths } from '../../../src/testing/commands/command-file-format.ts';

const read = (text: string, crlf = false) => [...parsePairs(text, { crlf })];

test('a value keeps all equals signs and angle brackets after the first equals sign', () => {
  expect(read('a=b=c<<d\n\nempty=\n')).toEqual([
    ['a', 'b=c<<d'],
    ['empty', ''],
  ]);
});

test('a block with an equals sign after its angle brackets is a block', () => {
  expect(read('name<<E=F\nvalue\nE=F\n')).toEqual([['name', 'value']]);
});

test('a block keeps inner line breaks and spaces, without the last line break', () => {
  expect(read('a<<E\n  one \n\ntwo\n\nE\nb<<E\nE\n')).toEqual([
    ['a', '  one \n\ntwo\n'],
    ['b', ''],
  ]);
});

test('the delimiter ends a block only as a whole line, with or without a line break', () => {
  expect(read('a<<E\nE \n E\nEE\nE')).toEqual([['a', 'E \n E\nEE']]);
});

test('text after a delimiter inside a value is parsed as further pairs', () => {
  expect(read('result<<EOF\nok\nEOF\nconclusion=succeeded\nEOF<<x\n\nx\n')).toEqual([
    ['result', 'ok'],
    ['conclusion', 'succeeded'],
    ['EOF', ''],
  ]);
});

test('CRLF belongs to the value where lines end with LF, and to the line on Windows', () => {
  expect(read('a=1\r\nb<<E\r\nx\r\ny\r\nE\r\n')).toEqual([
    ['a', '1\r'],
    ['b', 'x\r\ny\r'],
  ]);
  expect(read('a=1\r\nb<<E\r\nx\r\ny\nz\r\nE\r\n', true)).toEqual([
    ['a', '1'],
    ['b', 'x\r\ny\nz'],
  ]);
});

test.each([
  ['a<<EOF\nvalue\n', "Invalid value. Matching delimiter not found 'EOF'"],
  ['a<<EOF\n', "Invalid value. Matching delimiter not found 'EOF'"],
  ['a<<EOF\nvalue', 'Invalid value. EOF marker missing new line.'],
  ['plain words\n', "Invalid format 'plain words'"],
  ['<<EOF\nx\nEOF\n', "Invalid format '<<EOF'. Name must not be empty and delimiter must not be empty"],
  ['a<<\nx\n', "Invalid format 'a<<'. Name must not be empty and delimiter must not be empty"],
])('%j is refused in the words of the real runner', (text, message) => {
  expect(() => read(text)).toThrow(new CommandFileError(message));
});

test('pairs before a fault are handed out', () => {
  const pairs = parsePairs('good=1\nbad\n', { crlf: false });
  expect(pairs.next().value).toEqual(['good', '1']);
  expect(() => pairs.next()).toThrow(CommandFileError);
});

test('any value is unchanged if its delimiter does not occur in it', () => {
  const name = fc.stringMatching(/^[a-z_]{1,8}$/);
  const value = fc.string({ unit: fc.constantFrom('a', '=', '<', '\n', '\r', ' ', '%', 'ü', '😀', '\u2028') });
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value)), fc.boolean(), (pairs, crlf) => {
      const end = crlf ? '\r\n' : '\n';
      const text = pairs.map(([key, content]) => `${key}<<ghd_1${end}${content}${end}ghd_1${end}`).join('');
      expect(read(text, crlf)).toEqual(pairs);
    }),
  );
});

test('paths are lines that are not empty', () => {
  expect(parsePaths('/a\n\n/b c\r\n/d')).toEqual(['/a', '/b c', '/d']);
});
