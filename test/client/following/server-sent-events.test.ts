import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServerSentEventParser } from '../../../src/client/following/server-sent-events.ts';

const read = (...pieces: readonly string[]) => {
  const parser = new ServerSentEventParser();
  return pieces.flatMap(piece => parser.read(piece));
};

test.each<[string, string, readonly (readonly [string, string])[]]>([
  ['one line of data', 'id: 1\ndata: a\n\n', [['1', 'a']]],
  ['several lines of data', 'data: a\ndata:b\ndata\n\n', [['', 'a\nb\n']]],
  ['one blank after the colon is no data, a second is', 'data:  a\n\n', [['', ' a']]],
  [
    'the id stays until another comes',
    'id: 1\ndata: a\n\ndata: b\n\n',
    [
      ['1', 'a'],
      ['1', 'b'],
    ],
  ],
  [
    'carriage returns, alone and with line feeds',
    'data: a\r\rdata: b\r\n\r\n',
    [
      ['', 'a'],
      ['', 'b'],
    ],
  ],
  ['a byte order mark at the beginning', '\uFEFFdata: a\n\n', [['', 'a']]],
  ['comments and unknown fields are nothing', ': hello\nretry: 5\nnews: x\ndata: a\n\n', [['', 'a']]],
  ['another kind is not a message', 'event: ping\ndata: a\n\nevent: message\ndata: b\n\n', [['', 'b']]],
  ['an id with a NUL is ignored', 'id: 1\n\ndata: a\nid: 2\0\n\n', [['1', 'a']]],
  ['what is not ended by a blank line has not happened', 'data: a\n\ndata: b\n', [['', 'a']]],
  ['blank lines alone are nothing', '\n\n\n', []],
])('%s', (_name, text, events) => {
  expect(read(text).map(({ id, data }) => [id, data])).toEqual(events);
});

test('wherever a stream is cut, the same events come of it', () => {
  const token = fc.constantFrom('data: a', 'data: b c', 'id: 7', 'event: x', ': c', '', 'data', '\n', '\r\n', '\r');
  fc.assert(
    fc.property(fc.array(token, { maxLength: 20 }), fc.array(fc.nat(200), { maxLength: 8 }), (tokens, cuts) => {
      const text = `${tokens.join('\n')}\n\n`;
      const at = [...new Set(cuts.map(cut => cut % text.length))].toSorted((a, b) => a - b);
      const pieces = [...at, text.length].map((end, index) => text.slice(index === 0 ? 0 : at[index - 1], end));
      expect(pieces.join('')).toBe(text);
      expect(read(...pieces)).toEqual(read(text));
    }),
  );
});

test('an event without an end does not fill the memory', () => {
  const parser = new ServerSentEventParser();
  const piece = 'x'.repeat(1024 * 1024);
  expect(() => {
    for (let count = 0; count < 20; count += 1) parser.read(piece);
  }).toThrow(RangeError);
  const lines = new ServerSentEventParser();
  expect(() => {
    for (let count = 0; count < 20; count += 1) lines.read(`data: ${piece}\n`);
  }).toThrow(RangeError);
});
