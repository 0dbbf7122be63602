import { expect, test } from 'vitest';
import { createAnnotations } from '../../../src/action/host/annotations.ts';

function collect(count: number) {
  const lines: string[] = [];
  const annotations = createAnnotations({
    warning: message => lines.push(`::warning::${message}`),
    error: message => lines.push(`::error::${message}`),
    info: message => lines.push(message),
  });
  for (let index = 1; index <= count; index += 1) annotations.add('warning', `finding ${index}`);
  return { lines, annotations };
}

test('of 25 warnings nine are annotations, the tenth counts the rest, and the log has all', () => {
  const { lines, annotations } = collect(25);
  annotations.finish();
  expect(lines.filter(line => line.startsWith('::warning::'))).toHaveLength(10);
  expect(lines.at(-1)).toBe('::warning::16 more, see the log');
  for (let index = 1; index <= 25; index += 1) expect(lines.join('\n')).toMatch(new RegExp(`finding ${index}$`, 'm'));
});

test('nine warnings are nine annotations and nothing more', () => {
  const { lines, annotations } = collect(9);
  annotations.finish();
  expect(lines).toHaveLength(9);
});

test('each kind is counted separately', () => {
  const { lines, annotations } = collect(9);
  annotations.add('error', 'the end');
  expect(lines.at(-1)).toBe('::error::the end');
});

test('a warning that becomes a log line is one line without effect', () => {
  const { lines, annotations } = collect(9);
  annotations.add('warning', 'a\n::error::b\r##[error]c');
  expect(lines.at(-1)).toMatch(/^warning: a ::error::b /);
  expect(lines.at(-1)).not.toMatch(/[\r\n]|##\[/);
});
