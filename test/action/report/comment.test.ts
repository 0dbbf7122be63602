import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markerOf } from '../../../src/action/github/comments.ts';
import { type CommentReport, type CommentState, printComment } from '../../../src/action/report/comment.ts';
import type { Result } from '../../../src/action/report/result.ts';
import { conclusions } from '../../../src/action/verdict/verdict.ts';
import { findHarm } from '../text/rendered-markdown.ts';

const same = (text: string) => text;
const marker = markerOf('docs');
const run = { runId: '0190a0b0-0000-7000-8000-000000000001', address: 'https://agents.example.com/runs/0190a0b0' };
const jobUrl = 'https://github.com/octo-org/demo/actions/runs/42';

function print(state: CommentState, more: Partial<CommentReport> = {}): string {
  return printComment({ marker, title: 'Mend the clock', run, jobUrl, state, ...more }, same);
}

test('a partial result is marked as one, without a place for the whole', () => {
  const text = print(ended(`${'a line of the agent\n\n'.repeat(9_000)}the last word`, {}, { isPart: true }));
  expect(text).toMatch(/\*\(only the beginning of the result could be read/);
  expect(text).not.toContain('the complete result is in');
  expect(text.length).toBeLessThanOrEqual(60_000);
});

test.each([
  ['the server has', {}, {}, /; the complete result is with the run, linked above\)\*\n/],
  [
    'that is within the step has',
    { run: { ...run, address: jobUrl } },
    { resultFile: '/tmp/result.md' },
    /; the complete result is in the file that the output `result_file` of the step names\)\*\n/,
  ],
  ['that nobody has any more', { run: { ...run, address: jobUrl } }, {}, /\*\(only the end is shown\)\*\n/],
])('a long result of a run %s is cut, and the comment says where it is', (_which, more, state, words) => {
  const text = print(ended('a line of the agent\n\n'.repeat(9_000), state), more);
  expect(text.replace(/\\/g, '')).toMatch(words);
});

test('a result whose start the server dropped never passes for the whole, however short it is', () => {
  const cut = { leftOutBytes: 900, keptBytes: 100 };
  for (const text of ['the last word', '{"a": 1}', '|', 'a line of the agent\n\n'.repeat(9_000)]) {
    const shown = print(ended(text, {}, { cut }));
    expect(shown).toContain('only the last 100 of 1000 bytes were kept; they are with the run, linked above');
    expect(shown).not.toContain('the whole is');
  }
});

test('colors and control characters are removed from every part of a comment', () => {
  const red = (text: string) => `\x1b[1;31m${text}\x1b[0m\x1b]0;title\x07\x07`;
  const plain = (text: string) => text;
  const of = (paint: (text: string) => string) =>
    print(
      ended(
        `# ${paint('Done')}\n\n\`${paint('code')}\`\n\n\`\`\`js\n${paint('a()')}\n\`\`\`\n\n[${paint('a')}](https://example.com)`,
        {
          sentence: paint('it broke'),
        },
      ),
      { title: paint('Mend'), label: paint('node 22'), run: { ...run, runId: paint('r-1') } },
    );
  expect(of(red)).toBe(of(plain));
});

function ended(
  text: string,
  more: Partial<Extract<CommentState, { kind: 'ended' }>> = {},
  result: Partial<Result> = {},
): CommentState {
  const told = { text, isPart: false, ...result };
  return { kind: 'ended', conclusion: 'succeeded', sentence: undefined, result: told, ...more };
}

