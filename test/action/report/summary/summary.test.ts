import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyWorkspaceWarning } from '../../../../src/action/report/summary/heading.ts';
import { printSummary as printRedacted, type Report } from '../../../../src/action/report/summary/summary.ts';
import { printSeconds } from '../../../../src/action/report/summary/summary-facts.ts';
import type { Run } from '../../../../src/client/index.ts';
import { findHarm, readMarkdown } from '../../text/rendered-markdown.ts';

const run: Run = {
  run_id: 'r-1',
  task_id: 'r-1',
  title: 'Tidy the docs',
  prompt: 'x',
  state: 'SUCCEEDED',
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: '2030-01-01T00:05:00.000Z',
  started_at: '2030-01-01T00:00:12.000Z',
  finished_at: '2030-01-01T00:03:32.000Z',
  agent_config: {
    name: 'docs',
    model_id: 'm-1',
    environment_id: 'env-1',
    skill_spec: 'octo-org/skills:docs',
    harness: { type: 'oz', name: 'mine' },
  },
  artifacts: [
    {
      artifact_type: 'PULL_REQUEST',
      created_at: '2030-01-01T00:03:00.000Z',
      data: { url: 'https://example.com/octo-org/x/pull/7', branch: 'docs' },
    },
    {
      artifact_type: 'FILE',
      created_at: '2030-01-01T00:03:00.000Z',
      data: { artifact_uid: 'a', filename: 'report.txt', filepath: 'out/report.txt', mime_type: 'text/plain' },
    },
  ],
  request_usage: { inference_cost: 1.25, total_tokens: 12_345 },
  result: { text: '# Done\n\nAll *good*.', truncated: false },
};
const printSummary = (report: Report) => printRedacted(report, text => text);
const noChanges = { files: [], count: 0, added: 0, removed: 0 };
const known = { runId: 'r-1', address: 'https://example.com/runs/r-1' };
/** Only our own `<details>` is allowed. Reports everything else that is not harmless. */
const frames = /^html: (?:<details(?: open)?><summary>[A-Z][a-z ]+<\/summary>|<\/details>)$/;
const harmOf = (markdown: string) => findHarm(markdown).filter(harm => !frames.test(harm));

test('the summary of a successful run shows outcome, changes, cost and answer', () => {
  const files = [
    { path: 'src/a_b.ts', added: 1200, removed: 0, isBinary: false },
    { path: 'logo.png', added: 0, removed: 0, isBinary: true },
  ];
  const changes = { files, count: 2, added: 1200, removed: 0 };
  const summary = printSummary({ conclusion: 'succeeded', run, known, changes });
  expect(summary.split('\n\n').slice(0, 3)).toEqual([
    '### ✅ Tidy the docs: succeeded',
    '| 2 files changed, +1,200 | | |\n|---|--:|--:|\n| src/a_b.ts | +1,200 |  |\n| logo.png | binary |  |',
    '**Model** m-1 · **Time** 3 min 20 s · **Queued** 12 s · **Tokens** 12,345 · **Agent** mine · **Skill** octo-org/skills:docs · **Environment** env-1 · **Inference cost** 1.25 · [Run r-1](<https://example.com/runs/r-1>)',
  ]);
  expect(summary).toContain(
    '- pull request: [https:\u200b//example.com/octo-org/x/pull/7](<https://example.com/octo-org/x/pull/7>), docs',
  );
  expect(summary).toContain('- file: out/report.txt\n');
  expect(summary).toContain('#### Done\n\nAll *good*.');
  expect(summary).not.toContain('Last lines');
});

test('the warning that the agent sees no code is right below the heading, once', () => {
  const warnings = ['a file was not kept', emptyWorkspaceWarning];
  const parts = printSummary({ conclusion: 'succeeded', run, warnings }).split('\n\n');
  expect(parts.map((part, at) => (part.startsWith('- ⚠️') ? at : -1)).filter(at => at >= 0)).toEqual([
    1,
    parts.indexOf('- ⚠️ a file was not kept'),
  ]);
  expect(parts[1]).toBe(`- ⚠️ ${emptyWorkspaceWarning}`);
});

