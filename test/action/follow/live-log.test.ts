import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeSilence, printLastLines, startLiveLog } from '../../../src/action/follow/live-log.ts';
import type { Run, RunEvent } from '../../../src/client/index.ts';
import { createFakeHost } from '../fake-host.ts';

type Options = Partial<Parameters<typeof startLiveLog>[2]> & { readonly silentMs?: number };

/** Opens a log with shortcuts for events. `lines` is the runner's log, where a group is `[title` … `]`. */
function openLog({ silentMs = 0, ...options }: Options = {}) {
  const { lines, ...host } = createFakeHost({});
  const log = startLiveLog({ ...host }, { silentMs: () => silentMs }, { level: 'normal', ...options });
  let seq = 0;
  const give = (type: string, data: unknown) => {
    seq += 1;
    log.noteEvent({ seq, at: `2030-01-01T00:00:${String(seq % 60).padStart(2, '0')}.000Z`, type, data } as RunEvent);
  };
  return {
    ...log,
    lines,
    give,
    out: (text: string, stream = 'stdout') => give('log', { stream, text }),
    state: (state: string) => give('state', { state }),
    run: (state: string, last_seq?: number) => log.noteRun({ state, last_seq, updated_at: 'then' } as Run),
  };
}

/** Checks that every group closes before another begins and before a line that is not the agent's. */
function checkGroups(lines: readonly string[]): void {
  let isOpen = false;
  for (const line of lines) {
    if (line.startsWith('[')) {
      expect(isOpen).toBe(false);
      isOpen = true;
    } else if (line === ']') {
      expect(isOpen).toBe(true);
      isOpen = false;
    } else if (isOpen) expect(line).toMatch(/^│ |^assistant:$|^done after /);
  }
  expect(isOpen).toBe(false);
}

test('messages appear as they are, and groups of tools and output close before anything else', () => {
  const log = openLog();
  log.state('INPROGRESS');
  log.out('one\n');
  log.out('two\n', 'stderr');
  log.give('message', { role: 'assistant', text: 'I look\nat it' });
  log.give('tool_call', { id: '1', name: 'shell', input: { command: 'ls' } });
  log.give('tool_result', { id: '1', output: 'a.ts\n', is_error: false });
  log.out('three\n');
  log.state('SUCCEEDED');
  log.stop();
  expect(log.lines).toEqual([
    'state: INPROGRESS',
    ...['[Output', '│ one', '│ two', ']'],
    ...['assistant:', '│ I look', '│ at it'],
    ...['[shell  ls', '│ a.ts', 'done after 1 s', ']'],
    ...['[Output', '│ three', ']'],
    'state: SUCCEEDED',
  ]);
});

test('a secret is redacted before its text is cut', () => {
  const { host, lines } = (() => {
    const { lines: all, ...rest } = createFakeHost({});
    return { host: { ...rest, redact: (text: string) => text.replaceAll('ghp_secretOfTheStep', '***') }, lines: all };
  })();
  const log = startLiveLog(host, { silentMs: () => 0 }, { level: 'normal', address: '' });
  const command = `curl -sH "Authorization: ${'x'.repeat(24)} ghp_secretOfTheStep"`;
  const at = '2030-01-01T00:00:00.000Z';
  log.noteEvent({ seq: 1, at, type: 'tool_call', data: { id: '1', name: 'shell', input: { command } } });
  expect(log.describeOpenCall(30_000)).not.toContain('ghp_');
  const output = `${'x'.repeat(110)} ghp_secretOfTheStep`;
  log.noteEvent({ seq: 2, at, type: 'tool_result', data: { id: '1', output, is_error: true } });
  expect(lines.at(-1)).toMatch(/^failed: x+ \*\*\*$/);
  // Cutting a summary line or a long output would leave half of it.
  const long = `${'x'.repeat(1990)} ghp_secretOfTheStep`;
  log.noteEvent({ seq: 3, at, type: 'log', data: { stream: 'stdout', text: `${long}\n` } });
  log.noteEvent({ seq: 4, at, type: 'message', data: { role: 'assistant', text: long } });
  const tail = `ghp_secretOfTheStep${'x'.repeat(3990)}`;
  log.noteEvent({ seq: 5, at, type: 'tool_result', data: { id: '2', output: tail, is_error: false } });
  expect([...lines, ...log.lastLines()].join()).not.toMatch(/ghp_|OfTheStep/);
  log.stop();
});

