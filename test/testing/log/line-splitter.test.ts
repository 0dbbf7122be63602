import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineSplitter } from '../../../src/testing/log/line-splitter.ts';

function split(chunks: readonly Buffer[]): readonly string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter(line => lines.push(line));
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return lines;
}

test('a lone carriage return ends a line, so that a progress bar cannot hide a log command', () => {
  expect(split([Buffer.from('50%\r::error::x\r\n\nend')])).toEqual(['50%', '::error::x', '', 'end']);
});

test('the lines are the same wherever the bytes are cut', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'ü', '😀', '\r', '\n', '\r\n') });
  fc.assert(
    fc.property(text, fc.array(fc.nat(8)), (content, cuts) => {
      const bytes = Buffer.from(content);
      const chunks: Buffer[] = [];
      let from = 0;
      for (const length of cuts) {
        chunks.push(bytes.subarray(from, from + length));
        from += length;
      }
      chunks.push(bytes.subarray(from));
      const expected = content.split(/\r\n|\r|\n/);
      if (expected.at(-1) === '') expected.pop();
      expect(split(chunks)).toEqual(expected);
    }),
  );
});
