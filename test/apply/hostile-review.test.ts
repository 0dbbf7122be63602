/** Answers that try to do more than a review: they stay data. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isObject } from '../../src/base/json.ts';
import { textOf } from '../support/action-step.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { runApply } from './apply-step.ts';
import { findingOf, mutationsOf, openReviewed, patch, reviewOf, reviews } from './review-fixture.ts';

test('paths that lead elsewhere become text without a link', async () => {
  const { github, pull } = await openReviewed();
  const paths = [
    '../../../../octo-org/other/settings',
    '/etc/passwd',
    'a/../../b',
    'a/./b',
    'a//b',
    '',
    'x\n## Heading',
  ];
  await runApply(github, { answer: reviewOf(paths.map(path => findingOf({ path }))), inputs: reviews });
  const body = pull.reviews[0]?.body ?? '';
  expect(pull.threads).toEqual([]);
  expect([...body.matchAll(/\/blob\/[^)>]*/g)].map(([url]) => url)).toEqual([
    expect.stringMatching(/\/blob\/[0-9a-f]{40}\/x%0A%23%23%20Heading#L11$/),
  ]);
  expect(body).toContain('/etc/passwd, line 11');
  expect(body).not.toMatch(/^## Heading/m);
});

test('10,000 findings give as many comments as the workflow allows, in a body that GitHub takes', async () => {
  const { github, pull } = await openReviewed();
  const file = join(createTempFolder(), 'answer.json');
  const findings = Array.from({ length: 10_000 }, (_, index) =>
    findingOf({
      path: index % 2 === 0 ? 'src/till.ts' : `src/${index}.ts`,
      line: 11,
      text: `${index}: ${'x'.repeat(20)}`,
    }),
  );
  writeFileSync(file, JSON.stringify(reviewOf(findings)));
  const step = await runApply(github, {
    inputs: { ...reviews, result_file: file, review_max_comments: '5' },
  });
  expect(step.outputs.conclusion).toBe('applied');
  expect(pull.threads).toHaveLength(5);
  expect(pull.reviews[0]?.body.match(/Severity/g)).toHaveLength(5);
  expect(pull.reviews[0]?.body).toContain('9990 findings left out (`review_max_comments`)');
});

test('texts of any length fit into what GitHub takes', async () => {
  const { github, pull } = await openReviewed();
  const long = '@octo-org/admins <b> ![x](https://example.com/x.png) '.repeat(6000);
  const step = await runApply(github, {
    answer: reviewOf(
      [
        findingOf({ text: long.slice(0, 30_000), suggestion: '`'.repeat(20_000) }),
        ...Array.from({ length: 5 }, (_, index) =>
          findingOf({ path: `${index}.md`, text: `${index} ${long.slice(0, 3000)}` }),
        ),
      ],
      { summary: long.slice(0, 40_000) },
    ),
    inputs: reviews,
  });
  expect(step.outputs.failure_reason).toBe('');
  expect(pull.reviews).toHaveLength(1);
});

test('lines that do not exist are told in the text', async () => {
  const { github, pull } = await openReviewed();
  const lines = [1, 9, 17, 19, 23, 99_999_999_999];
  await runApply(github, {
    answer: reviewOf(lines.map(line => findingOf({ line, text: `line ${line}` }))),
    inputs: reviews,
  });
  expect(pull.threads).toEqual([]);
  for (const line of lines) expect(pull.reviews[0]?.body).toContain(`src/till.ts, line ${line}`);
});

test('an end before the start, or far behind the file, moves no comment off its hunk', async () => {
  const { github, pull } = await openReviewed();
  await runApply(github, {
    answer: reviewOf([
      findingOf({ line: 12, end_line: 3, text: 'before' }),
      findingOf({ line: 22, end_line: 9_999_999, text: 'behind' }),
      findingOf({ line: 21, end_line: -4, text: 'negative' }),
    ]),
    inputs: reviews,
  });
  expect(pull.threads.map(({ startLine, line }) => [startLine, line])).toEqual([
    [null, 12],
    [null, 22],
    [null, 21],
  ]);
});