test('a program shows no model, because it may not have asked the named one', () => {
  const config = { ...run.agent_config, harness: { type: 'oz', name: 'command' } } as const;
  const summary = printSummary({ conclusion: 'succeeded', run: { ...run, agent_config: config } });
  expect([summary.includes('**Model**'), summary.includes('**Agent** command')]).toEqual([false, true]);
});

test('the summary shows tokens and cost once, and nothing that is 0', () => {
  const used = { input_tokens: 1000, output_tokens: 20, total_tokens: 1020, cached_tokens: 0, turns: 0, requests: 3 };
  const usage = { ...used, cost_usd: 0.0421, inference_cost_usd: 0.0421 };
  const { created_at, updated_at } = run;
  const plain = { run_id: 'r', task_id: 'r', title: 't', prompt: 'x', state: 'SUCCEEDED', created_at, updated_at };
  expect(printSummary({ conclusion: 'succeeded', run: { ...plain, request_usage: usage }, changes: noChanges })).toBe(
    '### ✅ t: succeeded\n\n**Tokens** 1,020 (1,000 in, 20 out) · **Cost** \\$0.0421 · **Requests** 3\n\n',
  );
});

test('the first 20 of many changed files are shown, and the others are counted', () => {
  const files = Array.from({ length: 20 }, (_, at) => ({ path: `f-${at}`, added: 1, removed: 2, isBinary: false }));
  const changes = { files, count: 25, added: 25, removed: 50 };
  const summary = printSummary({ conclusion: 'succeeded', run, changes });
  expect(summary).toContain('| 25 files changed, +25 −50 | | |');
  expect(summary).toContain('| f-19 | +1 | −2 |\n| and 5 more | | |\n\n');
});

test('the patch is not listed as an artifact if its changes are shown', () => {
  const data = { artifact_uid: 'p', filename: 'changes.patch' };
  const patched = { ...run, artifacts: [{ artifact_type: 'FILE', created_at: '', data }] } as unknown as Run;
  const of = (more: Partial<Report>) => printSummary({ conclusion: 'succeeded', run: patched, ...more });
  expect(of({ changes: noChanges })).not.toContain('changes.patch');
  // The patch could not be read.
  expect(of({})).toContain('Artifacts:\n\n- file: changes.patch\n');
});

test('the summary names its leg of a matrix', () => {
  const [there, none] = [{ run, known }, {}].map(more =>
    printSummary({ conclusion: 'succeeded', label: 'ubuntu_24, <22>', ...more }),
  );
  expect([there?.split('\n')[0], none?.split('\n')[0]]).toEqual([
    '### ✅ Tidy the docs (ubuntu_24, &lt;22&gt;): succeeded',
    '### ✅ agent run (ubuntu_24, &lt;22&gt;): succeeded',
  ]);
});

