import { expect, test } from 'vitest';
import { EventLines } from '../../../src/client/following/log-lines.ts';
import type { EventDraft } from '../../../src/contract/events.ts';

function show(...drafts: readonly EventDraft[]): readonly string[] {
  const lines = new EventLines();
  const shown = drafts.flatMap((draft, index) =>
    lines.read({ ...draft, seq: index + 1, at: '2030-01-01T00:00:00.000Z' }),
  );
  return [...shown, ...lines.finish()].map(({ text, isQuoted }) => (isQuoted ? `│ ${text}` : text));
}

const log = (text: string, stream: 'stdout' | 'stderr' | 'system' = 'stdout'): EventDraft => ({
  type: 'log',
  data: { stream, text },
});

test('a line that arrives in pieces becomes one line, separately for each stream', () => {
  expect(show(log('a'), log('x', 'stderr'), log('b\nc'), log('y\n', 'stderr'), log('d\n'))).toEqual([
    '│ ab',
    '│ xy',
    '│ cd',
  ]);
});

test('an escape sequence that arrives in pieces is removed whole', () => {
  expect(show(log('\x1b[3'), log('1mred\x1b'), log('[0m\n'))).toEqual(['│ red']);
});

test('an unfinished line is shown before the state that ends the run', () => {
  expect(show(log('half'), { type: 'state', data: { state: 'SUCCEEDED' } })).toEqual(['│ half', 'state: SUCCEEDED']);
  expect(show(log('half'))).toEqual(['│ half']);
});

test('unfinished lines are shown before a line of the server', () => {
  expect(show(log('half'), log('err', 'stderr'), log('the log ends here', 'system'), log('a\n'))).toEqual([
    '│ half',
    '│ err',
    '│ the log ends here',
    '│ a',
  ]);
});

test('lines of the server are shown at once', () => {
  expect(show(log('workspace: empty', 'system'), log('a\n'))).toEqual(['│ workspace: empty', '│ a']);
});

test('a line without an end is shown in pieces of limited length, in linear time', () => {
  const startedAt = performance.now();
  const shown = show(...Array.from({ length: 1000 }, () => log('x'.repeat(16 * 1024))));
  expect(shown.join('').replaceAll('│ ', '').length).toBe(1000 * 16 * 1024);
  expect(Math.max(...shown.map(line => line.length))).toBeLessThan(100_000);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test('messages and tools have their lines, and an unknown event has none', () => {
  const later = { type: 'dream', data: {} } as unknown as EventDraft;
  expect(
    show(
      { type: 'message', data: { role: 'assistant', text: 'one\ntwo' } },
      { type: 'tool_call', data: { id: '1', name: 'bash', input: { command: 'make test' } } },
      { type: 'tool_call', data: { id: '2', name: 'read', input: 'a.txt' } },
      { type: 'tool_result', data: { id: '2', output: null, is_error: false } },
      { type: 'tool_result', data: { id: '1', output: 'no rule\nto make', is_error: true } },
      later,
    ),
  ).toEqual([
    ...['assistant:', '│ one', '│ two'],
    ...['bash  make test', 'read  a.txt'],
    ...['bash  make test (result)', '│ no rule', '│ to make', 'failed'],
  ]);
});

test('a long call shows its beginning, a long output its end', () => {
  const long = `${'a'.repeat(5000)}\n${'z'.repeat(3000)}`;
  const lines = show(
    { type: 'tool_call', data: { id: '1', name: 'write', input: long } },
    { type: 'tool_result', data: { id: '1', output: long, is_error: false } },
  );
  expect(lines).toEqual([
    `write  ${'a'.repeat(112)}…`,
    `│ ${'a'.repeat(4000)}…`,
    '│ (the first 4001 characters are left out)',
    `│ ${'a'.repeat(999)}`,
    `│ ${'z'.repeat(3000)}`,
  ]);
});
