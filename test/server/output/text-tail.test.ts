import { expect, test } from 'vitest';
import { tailOfUtf8 } from '../../../src/base/text.ts';
import { TextTail } from '../../../src/server/output/text-tail.ts';

test('the end is the same, however the text is cut into pieces', () => {
  const text = 'aü€💥\n'.repeat(40);
  const characters = Array.from(text);
  for (const maxBytes of [1, 5, 16, 100, 1000])
    for (const size of [1, 2, 3, 7, 50, 200]) {
      const tail = new TextTail(maxBytes);
      for (let at = 0; at < characters.length; at += size) tail.push(characters.slice(at, at + size).join(''));
      expect([maxBytes, size, tail.text]).toEqual([maxBytes, size, tailOfUtf8(text, maxBytes)]);
      expect(tail.totalBytes).toBe(Buffer.byteLength(text));
    }
});

test('a copy does not change with its original', () => {
  const [tail, copy] = [new TextTail(8), new TextTail(8)];
  tail.push('12345€');
  copy.assign(tail);
  tail.push('6789');
  expect([copy.text, copy.totalBytes, tail.text]).toEqual(['12345€', 8, '5€6789'.slice(-6)]);
});
