/** The verb `review` of the bundled action, from push to push. */
import { expect, test } from 'vitest';
import { textOf } from '../support/action-step.ts';
import { headSha, runApply } from './apply-step.ts';
import { findingOf, mutationsOf, openReviewed, otherSha, reviewOf, reviews, writes } from './review-fixture.ts';

test('a finding on the diff becomes a comment with a suggestion, and another goes into the text with a link', async () => {
  const { github, pull } = await openReviewed();
  const step = await runApply(github, {
    answer: reviewOf([
      findingOf({ line: 11, end_line: 12, suggestion: '  return sumOf(items);' }),
      findingOf({ path: 'docs/a b.md', line: 3, end_line: 5, severity: 'low', text: 'This page is **wrong** now.' }),
    ]),
    inputs: reviews,
  });
  expect(step.outputs).toMatchObject({
    conclusion: 'applied',
    failure_reason: '',
    review_url: 'https://github.com/octo-org/demo/pull/12#pullrequestreview-5001',
  });
  expect(pull.reviews).toMatchObject([{ state: 'COMMENTED', commit_id: headSha }]);
  expect(pull.reviews[0]?.body).toContain('It adds up prices.');
  expect(pull.reviews[0]?.body).toContain(
    `[docs/a b.md, lines 3–5](<https://github.com/octo-org/demo/blob/${headSha}/docs/a%20b.md#L3-L5>)`,
  );
  expect(pull.reviews[0]?.body).toContain('This page is **wrong** now.');
  expect(pull.threads).toMatchObject([{ path: 'src/till.ts', side: 'RIGHT', startLine: 11, line: 12 }]);
  expect(pull.threads[0]?.body).toContain('**Severity: high**\n\nAn empty list gives 0, not an error.');
  expect(pull.threads[0]?.body).toContain('```suggestion\n  return sumOf(items);\n```');
  expect(step.summary).toContain('a new review with 1 comment');
});

test('a removed line is commented on the left, without a suggestion', async () => {
  const { github, pull } = await openReviewed();
  await runApply(github, { answer: reviewOf([findingOf({ side: 'LEFT', suggestion: 'x' })]), inputs: reviews });
  expect(pull.threads).toMatchObject([{ side: 'LEFT', line: 11, startLine: null }]);
  expect(pull.threads[0]?.body).toContain('```text\nx\n```');
});

test('a finding that reaches out of the diff is commented where it meets it, and its suggestion is only shown', async () => {
  const { github, pull } = await openReviewed();
  await runApply(github, {
    answer: reviewOf([findingOf({ line: 15, end_line: 21, suggestion: 'x' })]),
    inputs: reviews,
  });
  expect(pull.threads).toMatchObject([{ startLine: 15, line: 16 }]);
  expect(pull.threads[0]?.body).toContain('lines 15–21');
  expect(pull.threads[0]?.body).not.toContain('suggestion');
});

test('the same answer again changes nothing', async () => {
  const { github } = await openReviewed();
  const job = { answer: reviewOf([findingOf(), findingOf({ line: 20, text: 'Unused.' })]), inputs: reviews };
  expect((await runApply(github, job)).outputs.conclusion).toBe('applied');
  expect((await runApply(github, job)).outputs.conclusion).toBe('unchanged');
  expect(mutationsOf(github)).toEqual(['POST pulls/12/reviews']);
});

test('at the next push the summary is edited, what stands is not repeated, and threads without finding are resolved', async () => {
  const { github, pull } = await openReviewed();
  await runApply(github, {
    answer: reviewOf([findingOf(), findingOf({ line: 20, text: 'Unused.' })]),
    inputs: reviews,
  });
  pull.head = otherSha;
  const step = await runApply(github, {
    answer: reviewOf([findingOf({ text: 'The sum of an empty list is 0.' }), findingOf({ line: 21, text: 'New.' })], {
      summary: 'Better.',
    }),
    inputs: { ...reviews, commit: otherSha },
  });
  expect(pull.reviews).toHaveLength(2);
  expect(pull.reviews[0]?.body).toContain('Review of `0123456`');
  expect(pull.reviews[0]?.body).toContain('Better.');
  expect(pull.reviews[1]?.body).toContain('1 new finding in `0123456`');
  expect(pull.threads.map(({ line, isResolved }) => [line, isResolved])).toEqual([
    [11, false],
    [20, true],
    [21, false],
  ]);
  expect(pull.threads[0]?.body).toContain('The sum of an empty list is 0.');
  expect(pull.threads[1]?.body).toMatch(/No longer found in `0123456`[\s\S]*Unused\./);
  expect(step.outputs.review_url).toContain('pullrequestreview-');
});