test('a result that follows other lines has its own group, and an error appears outside of it', () => {
  const log = openLog();
  log.give('tool_call', { id: '1', name: 'a', input: 'x' });
  log.give('message', { role: 'assistant', text: 'I wait' });
  log.give('tool_result', { id: '1', output: 'gone', is_error: true, exit_code: 7 });
  log.give('tool_result', { id: '3', output: null, is_error: false });
  log.stop();
  expect(log.lines).toEqual([
    ...['[a  x', ']', 'assistant:', '│ I wait', '[a  x (result)', '│ gone', ']', 'exit code 7 after 2 s'],
    ...['[tool (result)', ']'],
  ]);
});

test('calls that begin together are shown one after another, each with its own result', () => {
  const log = openLog();
  for (const id of ['1', '2', '3']) log.give('tool_call', { id, name: 'read', input: { path: `${id}.ts` } });
  for (const id of ['1', '3', '2']) log.give('tool_result', { id, output: `text ${id}`, is_error: false });
  log.stop();
  expect(log.lines.filter(line => !line.startsWith('done'))).toEqual([
    ...['[read  1.ts', '│ text 1', ']', '[read  2.ts', ']', '[read  3.ts', '│ text 3', ']'],
    ...['[read  2.ts (result)', '│ text 2', ']'],
  ]);
});

test('with `log: quiet` the unseen lines are the last ones, otherwise there are none', () => {
  for (const [level, unseen] of [
    ['normal', []],
    ['quiet', ['one']],
  ] as const) {
    const log = openLog({ level });
    log.out('one\n');
    log.stop();
    expect([log.lastLines(), log.unseenLines()]).toEqual([['one'], unseen]);
  }
});

test('the open call is named with the time that it took', () => {
  const log = openLog();
  log.give('tool_call', { id: '1', name: 'shell', input: { command: 'npm test' } });
  for (let second = 0; second < 20; second += 1) log.out('.\n');
  expect(log.describeOpenCall(30_000)).toBe(', 20 of them in `npm test`');
  log.give('tool_result', { id: '1', output: '', is_error: false });
  expect(log.describeOpenCall(30_000)).toBe('');
  log.stop();
});

test('a state is printed only when it changes, whichever source reports it first', () => {
  const log = openLog();
  log.run('INPROGRESS', 2);
  log.state('QUEUED');
  log.state('INPROGRESS');
  log.state('PAUSED_FOR_REVIEW');
  log.run('INPROGRESS', 2);
  log.state('INPROGRESS');
  log.state('SUCCEEDED');
  log.run('SUCCEEDED', 5);
  log.stop();
  expect(log.lines).toEqual(
    ['INPROGRESS', 'PAUSED_FOR_REVIEW', 'INPROGRESS', 'SUCCEEDED'].map(word => `state: ${word}`),
  );
  expect(log.states().map(({ state }) => state)).toEqual([
    ...['QUEUED', 'INPROGRESS', 'PAUSED_FOR_REVIEW', 'INPROGRESS', 'SUCCEEDED'],
  ]);
  expect(log.states()[0]?.at).toBe('2030-01-01T00:00:01.000Z');
});

test('without events the states come from the run alone', () => {
  const log = openLog();
  log.noteStatesOnly();
  for (const state of ['QUEUED', 'QUEUED', 'INPROGRESS', 'FAILED']) log.run(state);
  log.stop();
  expect(log.lines).toEqual([
    'this server does not send the log of the agent, only the state of the run',
    ...['state: QUEUED', 'state: INPROGRESS', 'state: FAILED'],
  ]);
  expect(log.states()).toEqual(['QUEUED', 'INPROGRESS', 'FAILED'].map(state => ({ state, at: 'then' })));
});

test("if the events end early, the last state is the run's", () => {
  const log = openLog();
  log.state('INPROGRESS');
  log.run('FAILED', 7);
  log.stop();
  expect(log.states().map(({ state }) => state)).toEqual(['INPROGRESS', 'FAILED']);
  expect(log.lines).toEqual(['state: INPROGRESS', 'state: FAILED']);
});

