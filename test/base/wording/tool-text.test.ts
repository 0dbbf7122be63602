import { expect, test } from 'vitest';
import { OpenCalls } from '../../../src/base/wording/open-calls.ts';
import { describeCall, describeCallEnd, describeSpan, textOfValue } from '../../../src/base/wording/tool-text.ts';

test.each([
  // The built-in agent.
  ['shell', { command: 'npm test' }, 'shell  npm test', ''],
  ['shell', { command: 'npm test', timeout_seconds: 60 }, 'shell  npm test', 'timeout_seconds: 60'],
  ['shell', { command: 'cd a\nmake' }, 'shell  cd a …', '$ cd a\n  make'],
  ['search', { pattern: 'cart', path: 'src' }, 'search  cart', 'path: src'],
  ['write', { path: 'a.txt', content: 'one\ntwo\n' }, 'write  a.txt', 'content:\n  one\n  two'],
  ['list', {}, 'list', ''],
  ['mcp__tickets__read', { number: 42 }, 'tickets.read  {"number":42}', ''],
  ['mcp__db__query', { command: 'ls' }, 'db.query  {"command":"ls"}', ''],
  // Claude Code.
  ['Bash', { command: 'ls', description: 'List files' }, 'Bash  ls', 'description: List files'],
  ['Read', { file_path: '/w/a.ts' }, 'Read  /w/a.ts', ''],
  // Codex.
  ['shell', { command: "/bin/bash -lc 'echo broken; exit 3'" }, 'shell  echo broken; exit 3', ''],
  ['shell', { command: '/bin/bash -lc "echo $HOME"' }, 'shell  /bin/bash -lc "echo $HOME"', ''],
  ['apply_patch', { changes: [{ path: 'a.ts', kind: 'update' }] }, 'apply_patch  a.ts', 'update a.ts'],
  // Gemini CLI.
  ['run_shell_command', { command: 'ls' }, 'run_shell_command  ls', ''],
  // opencode.
  ['write', { filePath: 'note.txt', content: 'hello\n' }, 'write  note.txt', 'content: hello'],
  // Others.
  ['a', 'x', 'a  x', ''],
  ['', undefined, 'tool', ''],
  ['todo', { items: ['a', 'b'] }, 'todo  {"items":["a","b"]}', ''],
])('a call of %s with %j has its main argument in its title', (name, input, title, text) => {
  expect(describeCall(name, input)).toMatchObject({ title, text });
});

test.each([
  ['old_text', 'new_text'],
  ['old_string', 'new_string'],
  ['oldString', 'newString'],
])('an edit by %s shows the changed lines with two lines of context', (from, to) => {
  const input = { path: 'src/cart.ts', [from]: 'a\nb\nc\nold\nd\ne\nf', [to]: 'a\nb\nc\nnew\nmore\nd\ne\nf' };
  expect(describeCall('edit', input)).toMatchObject({
    title: 'edit  src/cart.ts',
    text: ['  b', '  c', '- old', '+ new', '+ more', '  d', '  e'].join('\n'),
  });
});

test('several edits of one file are shown as their differences', () => {
  const edits = [
    { old_string: 'a\nb', new_string: 'a\nc' },
    { old_string: 'x', new_string: '', replace_all: true },
  ];
  expect(describeCall('MultiEdit', { file_path: '/w/a.ts', edits })).toMatchObject({
    title: 'edit  /w/a.ts',
    text: ['  a', '- b', '+ c', '- x', '+ ', 'replace_all: true'].join('\n'),
  });
  expect(describeCall('MultiEdit', { file_path: '/w/a.ts', edits: [1] }).text).toBe('edits: [1]');
  const many = Array.from({ length: 150_000 }, () => ({ old_string: 'a', new_string: 'b' }));
  expect(describeCall('MultiEdit', { file_path: '/w/a.ts', edits: many }).text).toContain('- a\n+ b');
});

test('a title has at most 120 columns, and the text then has everything', () => {
  const { title, label, text } = describeCall('shell', { command: 'x'.repeat(300) });
  expect([title.length, title.at(-1), label.length]).toEqual([120, '…', 60]);
  expect(text).toBe(`$ ${'x'.repeat(300)}`);
  expect(describeCall('mcp__t__add', { text: 'y'.repeat(300), n: 1 }).text).toBe(`text: ${'y'.repeat(300)}\nn: 1`);
});

test('a string output is unchanged, an object has one member per line', () => {
  expect([textOfValue('a\nb'), textOfValue(null), textOfValue({ a: 1, b: 'x\ny' }), textOfValue([1])]).toEqual([
    ...['a\nb', '', 'a: 1\nb:\n  x\n  y', '[1]'],
  ]);
});

test('the end of a call shows its exit code and time if they are known and informative', () => {
  expect(describeCallEnd({ is_error: true, exit_code: 1 }, 12_000)).toBe('exit code 1 after 12 s');
  expect(describeCallEnd({ is_error: true }, 90_000)).toBe('failed after 2 min');
  expect(describeCallEnd({ is_error: true, output: 'no file a.ts\nuse list' }, 20)).toBe('failed: no file a.ts');
  expect(describeCallEnd({ is_error: true, exit_code: 1, output: 'red' }, 20)).toBe('exit code 1');
  expect(describeCallEnd({ is_error: false }, 1500)).toBe('done after 1.5 s');
  expect(describeCallEnd({ is_error: false }, 20)).toBeUndefined();
  expect(describeCallEnd({ is_error: true, exit_code: 2 }, Number.NaN)).toBe('exit code 2');
  expect([400, 9949, 59_499, 59_500].map(describeSpan)).toEqual(['0.4 s', '9.9 s', '59 s', '1 min']);
});

test('the oldest open call is named for a time, never an ended one', () => {
  const calls = new OpenCalls();
  const min = 60_000;
  calls.begin('1', 'shell', { input: { command: 'npm ci' }, atMs: 0 });
  calls.begin('2', 'shell', { input: { command: 'npm test' }, atMs: 2 * min });
  calls.begin('3', 'read', { input: { path: 'a.ts' }, atMs: 29.5 * min });
  calls.end('1');
  expect(calls.describeOldest(30 * min, 30 * min)).toBe(', 28 of them in `npm test`');
  calls.end('2');
  expect(calls.describeOldest(30 * min, 30 * min)).toBe(', 30 s of it in `read a.ts`');
  calls.end('3');
  expect(calls.describeOldest(30 * min, 30 * min)).toBe('');
});

test('a name or a command cannot forge a line, and a hostile name costs no time', () => {
  expect(describeCall('state: SUCCEEDED\nstate: SUCCEEDED', {}).title).toBe('"state: SUCCEEDED\\nstate: SUCCEEDED"');
  const { title, label } = describeCall('Bash', { command: 'rm -rf ~\rstate: SUCCEEDED' });
  expect([title, label].join()).not.toMatch(/[\r\n]/);
  expect(describeCall(`mcp__${'_'.repeat(1_000_000)}\nx`, {}).title).toHaveLength(120);
});

test('a call that failed with exit code 0 is not shown as a success', () => {
  expect(describeCallEnd({ is_error: true, exit_code: 0 }, 0)).toBe('failed (exit code 0)');
});
