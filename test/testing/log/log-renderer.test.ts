import { expect, test } from 'vitest';
import { createLogRenderer, type LogLine, renderLog } from '../../../src/testing/index.ts';

const line = (kind: LogLine['kind'], text = ''): LogLine => ({ kind, text, source: 'stdout' });

test('a log reads as on the page: groups marked and indented, warnings and errors named', () => {
  const lines = [
    line('group', 'Run ./'),
    line('text', 'with:'),
    line('endgroup'),
    line('warning', 'careful'),
    line('error', 'first\nsecond'),
    line('debug', 'detail'),
    line('notice', 'by the way'),
  ];
  expect(renderLog(lines)).toBe(
    '▾ Run ./\n  with:\nWarning: careful\nError: first\nsecond\nDebug: detail\nNotice: by the way\n',
  );
});

test('every line of a message inside a group is indented, and a second group ends the first', () => {
  expect(renderLog([line('group', 'a'), line('error', 'x\ny'), line('group', 'b'), line('text', 'z')])).toBe(
    '▾ a\n  Error: x\n  y\n▾ b\n  z\n',
  );
});

test('without colour nothing that a terminal obeys is left', () => {
  expect(renderLog([line('text', '\x1b[31mred\x1b[0m \x1b]0;title\x07 a\rb\x08 \x9b2J\ttab')])).toBe(
    'red  ab 2J\ttab\n',
  );
});

test('with colour the colours of the program stay and everything else that a terminal obeys goes', () => {
  const render = createLogRenderer({ color: true });
  expect(render(line('text', '\x1b[31mred\x1b[2J\x1b]0;title\x07!'))).toBe('\x1b[31mred!\x1b[0m');
  expect(render(line('error', 'bad'))).toBe('\x1b[31mError: bad\x1b[39m');
});
