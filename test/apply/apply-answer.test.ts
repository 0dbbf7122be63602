/** The frame of the bundled action: inputs, permissions, dry runs, requests that fail. */
import { expect, test } from 'vitest';
import { isObject } from '../../src/base/json.ts';
import { textOf } from '../support/action-step.ts';
import { headSha, runApply } from './apply-step.ts';
import { findingOf, mutationsOf, openReviewed, otherSha, reviewOf, reviews } from './review-fixture.ts';

test('a dry run shows everything that it would write, and writes nothing', async () => {
  const { github } = await openReviewed({ granted: { pull_requests: 'read' } });
  const step = await runApply(github, {
    answer: reviewOf([findingOf({ suggestion: 'return 0;' })]),
    inputs: { ...reviews, dry_run: 'true' },
  });
  expect(step.outputs.conclusion).toBe('dry_run');
  expect(mutationsOf(github)).toEqual([]);
  for (const text of ['a new review with 1 comment', 'It adds up prices.', 'src/till.ts, line 11', 'return 0;'])
    expect(step.summary).toContain(text);
});

test.each([
  [{}, 'nothing is asked for'],
  [{ review: 'yes' }, '`review` must be true or false, not "yes"'],
  [{ review_paths: 'src/**' }, '`review_paths` has no effect, because `review` is off'],
  [{ ...reviews, review_max_comments: '101' }, '`review_max_comments` must be a whole number from 1 to 100, not "101"'],
  [{ ...reviews, review_min_severity: 'hight' }, 'Did you mean "high"?'],
  [{ ...reviews, review_min_severity: 'x' }, 'is not one of low, critical, high, medium'],
  [{ ...reviews, review_verdicts: 'approved' }, 'Did you mean "approve"?'],
  [{ ...reviews, commit: 'main' }, '`commit` must be the full hash of a commit in lower case, not "main"'],
  [{ ...reviews, number: '0' }, '`number` must be a whole number of 1 or more, not "0"'],
  [{ ...reviews, review_max_comment: '5' }, 'Did you mean `review_max_comments`?'],
  [{ ...reviews, fail_when: 'verdict == approve' }, '`fail_when` is an input of agent-run, not of this action'],
  [{ ...reviews, model: 'm' }, '`model` is not an input of this action. Remove it'],
  [{ ...reviews, result: '' }, '`result` and `result_file` are empty'],
  [{ ...reviews, result: 'null' }, '`result` is null'],
  [{ ...reviews, result: 'I am done.' }, '`result` does not end with JSON'],
  [{ ...reviews, result: '[]' }, '`result` is not a JSON object'],
  [{ ...reviews, result_file: 'answer.json' }, '`result` and `result_file` are both set'],
  [{ ...reviews, github_token: '' }, '`github_token` is empty'],
])('%j is refused before anything is sent', async (inputs, why) => {
  const { github } = await openReviewed();
  const step = await runApply(github, { answer: reviewOf([]), inputs });
  expect(step.outcome).toBe('failure');
  expect(step.outputs).toMatchObject({ conclusion: 'failed', failure_reason: expect.stringContaining(why) });
  expect(github.requests).toEqual([]);
});

test('an answer at the end of a text is read', async () => {
  const { github, pull } = await openReviewed();
  const answer = `I ran the tests: { "passed": 3 }.\n\n\`\`\`json\n${JSON.stringify(reviewOf([findingOf()]))}\n\`\`\`\n`;
  await runApply(github, { answer, inputs: reviews });
  expect(pull.threads).toHaveLength(1);
});

test('a pull request with a newer commit is left alone, and the step stays green', async () => {
  const { github, pull } = await openReviewed();
  pull.head = otherSha;
  const step = await runApply(github, { answer: reviewOf([findingOf()]), inputs: reviews });
  expect([step.outcome, step.outputs.conclusion]).toEqual(['success', 'outdated']);
  expect(mutationsOf(github)).toEqual([]);
  expect(step.annotations.map(({ message }) => message).join()).toContain(
    `the head of the pull request is ${otherSha}`,
  );
});

test.each([reviews, { comment: 'true' }])('%j with the merge commit of a pull request fails', async inputs => {
  const { github } = await openReviewed();
  const answer = { ...reviewOf([findingOf()]), comment: 'Thank you.' };
  const step = await runApply(github, { answer, inputs: { ...inputs, commit: otherSha } });
  expect(step.outputs.failure_reason).toContain(`\`commit\` is ${otherSha}, but the head of the pull request is still`);
  expect(mutationsOf(github)).toEqual([]);
});

test('an event without a pull request, or without a commit, needs inputs', async () => {
  const { github, pull } = await openReviewed();
  const job = { answer: reviewOf([]), event: 'schedule' };
  expect((await runApply(github, { ...job, inputs: reviews })).outputs.failure_reason).toContain('Set `number`');
  const numbered = { ...reviews, number: '12' };
  const step = await runApply(github, { ...job, inputs: numbered, event: 'issue_comment-pull' });
  expect(step.outputs.failure_reason).toContain('Set `commit`');
  await runApply(github, { ...job, inputs: { ...numbered, commit: headSha } });
  expect(pull.reviews).toHaveLength(1);
});