test('a token that may not resolve threads says in the comment that the finding is gone, once', async () => {
  const { github, pull } = await openReviewed({ granted: { pull_requests: 'write', contents: 'read' } });
  await runApply(github, { answer: reviewOf([findingOf()]), inputs: reviews });
  const next = { answer: reviewOf([]), inputs: reviews };
  await runApply(github, next);
  expect(pull.threads).toMatchObject([{ isResolved: false }]);
  expect(pull.threads[0]?.body).toContain(`*No longer found in \`${headSha.slice(0, 7)}\`.*`);
  const again = await runApply(github, next);
  expect(again.outputs.conclusion).toBe('unchanged');
});

test('a token that GitHub stops at the thread after all leaves the same words, and says what it lacks', async () => {
  const { github, pull } = await openReviewed();
  pull.refusesToResolve = true;
  await runApply(github, { answer: reviewOf([findingOf(), findingOf({ line: 20, text: 'x' })]), inputs: reviews });
  const step = await runApply(github, { answer: reviewOf([]), inputs: reviews });
  expect(step.outcome).toBe('success');
  expect(step.summary).toContain('contents: write');
  expect(pull.threads.map(({ body }) => body.includes('No longer found'))).toEqual([true, true]);
  expect((await runApply(github, { answer: reviewOf([]), inputs: reviews })).outputs.conclusion).toBe('unchanged');
});

test('a finding that comes back reopens its comment if it was not resolved, and otherwise gets a new one', async () => {
  for (const [granted, threads] of [
    [{ pull_requests: 'write' }, 1],
    [writes, 2],
  ] as const) {
    const { github, pull } = await openReviewed({ granted });
    for (const findings of [[findingOf()], [], [findingOf()]])
      await runApply(github, { answer: reviewOf(findings), inputs: reviews });
    expect(pull.threads).toHaveLength(threads);
    expect(pull.threads.at(-1)).toMatchObject({ isResolved: false });
    expect(pull.threads.at(-1)?.body).not.toContain('No longer found');
  }
});

test('a thread that a person resolved is not raised again', async () => {
  const { github, pull } = await openReviewed();
  const job = { answer: reviewOf([findingOf()]), inputs: reviews };
  await runApply(github, job);
  for (const thread of pull.threads) thread.isResolved = true;
  const step = await runApply(github, job);
  expect(pull.threads).toHaveLength(1);
  expect(pull.reviews[0]?.body).toContain('1 finding not repeated, because somebody resolved the thread');
  expect(textOf(step)).toContain('1 edited review');
});

test('a person with the name of the app, and their words with our marker, are left alone', async () => {
  const { github, pull } = await openReviewed();
  const job = { answer: reviewOf([findingOf()]), inputs: reviews };
  await runApply(github, job);
  const [thread] = pull.threads;
  if (thread === undefined) throw new Error('no thread');
  pull.threads.splice(0, 1, { ...thread, author: 'github-actions' });
  await runApply(github, { answer: reviewOf([]), inputs: reviews });
  expect(pull.threads).toMatchObject([{ isResolved: false, body: thread.body }]);
});

test.each([
  ['approve', {}, 'COMMENTED'],
  ['approve', { review_verdicts: 'approve' }, 'APPROVED'],
  ['request_changes', {}, 'CHANGES_REQUESTED'],
  ['request_changes', { review_verdicts: 'comment' }, 'COMMENTED'],
] as const)('the verdict %s with %j becomes a review that is %s', async (verdict, inputs, state) => {
  const { github, pull } = await openReviewed();
  const step = await runApply(github, { answer: reviewOf([], { verdict }), inputs: { ...reviews, ...inputs } });
  expect(pull.reviews).toMatchObject([{ state }]);
  if (state === 'COMMENTED') expect(step.summary).toContain("The agent's verdict");
});

test('nobody judges their own pull request', async () => {
  const { github, pull } = await openReviewed();
  pull.author = 'github-actions[bot]';
  const step = await runApply(github, { answer: reviewOf([], { verdict: 'request_changes' }), inputs: reviews });
  expect(pull.reviews).toMatchObject([{ state: 'COMMENTED' }]);
  expect(step.outcome).toBe('success');
});

test('a verdict that no longer holds is dismissed, and a new one comes with a new review', async () => {
  const { github, pull } = await openReviewed();
  const job = (verdict: 'approve' | 'comment' | 'request_changes') => ({
    answer: reviewOf([], { verdict }),
    inputs: { ...reviews, review_verdicts: 'approve request_changes' },
  });
  await runApply(github, job('request_changes'));
  await runApply(github, job('comment'));
  expect(pull.reviews.map(({ state }) => state)).toEqual(['DISMISSED']);
  await runApply(github, job('approve'));
  expect(pull.reviews.map(({ state }) => state)).toEqual(['DISMISSED', 'APPROVED']);
  expect(pull.reviews[0]?.body).toContain('replaces this one');
  await runApply(github, job('approve'));
  expect(pull.reviews).toHaveLength(2);
});

