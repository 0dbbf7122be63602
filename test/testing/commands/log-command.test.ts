import { expect, test } from 'vitest';
import { parseLogCommand } from '../../../src/testing/commands/log-command.ts';

const read = (line: string) => {
  const command = parseLogCommand(line, name => ['error', 'group', 'set-output'].includes(name));
  return command && { name: command.name, properties: Object.fromEntries(command.properties), data: command.data };
};

test('name, properties and data are split and unescaped, each by its own rules', () => {
  expect(read('::error file=a%2Cb%3A1.ts,line=3,title=x=y%25::one%0Atwo%0D%25 %3A,::')).toEqual({
    name: 'error',
    properties: { file: 'a,b:1.ts', line: '3', title: 'x=y%' },
    data: 'one\ntwo\r% %3A,::',
  });
});

test('an escaped percent sign does not begin another escape', () => {
  expect(read('::error::%250A')?.data).toBe('%0A');
});

test('names of commands and properties ignore case', () => {
  expect(read('::ERROR Title=a::b')).toEqual({ name: 'error', properties: { title: 'a' }, data: 'b' });
});

test.each(['  ::error::x', '\t\u00a0\u0085::error::x'])('spaces may come before: %j', line => {
  expect(read(line)?.data).toBe('x');
});

test.each([['words ::error::x'], ['\uFEFF::error::x'], ['::error:x'], ['::unknown::x'], [':: error::x'], ['::'], ['']])(
  '%j is not a command',
  line => {
    expect(read(line)).toBeUndefined();
  },
);

test('a property without a value or a name is left out', () => {
  expect(read('::error file=,=x,,line=3::m')?.properties).toEqual({ line: '3' });
});

test('the older form is a command anywhere in a line', () => {
  expect(read('words ##[error file=a%3Bb;line=3]x%5D%0Ay')).toEqual({
    name: 'error',
    properties: { file: 'a;b', line: '3' },
    data: 'x]\ny',
  });
});

test.each(['##[error', '##[other]x', '] ##[error'])('%j is not a command in the older form', line => {
  expect(read(line)).toBeUndefined();
});
