import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServerSentEventParser } from '../../../src/client/following/server-sent-events.ts';

const read = (...pieces: readonly string[]) => {
  const parser = new ServerSentEventParser();
  return pieces.flatMap(piece => parser.read(piece));
};

test('the events are the same wherever the stream is split', () => {
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

test('a long line in many small pieces takes linear time', () => {
  const parser = new ServerSentEventParser();
  const piece = 'x'.repeat(1024);
  const began = performance.now();
  parser.read('data: ');
  for (let count = 0; count < 12_000; count += 1) parser.read(piece);
  expect(parser.read('\n\n')[0]).toHaveLength(12_000 * 1024);
  expect(performance.now() - began).toBeLessThan(8_000);
});

test('hours of comments neither fill the memory nor count as a long event', () => {
  const parser = new ServerSentEventParser();
  const comment = `: ${'x'.repeat(64 * 1024)}\n\n`;
  for (let count = 0; count < 400; count += 1) expect(parser.read(comment)).toEqual([]);
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