test('the summary of a failed run begins with the reason and ends with lines, states and warnings', () => {
  const summary = printSummary({
    conclusion: 'failed',
    run: { ...run, state: 'FAILED', started_at: null },
    known,
    sentence: 'The run failed (agent_failed): tests are red',
    lastLines: ['```', '@octo ::error::x', '</details>'],
    states: [{ state: 'QUEUED', at: '2030-01-01T00:00:00.000Z' }, { state: 'FAILED' }],
    durationSeconds: 61,
    warnings: ['a file was not kept'],
  });
  expect(summary).toMatch(/^### ❌ Tidy the docs: failed\n\nThe run failed \(agent_failed\): tests are red\.\n/);
  const parts = ['All *good*.', 'Last lines', '- file: out/report.txt', 'States', '- ⚠️ a file was not kept'];
  const places = parts.map(part => summary.indexOf(part));
  expect(places).toEqual(places.filter(place => place > 0).sort((a, b) => a - b));
  expect(summary).toContain('````text\n```\n@octo ::error::x\n</details>\n````');
  expect(summary).toContain('| QUEUED | 2030-01-01T00:00:00.000Z |\n| FAILED |  |');
  expect(summary).toContain('**Time** 1 min 1 s');
  // It waited until it failed.
  expect(summary).toMatch(/\*\*Queued\*\* \d/);
});

test('a step without a run has a summary, and a run inside the step has no link to its job', () => {
  const sentence = 'No run was started: nothing to run';
  expect(printSummary({ conclusion: 'start_failed', sentence })).toBe(
    '### ❌ agent run: start failed\n\nNo run was started: nothing to run.\n\n',
  );
  expect(printSummary({ conclusion: 'start_failed', sentence, title: 'Tidy' })).toContain(
    '### ❌ Tidy: start failed\n',
  );
  expect(printSummary({ conclusion: 'failed', known, isWithinStep: true })).toBe('### ❌ agent run: failed\n\n');
  expect(printSummary({ conclusion: 'lost', known: { runId: 'r-1' } })).toBe('### ❌ agent run: lost\n\nRun r-1\n\n');
});

test('a summary of hostile fields does no harm', () => {
  const piece = fc.constantFrom(
    ...[
      '@octo',
      '&#64;octo',
      '#1',
      '<img src=x>',
      '</details>',
      '<!-- agent-run:x -->',
      '```',
      '|',
      '\n',
      '\n\n',
      '# ',
      '- ',
      '*',
      '`',
    ],
    ...[
      '![a](https://example.com/x.png)',
      '[a](javascript:x)',
      'https://github.com/octo-org/x/issues/1',
      '\\',
      '\r',
      'word',
      ' ',
    ],
  );
  const foreign = fc.array(piece, { maxLength: 8 }).map(list => list.join(''));
  fc.assert(
    fc.property(fc.array(foreign, { minLength: 18, maxLength: 18 }), words => {
      const [title = '', state = '', name = '', model = '', skill = '', text = '', runId = '', sentence = ''] = words;
      const [line = '', at = '', key = '', url = '', kind = '', description = '', path = '', where = ''] =
        words.slice(8);
      const summary = printSummary({
        conclusion: 'failed',
        known: { runId, address: `https://example.com/${path}` },
        sentence,
        run: {
          ...run,
          title,
          state,
          agent_config: { name, model_id: model, skill_spec: skill, harness: { type: kind }, environment_id: where },
          request_usage: { [key]: description },
          artifacts: [{ artifact_type: kind as 'a b', created_at: at, data: { url, title: name, description } }],
        },
        result: { text, isPart: true },
        lastLines: [line, text],
        states: [{ state, at }],
        resultFile: where,
      });
      // The server's own address becomes a link, wherever it leads on the web.
      expect(harmOf(summary).filter(harm => !harm.startsWith('link: http'))).toEqual([]);
      const last = readMarkdown(`${summary}the end`).children?.at(-1);
      expect(last).toMatchObject({ type: 'paragraph', children: [{ value: 'the end' }] });
    }),
    { numRuns: 60 },
  );
});

const bytesOf = (report: Partial<Report>) =>
  Buffer.byteLength(printSummary({ conclusion: 'failed', run, known, ...report }));

test("a summary fits the rest of the step's limit and says what it leaves out", () => {
  const resultText = Array.from({ length: 2000 }, (_, index) => `paragraph ${index} ${'<😀>'.repeat(200)}`).join(
    '\n\n',
  );
  const result = { text: resultText, isPart: false };
  const lastLines = Array.from({ length: 40_000 }, (_, index) => `line ${index}`);
  for (const roomBytes of [0, 1, 200, 400, 1000, 20_000, 500_000, 1_048_576])
    expect(bytesOf({ result, lastLines, roomBytes })).toBeLessThanOrEqual(Math.min(900 * 1024, roomBytes));
  const whole = { conclusion: 'failed', run, known, result, resultFile: '/tmp/result.md', lastLines } as const;
  const summary = printSummary({ ...whole, roomBytes: 21_000 });
  expect(summary).toContain('paragraph 1999 ');
  expect(summary).toContain('only the end is shown; the complete result is in /tmp/result.md');
  expect(summary).toContain('line 39999');
  expect(summary).not.toContain('Parts of this report are left out');
});

test('a part that does not fit is named, and a summary without room for its head is empty', () => {
  const result = { text: 'a line of the agent\n\n'.repeat(9_000), isPart: false };
  const whole = { conclusion: 'failed', run, known, result } as const;
  const summary = printSummary({ ...whole, roomBytes: 400 });
  expect(summary).toContain('Tidy the docs');
  expect(summary).toContain('Parts of this report are left out');
  expect(printSummary({ ...whole, roomBytes: 80 })).toBe('');
});

test.each([
  ['JSON', JSON.stringify({ a: 'x'.repeat(700_000), b: 'THE END' }), 'THE END'],
  ['blank lines at its end', `THE ANSWER\n${' \n'.repeat(1_500_000)}`, 'THE ANSWER'],
  ['blank lines before it', `${'\n \n'.repeat(50_000)}    THE ANSWER`, '```text\nTHE ANSWER\n```'],
  ['one line', `${'x'.repeat(700_000)} THE END`, 'THE END'],
  ['what is escaped', `${'*[a]*\n\n'.repeat(100_000)}THE END`, 'THE END'],
])('a result of %s takes no more of the summary than its part', (_what, text, words) => {
  const summary = printSummary({ conclusion: 'succeeded', run, known, result: { text, isPart: false } });
  const frameBytes = bytesOf({ conclusion: 'succeeded', result: { text: 'x', isPart: false } });
  expect(Buffer.byteLength(summary) - frameBytes).toBeLessThanOrEqual(64 * 1024);
  expect(summary).toContain(words);
});

test('a run inside the step is not named as the place of the whole result', () => {
  const result = { text: 'a line of the agent\n\n'.repeat(9_000), isPart: false };
  const of = (isWithinStep: boolean) => printSummary({ conclusion: 'failed', run, known, result, isWithinStep });
  expect(of(false)).toContain('only the end is shown; the complete result is in ');
  expect(of(true)).toContain('only the end is shown)');
});

test('colors and control characters are removed from every part of a summary', () => {
  const red = (text: string) => `\x1b[1;31m${text}\x1b[0m\x1b]0;title\x07\x07`;
  const of = (paint: (text: string) => string) =>
    printSummary({
      conclusion: 'failed',
      label: paint('node 22'),
      sentence: paint('it broke'),
      known: { runId: paint('r-1'), address: 'https://example.com/r-1' },
      run: {
        ...run,
        title: paint('Mend'),
        agent_config: { name: paint('n'), model_id: paint('m'), harness: { type: paint('h') } },
        request_usage: { [paint('tokens')]: paint('many') },
        artifacts: [
          { artifact_type: 'FILE', created_at: '', data: { filename: paint('a.txt'), description: paint('d') } },
        ],
      } as unknown as Run,
      result: { text: `# ${paint('Done')}\n\n\`${paint('code')}\`\n\n| ${paint('a')} |\n|---|\n| b |`, isPart: false },
      resultFile: '/tmp/result.md',
      lastLines: [paint('\u2713 passed'), `10 %\r${paint('100 %')}`],
      states: [{ state: paint('FAILED'), at: paint('now') }],
    });
  expect(of(red)).toBe(of(text => text));
  expect(of(red)).toContain('\n100 %\n');
  expect(of(red)).not.toContain('10 %\n');
});

test('facts of any type and number break nothing', () => {
  const strange = {
    title: null,
    agent_config: null,
    artifacts: null,
    result: { text: null },
    request_usage: { a: null, b: {} },
  };
  expect(printSummary({ conclusion: 'failed', run: { ...run, ...strange } as unknown as Run, known })).toContain(
    'agent run',
  );
  const usage = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`key ${index}`, index]));
  const artifacts = Array.from({ length: 5000 }, () => ({ artifact_type: 'FILE', created_at: '', data: null }));
  const many = { ...run, request_usage: usage, artifacts } as unknown as Run;
  expect(printSummary({ conclusion: 'failed', run: many, known }).length).toBeLessThan(5000);
});

test.each([
  [0.04, '0 s'],
  [59.94, '59.9 s'],
  [59.99, '1 min 0 s'],
  [3599.7, '1 h 0 min'],
  [7500, '2 h 5 min'],
])('%d seconds are %s', (seconds, shown) => {
  expect(printSeconds(seconds)).toBe(shown);
});