describe('a comment', () => {
  test('says that the run is working, and where', () => {
    expect(print({ kind: 'running' })).toBe(
      `${marker}\n### ⏳ Mend the clock: running\n\nrun [${run.runId}](<${run.address}>) · [log and summary](<${jobUrl}>)\n`,
    );
  });

  test('shows the result as Markdown below the link', () => {
    const text = print(ended('# Done\n\n- one\n- two'));
    expect(text.split('\n').slice(0, 2)).toEqual([marker, '### ✅ Mend the clock: succeeded']);
    expect(text).toMatch(/0190a0b0>\).*\n\n#### Done\n\n- one\n- two\n$/s);
  });

  const reason = 'The run took longer than 1 min';
  const cancelled: CommentState = { kind: 'step_cancelled', sentence: 'The run was told to stop' };
  const gone: CommentState = { kind: 'step_gone', sentence: 'The step was stopped; the run is CANCELLED' };
  test.each<[fact: string, state: CommentState, more: object, text: RegExp]>([
    [
      'the reason',
      ended('', { conclusion: 'timed_out', sentence: reason }),
      {},
      /timed out\n.*\n\nThe run took longer/s,
    ],
    [
      'how the run of a canceled step ended',
      cancelled,
      {},
      /: the step was canceled\n\n.*\n\nThe run was told to stop\n$/s,
    ],
    ['that a killed step is gone', gone, {}, /### ❌ .*: the step ended before it reported.*is CANCELLED\n$/s],
    [
      'its leg of a matrix',
      { kind: 'running' },
      { label: 'ubuntu_24, @22' },
      /clock \(ubuntu_24, @\u200b22\): running\n/,
    ],
    [
      'one link if only the job shows the run',
      { kind: 'running' },
      { run: { ...run, address: jobUrl } },
      /\n\n\[log and/,
    ],
  ])('shows %s', (_fact, state, more, text) => {
    expect(print(state, more)).toMatch(text);
  });

  test('shows changes and cost in one line', () => {
    const changes = { files: [], count: 1, added: 3, removed: 1 };
    const facts = { changes, usage: { total_tokens: 1200, cost_usd: 0.5 }, durationSeconds: 65 };
    expect(print(ended('done', { facts })).split('\n\n')[2]).toBe(
      '1 file changed, +3 −1 · **Time** 1 min 5 s · **Tokens** 1,200 · **Cost** \\$0.5',
    );
  });

  test('has a form for every conclusion, with and without a run', () => {
    for (const conclusion of conclusions) {
      expect(print(ended('', { conclusion }))).toMatch(/^<!-- agent-run:docs -->\n### \S+ Mend the clock: [a-z ]+\n/);
      expect(print(ended('', { conclusion }), { run: undefined, jobUrl: undefined, title: undefined })).not.toContain(
        'undefined',
      );
    }
  });
});

describe('over the budget', () => {
  test.each([
    ['letters', 'x'.repeat(70_000)],
    ['emoji', '🕰'.repeat(70_000)],
    ['backticks', '`'.repeat(70_000)],
    ['characters that are escaped', '<&*'.repeat(30_000)],
    ['lines', 'a line of the agent\n'.repeat(9_000)],
    ['blocks', '- item\n\n'.repeat(20_000)],
    ['quotes in quotes', `${'>'.repeat(5_000)} deep`],
  ])('marker and link survive 70,000 %s', (_what, result) => {
    const text = print(ended(result, { sentence: result }), { title: result });
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(text.startsWith(`${marker}\n`)).toBe(true);
    expect(text).toContain(`](<${run.address}>)`);
    expect(text).toContain(`](<${jobUrl}>)`);
    expect(text.isWellFormed()).toBe(true);
  });

  test('the end of the result stays, and the cut is noted', () => {
    const text = print(ended(`${'a line of the agent\n\n'.repeat(9_000)}the last word`));
    expect(text).toMatch(/the last word\s*`*\n$/);
    expect(text).toContain('linked above');
  });
});

test("an agent's text mentions nobody, loads nothing and cannot forge another leg's marker", () => {
  const other = markerOf('other');
  const part = fc.constantFrom(
    '@octo-org/everyone',
    `\n${other}\n`,
    other,
    '```\n',
    '![x](https://example.com/x.png)',
    '<img src=x>',
    '\n\n',
    'word ',
    '&#64;mona',
    '\n> ',
    '- ',
  );
  const foreign = fc.array(part, { maxLength: 12 }).map(parts => parts.join(''));
  fc.assert(
    fc.property(foreign, foreign, foreign, (title, sentence, result) => {
      const lines = print(ended(result, { conclusion: 'failed', sentence }), { title })
        .trimEnd()
        .split('\n');
      expect(lines[0]).toBe(marker);
      expect(lines.at(-1)?.trim()).not.toBe(other);
      // The marker is the only HTML.
      expect(findHarm(lines.slice(1).join('\n'))).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