test('quiet shows only the states and still keeps the last lines', () => {
  const log = openLog({ level: 'quiet' });
  log.state('INPROGRESS');
  log.out('one\nhalf');
  log.give('message', { role: 'assistant', text: 'hello' });
  log.give('tool_call', { id: '1', name: 'shell', input: 'ls' });
  log.give('tool_result', { id: '1', output: 'x', is_error: true });
  log.state('FAILED');
  log.stop();
  expect(log.lines).toEqual(['state: INPROGRESS', 'state: FAILED']);
  expect(log.lastLines()).toEqual(['one', 'hello', 'shell  ls', 'failed after 1 s: x', 'half']);
});

test('the last lines list tool calls in the order shown, each with the end of its output', () => {
  const log = openLog();
  log.give('tool_call', { id: '1', name: 'shell', input: { command: 'npm test' } });
  log.give('tool_call', { id: '2', name: 'read', input: { path: 'a.ts' } });
  log.give('message', { role: 'assistant', text: 'I wait' });
  const output = Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n');
  log.give('tool_result', { id: '1', output, is_error: true, exit_code: 1 });
  log.give('tool_call', { id: '3', name: 'shell', input: { command: 'npm test' } });
  log.stop();
  expect(log.lastLines()).toEqual([
    ...['shell  npm test', 'read  a.ts', 'I wait', 'shell  npm test (result)'],
    ...Array.from({ length: 20 }, (_, index) => `  line ${480 + index}`),
    ...['exit code 1 after 3 s', 'shell  npm test'],
  ]);
});

test('there are no last lines if the agent printed nothing', () => {
  const log = openLog();
  log.out('workspace: /w\n', 'system');
  log.give('log', { stream: 'system', text: 'warning: a file was not kept\n', level: 'warning' });
  log.stop();
  expect(log.lastLines()).toEqual([]);
  expect(log.lines).toContain('│ workspace: /w');
});

test('normal stops at its budget, says so once, and ends with the last lines; full shows everything', () => {
  const print = (log: ReturnType<typeof openLog>) => {
    for (let index = 0; index < 10_000; index += 1) log.out(`line ${index}\n`);
    log.state('SUCCEEDED');
    log.stop();
    checkGroups(log.lines);
    return log.lines;
  };
  const normal = print(openLog({ address: 'https://example.com/runs/1' }));
  expect(normal.length).toBeLessThan(4100);
  expect(normal.filter(line => line.includes('All of it is at https://example.com/runs/1'))).toHaveLength(1);
  expect(normal.slice(-53)).toEqual([
    'state: SUCCEEDED',
    '[The last 50 of 6001 lines that were left out',
    ...Array.from({ length: 50 }, (_, index) => `│ line ${9950 + index}`),
    ']',
  ]);
  expect(print(openLog({ level: 'full' }))).toHaveLength(10_003);
});

test('a few huge lines are cut too', () => {
  const log = openLog();
  for (let index = 0; index < 300; index += 1) log.out(`${'😀'.repeat(20_000)}\n`);
  log.give('message', { role: 'assistant', text: 'x'.repeat(3_000_000) });
  log.give('tool_call', { id: '1', name: 'n'.repeat(5000), input: 'x'.repeat(3_000_000) });
  log.stop();
  checkGroups(log.lines);
  expect(Buffer.byteLength(log.lines.join('\n'))).toBeLessThan(1.2 * 1024 * 1024);
  expect(log.lines.every(line => line.isWellFormed())).toBe(true);
});

test('the last lines are at most 40 and at most 8 KiB', () => {
  const log = openLog();
  for (let index = 0; index < 100; index += 1) log.out(`line ${index}\n`);
  expect(log.lastLines()).toEqual(Array.from({ length: 40 }, (_, index) => `line ${60 + index}`));
  for (let index = 0; index < 100; index += 1) log.out(`${'€'.repeat(5000)}\n`);
  expect(Buffer.byteLength(log.lastLines().join('\n'))).toBeLessThanOrEqual(8 * 1024);
  log.stop();
});

test('usage has the last value that the events gave for each field', () => {
  const log = openLog();
  expect(log.usage()).toBeUndefined();
  log.give('usage', { input_tokens: 1, model: 'm-1', nested: {} });
  log.give('usage', { input_tokens: 5 });
  expect(log.usage()).toEqual({ input_tokens: 5, model: 'm-1' });
  for (let index = 0; index < 1000; index += 1) log.give('usage', { [`key ${index}`]: index });
  expect(Object.keys(log.usage() ?? {}).length).toBeLessThanOrEqual(50);
  log.stop();
});