test('a verdict that may not be dismissed stands, and the step says why', async () => {
  const { github, pull } = await openReviewed();
  await runApply(github, { answer: reviewOf([findingOf()], { verdict: 'request_changes' }), inputs: reviews });
  github.faults.push({
    on: 'PUT /repos/octo-org/demo/pulls/12/reviews/5001/dismissals',
    status: 403,
    body: { message: 'Only people with permission may dismiss' },
  });
  const step = await runApply(github, { answer: reviewOf([]), inputs: reviews });
  expect(step.outcome).toBe('success');
  expect(step.summary).toContain('Only people with permission may dismiss');
  expect(pull.threads).toMatchObject([{ isResolved: true }]);
});

test('the same words about two lines are two findings, each with its own thread', async () => {
  const { github, pull } = await openReviewed();
  const both = [findingOf({ line: 11 }), findingOf({ line: 20 }), findingOf({ line: 20 })];
  await runApply(github, { answer: reviewOf(both), inputs: reviews });
  expect(pull.threads.map(({ line }) => line)).toEqual([11, 20]);
  await runApply(github, { answer: reviewOf([findingOf({ line: 20 })]), inputs: reviews });
  expect(pull.threads.map(({ isResolved }) => isResolved)).toEqual([true, false]);
});

test('a worse finding is in the text if milder ones have all comments', async () => {
  const { github, pull } = await openReviewed();
  const low = findingOf({ severity: 'low', text: 'Naming.' });
  const inputs = { ...reviews, review_max_comments: '1' };
  await runApply(github, { answer: reviewOf([low]), inputs });
  const answer = reviewOf([
    low,
    findingOf({ line: 20, severity: 'critical', text: 'It loses orders.' }),
    findingOf({ line: 21, severity: 'low', text: 'Spelling.' }),
  ]);
  await runApply(github, { answer, inputs });
  const body = pull.reviews[0]?.body ?? '';
  expect(pull.threads).toHaveLength(1);
  expect(body).toMatch(/#### Other findings[\s\S]*critical[\s\S]*src\/till\.ts, line 20[\s\S]*loses orders/);
  expect(body).not.toContain('Spelling');
  expect(body).toContain('1 finding left out (`review_max_comments`)');
  expect((await runApply(github, { answer, inputs })).outputs.conclusion).toBe('unchanged');
});

test('a step that fails after its review names the review', async () => {
  const { github, pull } = await openReviewed();
  await runApply(github, { answer: reviewOf([findingOf()]), inputs: reviews });
  github.faults.push({ on: 'PATCH /repos/octo-org/demo/pulls/comments', status: 403, body: { message: 'Forbidden' } });
  const answer = reviewOf([findingOf({ line: 20, text: 'Unused.' })]);
  const step = await runApply(github, { answer, inputs: reviews });
  expect([step.outcome, pull.reviews.length]).toEqual(['failure', 2]);
  expect(step.outputs.review_url).toContain('pullrequestreview-');
  expect(step.summary).toContain('a new review with 1 comment');
  expect(textOf(step)).toContain('Not everything was applied');
});

test('severity, paths and number of comments are limited, and the text says what is left out', async () => {
  const { github, pull } = await openReviewed();
  await runApply(github, {
    answer: reviewOf([
      findingOf({ line: 11, severity: 'low', text: 'low' }),
      findingOf({ line: 12, severity: 'medium', text: 'medium' }),
      findingOf({ line: 20, severity: 'critical', text: 'critical' }),
      findingOf({ path: 'docs/a.md', text: 'elsewhere' }),
    ]),
    inputs: { ...reviews, review_max_comments: '1', review_min_severity: 'medium', review_paths: 'src/**' },
  });
  expect(pull.threads.map(({ line }) => line)).toEqual([20]);
  const body = pull.reviews[0]?.body ?? '';
  for (const input of ['review_max_comments', 'review_min_severity', 'review_paths'])
    expect(body).toContain(`1 finding left out (\`${input}\`)`);
});

test('a path may start with ./, and findings without a line in the diff are counted', async () => {
  const { github, pull } = await openReviewed();
  const findings = [findingOf({ path: './src/till.ts' }), findingOf({ path: 'README.md' })];
  const step = await runApply(github, {
    answer: reviewOf(findings),
    inputs: { ...reviews, review_paths: 'src/** *.md' },
  });
  expect(pull.threads).toMatchObject([{ path: 'src/till.ts', line: 11 }]);
  expect(step.summary).toContain('1 finding without a comment on a line');
});
