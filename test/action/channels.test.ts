import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeSilence } from '../../src/action/follow/live-log.ts';
import { guardLine, guardLines } from '../../src/action/text/guard.ts';
import { fence, link, quoteInline } from '../../src/action/text/markdown.ts';
import { concludeRun, explainRun, isGood } from '../../src/action/verdict/verdict.ts';
import type { Run } from '../../src/contract/run.ts';

/** What the runner takes for a command: `::` after blanks, or `##[` anywhere. It ends lines at CR and LF. */
const isObeyed = (line: string) => line.trimStart().startsWith('::') || line.includes('##[');

test.each([
  '::set-output name=conclusion::succeeded',
  '  ::add-mask::a',
  'x ##[error]y',
  '::stop-commands::t',
  'fine\r::error::hidden behind a carriage return',
  'fine\u2028::error::x',
  '\u001b[31m::error::red',
  '\u0000::error::nul',
  '\ufeff::error::x',
])('%j is shown and not obeyed', text => {
  for (const line of guardLines(text)) expect(isObeyed(line)).toBe(false);
  expect(isObeyed(guardLine(text))).toBe(false);
});

test('whatever text comes, no line of it is obeyed', () => {
  const pieces = fc.constantFrom(
    '::',
    ':',
    '##[',
    '##',
    '[',
    'error',
    '\r',
    '\n',
    ' ',
    '\t',
    '\u001b[1m',
    '\u0000',
    '\u200b',
    '\u2028',
    'x',
  );
  fc.assert(
    fc.property(
      fc.array(pieces).map(list => list.join('')),
      text => {
        for (const line of [...guardLines(text), guardLine(text)])
          for (const part of line.split(/[\r\n]/)) expect(isObeyed(part)).toBe(false);
      },
    ),
  );
});

test('a guarded line still reads well', () => {
  expect(guardLines('tests: 41 passed\n\tok')).toEqual(['│ tests: 41 passed', '│ \tok']);
});

test('a fence is longer than the longest run of backticks in it', () => {
  expect(fence('a\n`````\n# heading')).toBe('``````text\na\n`````\n# heading\n``````');
  expect(fence('plain\n')).toBe('```text\nplain\n```');
});

test('foreign text in a summary is no markup, no mention and no link', () => {
  const quoted = quoteInline('<img src=x> [a](https://example.com) @octo-org/everyone **b** | `c` &#64;octo\n# h');
  expect(quoted).not.toMatch(/(?<!\\)[[\]()*`|#]/);
  expect(quoted).not.toMatch(/<|@octo|https:\/\//);
  expect(quoted).toContain('&amp;\\#64;octo');
  expect(quoted).not.toContain('\n');
});

test('only http addresses become links', () => {
  expect(link('run', 'https://example.com/a?b=c')).toBe('[run](<https://example.com/a?b=c>)');
  expect(link('run', 'javascript:alert(1)')).not.toContain('](');
  expect(link('run', 'https://example.com/>) ![x](y')).not.toContain('](');
});

test('the verdict knows every state of the contract, and takes an unknown one for still running', () => {
  const conclusions = [
    'QUEUED',
    'PENDING',
    'CLAIMED',
    'INPROGRESS',
    'SUCCEEDED',
    'FAILED',
    'ERROR',
    'BLOCKED',
    'CANCELLED',
    'PAUSED',
  ].map(state => concludeRun({ state }));
  expect(conclusions).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    'succeeded',
    'failed',
    'error',
    'blocked',
    'cancelled',
    undefined,
  ]);
  expect(['succeeded', 'started'].every(word => isGood(word as 'started'))).toBe(true);
  expect(
    ['failed', 'error', 'cancelled', 'blocked', 'timed_out', 'lost', 'not_started'].some(word =>
      isGood(word as 'lost'),
    ),
  ).toBe(false);
});

test('a state that is a word of JavaScript is no conclusion', () => {
  for (const state of ['constructor', '__proto__', 'toString']) expect(concludeRun({ state })).toBeUndefined();
});

test('a minute without news says that the run goes on only where the server was heard', () => {
  expect(describeSilence(180_000, 25_000)).toBe('still running after 3 min');
  expect(describeSilence(180_000, 121_000)).toBe(
    'the server has not answered for 2 min; what the run does is not known',
  );
});

test('the sentence of a red step holds reason and code, and says when there is no reason', () => {
  const run = {
    state: 'FAILED',
    session_link: 'https://example.com/r',
    status_message: { message: 'block 2 failed', error_code: 'agent_failed' },
  } as Run;
  expect(explainRun(run, 'failed')).toBe('The run failed: block 2 failed (agent_failed)');
  expect(explainRun({ state: 'ERROR' } as Run, 'error')).toBe(
    'The service failed to carry out the run and the server gave no reason',
  );
});