test('a silent run is reported as running at every level and outside groups', async () => {
  for (const level of ['full', 'normal', 'quiet'] as const) {
    const log = openLog({ level, heartbeatMs: 20 });
    log.give('tool_call', { id: '1', name: 'shell', input: 'sleep' });
    await sleep(70);
    log.stop();
    checkGroups(log.lines);
    const { length } = log.lines;
    expect(log.lines.filter(line => line === 'still running after 0 min').length).toBeGreaterThan(0);
    await sleep(50);
    expect(log.lines).toHaveLength(length);
  }
});

test('a minute without news claims a running run only if the server was heard', () => {
  expect(describeSilence(180_000, 25_000)).toBe('still running after 3 min');
  expect(describeSilence(180_000, 121_000)).toBe(
    'the server has not answered for 2 min, so the state of the run is unknown',
  );
});

test('events of any shape are shown or skipped, and never throw', () => {
  const anything = fc.anything({ withNullPrototype: true });
  const type = fc.constantFrom('log', 'message', 'tool_call', 'tool_result', 'state', 'usage', 'artifact', 'other');
  const word = fc.constantFrom('::error::x', '##[group]x', '\r::endgroup::', 'stdout', 'word\n', '');
  const data = fc.oneof(
    anything,
    fc.record({
      stream: word,
      text: word,
      role: word,
      name: word,
      id: word,
      state: word,
      input: anything,
      output: anything,
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(type, data), { maxLength: 15 }), events => {
      const log = openLog();
      for (const [kind, value] of events) log.give(kind, value);
      log.stop();
      for (const line of log.lines) {
        expect(line).not.toMatch(/[\r\n]/);
        expect(line.replace(/^\[/, '')).not.toMatch(/^\s*::|##\[/);
      }
      expect(log.lines.filter(line => line.startsWith('the log has a gap')).length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 300 },
  );
});

test('lines about a run are among its last lines, in order and within a limit', () => {
  const log = openLog();
  log.give('log', { stream: 'system', text: 'workspace: x\n' });
  log.give('log', { stream: 'stdout', text: 'at work\n' });
  for (const count of [1, 2, 3, 4]) log.give('log', { stream: 'system', text: `the model did not answer: ${count}\n` });
  const kept = ['at work', ...[2, 3, 4].map(count => `the model did not answer: ${count}`)];
  expect(log.lastLines()).toEqual(kept);
  log.give('message', { role: 'assistant', text: 'ready' });
  log.give('log', { stream: 'system', text: 'the answer is returned to the agent once: it is not JSON\n' });
  log.give('message', { role: 'assistant', text: 'again' });
  const returned = 'the answer is returned to the agent once: it is not JSON';
  expect(log.lastLines()).toEqual([...kept, 'ready', returned, 'again']);
});

test('an unfinished line of output comes before a line about the run, also among the last lines', () => {
  const log = openLog();
  log.out('half');
  log.out('the log ends here\n', 'system');
  log.stop();
  expect(log.lines).toEqual(['[Output', '│ half', '│ the log ends here', ']']);
  expect(log.lastLines()).toEqual(['half', 'the log ends here']);
});

test.each([
  ['more skills, which the agent reads as needed: a', []],
  ['the model did not answer: busy', ['the model did not answer: busy']],
])(`for a run without an agent's line, "%s" makes the last lines %j`, (text, lines) => {
  const log = openLog();
  log.give('log', { stream: 'system', text: `${text}\n` });
  expect(log.lastLines()).toEqual(lines);
});

test('the last lines are printed literally at the end of the log, and no command in them is executed', () => {
  const host = createFakeHost({});
  printLastLines(host, ['one', '::error::x']);
  expect(host.lines).toEqual(['the last lines of the run:', '│ one', '│ ::error::x']);
  const bare = createFakeHost({});
  printLastLines(bare, []);
  expect(bare.lines).toEqual([]);
});

test('each shown state is reported to the listener, up to a limit', () => {
  const told: string[] = [];
  const log = openLog({ onState: state => told.push(state) });
  for (const state of ['QUEUED', 'INPROGRESS', 'INPROGRESS', 'SUCCEEDED']) log.state(state);
  expect(told).toEqual(['QUEUED', 'INPROGRESS', 'SUCCEEDED']);
  for (let number = 0; number < 1000; number += 1) log.state(`STATE-${number}`);
  expect(told).toHaveLength(20);
  log.stop();
});
