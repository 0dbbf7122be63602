import { expect, test } from 'vitest';
import { type Arguments, parseCommandLine, UsageError } from '../../src/cli/arguments.ts';

function read(...argv: string[]): Arguments {
  const invocation = parseCommandLine(argv);
  if (invocation.kind !== 'command') throw new Error(`${invocation.kind} instead of a command`);
  return invocation.args;
}

function fault(...argv: string[]): string {
  try {
    parseCommandLine(argv);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error('it was taken');
}

test('flags may precede or follow the command, with a space or an equals sign', () => {
  const args = read('--base-url', 'http://x', 'list', '--state=FAILED', '--state', 'ERROR', '--json');
  expect(args.text('base-url')).toBe('http://x');
  expect(args.all('state')).toEqual(['FAILED', 'ERROR']);
  expect(args.has('json')).toBe(true);
  expect(args.has('allow-http')).toBe(false);
});

test('a prompt may begin with a dash or contain a flag', () => {
  expect(read('run', '- fix this').word).toBe('- fix this');
  expect(read('run', '--help me with this').word).toBe('--help me with this');
  expect(read('run', '--prompt', '- a list').text('prompt')).toBe('- a list');
  expect(read('run', '--prompt=--json').text('prompt')).toBe('--json');
  expect(read('run', '--prompt=a=b\nc').text('prompt')).toBe('a=b\nc');
  expect(read('run', '-').word).toBe('-');
  expect(read('run', '--', '--json').word).toBe('--json');
});

test('a flag is never parsed as the value of another', () => {
  expect(fault('run', '--prompt', '--json')).toContain('--prompt needs a value');
  expect(fault('run', '--prompt')).toContain('--prompt needs a value');
  expect(fault('run', '--prompt', '--')).toContain('--prompt needs a value');
  expect(fault('run', '--model', ' ')).toContain('empty');
});

test('an unknown word is refused with the nearest known one', () => {
  expect(fault('lst')).toBe('Unknown command "lst". Did you mean "list"?');
  expect(fault('lits')).toBe('Unknown command "lits". Did you mean "list"?');
  expect(fault('run', '--promt', 'x')).toBe('Unknown flag --promt. Did you mean "--prompt"?');
  expect(fault('--bse-url', 'x', 'list')).toContain('Did you mean "--base-url"?');
  expect(fault('run', '-prompt', 'x')).toContain('Did you mean "--prompt"?');
  expect(fault('list', '-x')).toBe('Unknown flag -x; see npx agent-run list --help');
  expect(fault('xyzzyx')).toBe('Unknown command "xyzzyx"; see npx agent-run help');
  expect(fault('help', 'xyzzyx')).toBe('Unknown command "xyzzyx"; see npx agent-run help');
  expect(fault('help', 'cancle')).toContain('Did you mean "cancel"?');
  expect(fault('__proto__')).toContain('Unknown command');
  expect(fault('list', '--constructor')).toContain('Unknown flag');
});

test("other commands' flags, values for switches, repeated flags and stray words are refused", () => {
  expect(fault('list', '--port', '1')).toBe('list has no flag --port; see npx agent-run list --help');
  expect(fault('list', '--version')).toContain('list has no flag --version');
  expect(fault('list', '--json=yes')).toContain('does not take a value');
  expect(fault('list', '--name', 'a', '--name', 'b')).toBe('--name is given twice');
  expect(fault('list', 'all')).toContain('takes only flags, not "all"');
  expect(fault('run', 'fix', 'it')).toContain('quote it');
  expect(fault('get')).toBe('get needs a RUN_ID; see npx agent-run get --help');
  expect(fault('--json')).toContain('No command given');
});

test('a request for help overrides all mistakes', () => {
  expect(parseCommandLine(['run', '--promt', '-h'])).toMatchObject({ kind: 'help', command: { name: 'run' } });
  expect(parseCommandLine(['help', 'get'])).toMatchObject({ kind: 'help', command: { name: 'get' } });
  expect(parseCommandLine(['--help'])).toEqual({ kind: 'help', command: undefined });
  expect(parseCommandLine(['--version'])).toEqual({ kind: 'version' });
  expect(parseCommandLine(['version'])).toEqual({ kind: 'version' });
  expect(fault('rum', '--help')).toContain('Unknown command');
});

test('a number has only digits and is within its limits', () => {
  const positive = (value: number) => value > 0;
  expect(read('list', '--limit', '12').number('limit', positive, 'a number')).toBe(12);
  expect(read('list').number('limit', positive, 'a number')).toBeUndefined();
  for (const wrong of ['0', '1e3', '0x10', 'Infinity', 'NaN', '-1', '12 ', 'ten'])
    expect(() => read('list', `--limit=${wrong}`).number('limit', positive, 'a number'), wrong).toThrow(
      /--limit must be a number/,
    );
});