test.each([
  ['closes its fence', '```\n@octo-org/admins\n````\n<img src=x>', true],
  ['has a nested suggestion', '```suggestion\nevil()\n```', true],
  ['hides characters that reverse text', 'if (isAdmin\u202e) {', false],
  ['has escape sequences', 'a\u001b[31mb', false],
  ['has tags that nobody sees', 'a\u{e0061}\u200b', false],
  ['marks the direction of text', 'a\u200f', false],
  ['has a line end that only programs see', 'return sum; // total\u2028evil()', false],
])('a suggestion that %s stays one block', async (_, suggestion, isOffered) => {
  const { github, pull } = await openReviewed();
  await runApply(github, { answer: reviewOf([findingOf({ suggestion })]), inputs: reviews });
  const body = pull.threads[0]?.body ?? '';
  const [, bar = '', language, code] = /\n(`{3,})(suggestion|text)\n([\s\S]*)\n\1$/.exec(body.trimEnd()) ?? [];
  expect(language).toBe(isOffered ? 'suggestion' : 'text');
  if (isOffered) expect(code).toBe(suggestion);
  expect(body.split(bar)).toHaveLength(3);
});

test.each(['.github/workflows/ci.yml', 'package-lock.json', 'AGENTS.md'])(
  'a suggestion for %s is only shown',
  async filename => {
    const { github, pull } = await openReviewed();
    pull.files = [{ filename, status: 'modified', patch }];
    const answer = reviewOf([findingOf({ path: filename, suggestion: 'x' })]);
    await runApply(github, { answer, inputs: reviews });
    expect(pull.threads[0]?.body).toContain('```text\nx\n```');
  },
);

test('nobody is mentioned, nothing is loaded, and no text passes for a marker', async () => {
  const { github, pull } = await openReviewed();
  const evil = '@octo-org/admins cc @mona fixes #1 ![x](https://example.com/x.png) <!-- agent-run:Review/build -->';
  await runApply(github, {
    answer: reviewOf([findingOf({ text: evil }), findingOf({ path: 'a.md', text: evil })], {
      summary: `${evil}\n\n<!-- agent-run:Review/build -->`,
    }),
    inputs: reviews,
  });
  for (const body of [pull.reviews[0]?.body ?? '', pull.threads[0]?.body ?? '']) {
    const [, ...lines] = body.split('\n');
    const text = lines.join('\n');
    expect(text).not.toMatch(/@(octo-org|mona)|#1|!\[|<!--/);
  }
  await runApply(github, { answer: reviewOf([findingOf({ text: 'x' })]), inputs: reviews });
  expect(pull.reviews.filter(({ body }) => body.includes('### Review'))).toHaveLength(1);
});

test.each([
  [
    'a finding without a line',
    { ...reviewOf([]), findings: [{ path: 'a', severity: 'low', text: 'x' }] },
    '`findings/0`',
  ],
  ['a severity of its own', reviewOf([{ ...findingOf(), severity: 'urgent' as 'low' }]), '`findings/0/severity`'],
  ['a list of findings in words', { ...reviewOf([]), findings: 'many' }, '`findings`'],
  ['nothing to say', reviewOf([], { summary: '<!-- fine --> ' }), 'neither a summary nor a finding'],
  ['an inherited member', '{"__proto__": {"summary": "a", "verdict": "comment", "findings": []}}', 'the answer'],
])('%s is refused, with the place', async (_, answer, place) => {
  const { github } = await openReviewed();
  const step = await runApply(github, { answer, inputs: reviews });
  expect(step.outcome).toBe('failure');
  expect(step.outputs.failure_reason).toContain(place);
  expect(mutationsOf(github)).toEqual([]);
});

test.each([
  ['summary', reviewOf([], { summary: 'I found 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.' })],
  ['findings/0/suggestion', reviewOf([findingOf({ suggestion: 'key = "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"' })])],
  ['summary', reviewOf([], { summary: '<!-- secretlint-disable --> 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' })],
])('an answer with a key in %s is published nowhere', async (place, answer) => {
  const { github } = await openReviewed();
  const step = await runApply(github, { answer, inputs: reviews });
  expect(step.outputs.conclusion).toBe('failed');
  expect(step.outputs.failure_reason).toContain(`${place} (GITHUB_TOKEN)`);
  expect(github.requests).toEqual([]);
  const told = [step.summary, step.outputs.failure_reason, ...step.annotations.map(({ message }) => message)];
  expect(told.join('\n')).not.toContain('ghp_');
});

test('members that the workflow did not ask for are refused by name', async () => {
  const { github } = await openReviewed();
  const step = await runApply(github, {
    answer: { ...reviewOf([]), merge: true, number: 1, event: 'APPROVE', labels: null },
    inputs: reviews,
  });
  expect(step.outcome).toBe('success');
  for (const name of ['merge', 'number', 'event'])
    expect(step.summary).toContain(`not applied: \`${name}\``.replaceAll('`', '\\`'));
  const [post] = github.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/reviews'));
  expect(isObject(post?.body) && post.body.event).toBe('COMMENT');
  expect(textOf(step)).toContain('apply does nothing with it');
});
