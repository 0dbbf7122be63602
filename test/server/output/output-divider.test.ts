import { expect, test } from 'vitest';
import { OutputDivider } from '../../../src/server/output/output-divider.ts';
import { OutputTail } from '../../../src/server/output/output-tail.ts';

const bytes = (text: string) => Buffer.from(text);

/** Feeds chunks of standard output. Returns the parts, and the text that is held back. */
function divide(chunks: readonly string[], divider?: string): { parts: readonly string[]; held: string } {
  const output = new OutputDivider(divider);
  const parts = [''];
  for (const chunk of chunks)
    for (const [index, piece] of output.split('stdout', bytes(chunk)).entries()) {
      if (index > 0) parts.push('');
      parts.push(`${parts.pop()}${Buffer.from(piece)}`);
    }
  return { parts, held: Buffer.from(output.end('stdout')).toString() };
}

test('dividers are removed wherever chunks are cut', () => {
  const text = 'one#=#=-two#=-#=-#=three#';
  const expected = { parts: ['one#=', 'two', '', '#=three'], held: '#' };
  for (let size = 1; size <= text.length; size += 1) {
    const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
      text.slice(at * size, (at + 1) * size),
    );
    expect(divide(chunks, '#=-'), `chunks of ${size}`).toEqual(expected);
  }
});

test('without a divider nothing is held back or cut', () => {
  expect(divide(['one', '', '#=-'])).toEqual({ parts: ['one#=-'], held: '' });
});

test('the tail has nothing of an earlier part, even if one stream is read later', () => {
  const tail = new OutputTail(100);
  tail.push('stdout', 'first\n');
  tail.beginPart('stdout');
  tail.push('stdout', 'second\n');
  tail.push('stderr', 'error of the first\n');
  expect(tail.text).toBe('second\n');
  tail.beginPart('stderr');
  tail.push('stderr', 'error of the second\n');
  expect(tail.text).toBe('second\nerror of the second\n');
});