test('a token without the permission is told which one is missing', async () => {
  const { github } = await openReviewed({ granted: { pull_requests: 'read' } });
  const step = await runApply(github, { answer: reviewOf([findingOf()]), inputs: reviews });
  expect(step.outcome).toBe('failure');
  expect(step.outputs.failure_reason).toContain('This requires `pull-requests: write`');
});

test('on a pull request from a fork, the step says that the token cannot write', async () => {
  const { github } = await openReviewed({ granted: { pull_requests: 'read', contents: 'read' } });
  const step = await runApply(github, { answer: reviewOf([]), inputs: reviews, event: 'pull_request-fork' });
  expect(step.outputs.failure_reason).toContain('On a pull request from a fork the token is always read-only');
});

test('a review whose answer got lost is not posted twice', async () => {
  const { github, pull } = await openReviewed();
  github.faults.push({ on: 'POST /repos/octo-org/demo/pulls/12/reviews', how: 'lost' });
  const step = await runApply(github, { answer: reviewOf([findingOf()]), inputs: reviews });
  expect(step.outcome).toBe('success');
  expect([pull.reviews.length, pull.threads.length]).toEqual([1, 1]);
});

test('if GitHub refuses a line, all findings go into the text', async () => {
  const { github, pull } = await openReviewed();
  github.faults.push({
    on: 'POST /repos/octo-org/demo/pulls/12/reviews',
    status: 422,
    body: { message: 'Unprocessable Entity', errors: ['Line could not be resolved'] },
  });
  await runApply(github, { answer: reviewOf([findingOf()]), inputs: reviews });
  expect(pull.threads).toEqual([]);
  expect(pull.reviews[0]?.body).toContain('src/till.ts, line 11');
});

test('what GitHub has against a review is told', async () => {
  const { github } = await openReviewed();
  const errors = [{ message: 'GitHub Actions is not permitted to approve pull requests.' }];
  github.faults.push({
    on: 'POST /repos/octo-org/demo/pulls/12/reviews',
    status: 422,
    body: { message: 'Unprocessable Entity', errors },
    times: 9,
  });
  const step = await runApply(github, { answer: reviewOf([]), inputs: reviews });
  expect(step.outputs.failure_reason).toContain('Unprocessable Entity: GitHub Actions is not permitted to approve');
});

test('jobs with different keys keep reviews of their own', async () => {
  const { github, pull } = await openReviewed();
  for (const key of ['security', 'style', 'style'])
    await runApply(github, { answer: reviewOf([]), inputs: { ...reviews, key } });
  expect(pull.reviews).toHaveLength(2);
});

test('a diff of 300 files is read page by page, as far as the findings need it', async () => {
  const { github, pull } = await openReviewed();
  const patch = '@@ -0,0 +1,1 @@\n+x';
  pull.files = Array.from({ length: 300 }, (_, index) => ({ filename: `src/${index}.ts`, status: 'added', patch }));
  await runApply(github, { answer: reviewOf([findingOf({ path: 'src/150.ts', line: 1 })]), inputs: reviews });
  expect(pull.threads).toMatchObject([{ path: 'src/150.ts', line: 1 }]);
  expect(github.calls().filter(call => call.endsWith('/files'))).toHaveLength(2);
});

test('renamed and binary files: the former name counts on the left, and a file without a diff has no lines', async () => {
  const { github, pull } = await openReviewed();
  pull.files = [
    { filename: 'new.ts', previous_filename: 'old.ts', status: 'renamed', patch: '@@ -1,2 +1,1 @@\n-a\n b' },
    { filename: 'logo.png', status: 'modified' },
  ];
  await runApply(github, {
    answer: reviewOf([
      findingOf({ path: 'old.ts', line: 1, side: 'LEFT' }),
      findingOf({ path: 'old.ts', line: 1 }),
      findingOf({ path: 'logo.png', line: 1 }),
    ]),
    inputs: reviews,
  });
  expect(pull.threads).toMatchObject([{ path: 'new.ts', side: 'LEFT', line: 1 }]);
  expect(pull.reviews[0]?.body).toMatch(/old\.ts, line 1[\s\S]*logo\.png, line 1/);
});

test('the token is sent to GitHub alone and shown nowhere', async () => {
  const { github } = await openReviewed();
  const step = await runApply(github, {
    answer: reviewOf([], { summary: 'The token is ghs_of-a-test, I think.' }),
    inputs: reviews,
  });
  const bodies = github.requests.map(({ body }) => (isObject(body) ? String(body.body) : ''));
  expect(bodies.join()).toContain('The token is \\*\\*\\*');
  expect(`${step.summary}${textOf(step)}`).not.toContain('ghs_of-a-test');
});
