/** The verbs `comment` and `labels` of the bundled action. */
import { expect, test } from 'vitest';
import { openFakeGitHub } from '../support/fake-github.ts';
import { runApply } from './apply-step.ts';
import { mutationsOf, openReviewed, otherSha, reviewOf, reviews } from './review-fixture.ts';

const triage = { comment: 'true', labels: 'true', labels_allowed: 'bug, good first issue\nquestion' } as const;
const granted = { issues: 'write' } as const;

test('an issue gets the comment and the labels of the answer, once', async () => {
  const github = await openFakeGitHub({ granted });
  const job = {
    answer: { comment: 'This happens with **two** tills.', labels: ['Bug', 'good first issue'] },
    inputs: triage,
    event: 'issues',
  };
  const step = await runApply(github, job);
  expect(step.outputs).toMatchObject({
    conclusion: 'applied',
    comment_url: expect.stringContaining('#issuecomment-'),
    review_url: '',
  });
  expect(github.comments.map(({ body }) => body)).toEqual([
    expect.stringContaining('This happens with **two** tills.'),
  ]);
  expect(github.labels).toEqual(['bug', 'good first issue']);
  expect((await runApply(github, job)).outputs.conclusion).toBe('unchanged');
  expect(mutationsOf(github)).toEqual(['POST issues/7/comments', 'POST issues/7/labels']);
});

test('a later answer edits the comment, and adds only the labels that are missing', async () => {
  const github = await openFakeGitHub({ granted });
  github.labels.push('Bug');
  for (const comment of ['First.', 'Second.'])
    await runApply(github, { answer: { comment, labels: ['bug', 'question'] }, inputs: triage, event: 'issues' });
  expect(github.comments).toMatchObject([{ body: expect.stringContaining('Second.') }]);
  expect(github.labels).toEqual(['Bug', 'question']);
});

test('labels that are not listed, and more than the maximum, are named and not added', async () => {
  const github = await openFakeGitHub({ granted });
  const step = await runApply(github, {
    answer: { labels: ['security', '@octo-org/admins', 'bug', 'question', 'good first issue', 'BUG'] },
    inputs: { labels: 'true', labels_allowed: triage.labels_allowed, labels_max: '2' },
    event: 'issues',
  });
  expect(github.labels).toEqual(['bug', 'question']);
  expect(step.summary).toContain('security');
  expect(step.annotations.map(({ message }) => message).join()).toContain('Not in `labels_allowed`: `security`');
  expect(step.summary).not.toContain('@octo-org');
  expect(step.summary).toMatch(/1 label left out \(\S*labels_max/);
});

test('a comment mentions nobody and fits into what GitHub takes', async () => {
  const github = await openFakeGitHub({ granted });
  const comment = '@octo-org/admins ![x](https://example.com/x.png) <!-- agent-run:x -->'.repeat(1500);
  await runApply(github, { answer: { comment }, inputs: { comment: 'true' }, event: 'issues' });
  const [{ body } = { body: '' }] = github.comments;
  expect(body.length).toBeGreaterThan(10_000);
  expect(body.length).toBeLessThan(65_536);
  expect(body.slice(body.indexOf('\n'))).not.toMatch(/@octo|!\[|<!--/);
});

test.each([
  [{ comment: ['a'] }, { comment: 'true' }, '`comment` in the answer must be a string'],
  [{ labels: 'bug' }, { labels: 'true', labels_allowed: 'bug' }, '`labels` in the answer is not a list of texts'],
  [{ labels: ['bug'] }, { labels: 'true' }, '`labels_allowed` is empty'],
  [{ labels: ['bug'] }, { comment: 'true', labels_allowed: 'bug' }, '`labels_allowed` has no effect'],
])('%j with %j is refused', async (answer, inputs, why) => {
  const github = await openFakeGitHub({ granted });
  const step = await runApply(github, { answer, inputs, event: 'issues' });
  expect(step.outputs.failure_reason).toContain(why);
  expect(mutationsOf(github)).toEqual([]);
});

test('what a verb that is off would do is refused by name', async () => {
  const github = await openFakeGitHub({ granted });
  const step = await runApply(github, {
    answer: { comment: 'Hello.', labels: ['bug'] },
    inputs: { comment: 'true' },
    event: 'issues',
  });
  expect(github.labels).toEqual([]);
  expect(step.annotations.map(({ message }) => message).join()).toContain('`labels`: `labels` is off');
});

test('an answer that proposes nothing changes nothing', async () => {
  const github = await openFakeGitHub({ granted });
  const step = await runApply(github, { answer: { comment: null }, inputs: triage, event: 'issues' });
  expect([step.outcome, step.outputs.conclusion]).toEqual(['success', 'unchanged']);
  expect(github.requests).toEqual([]);
});

test.each([
  [{ labels: ['feature'] }, 'Not in `labels_allowed`: `feature`'],
  [{ label: ['bug'] }, 'It has no `comment` or `labels`'],
  [{}, 'It has no `comment` or `labels`'],
])('%j, of which nothing can be applied, gets a warning', async (answer, why) => {
  const github = await openFakeGitHub({ granted });
  const step = await runApply(github, { answer, inputs: triage, event: 'issues' });
  expect(step.annotations.map(({ message }) => message).join()).toContain(why);
  expect(step.outputs.conclusion).toBe('unchanged');
  expect(step.summary).toContain('Nothing was applied');
  expect(step.summary).not.toContain('✅');
});

test.each(['- bug', '["bug"]', 'bug\n- question'])('%j is not a list of labels', async labels_allowed => {
  const github = await openFakeGitHub({ granted });
  const step = await runApply(github, { answer: {}, inputs: { labels: 'true', labels_allowed }, event: 'issues' });
  expect(step.outputs.failure_reason).toContain('is not a label. Write one per line, or separate them by commas');
});

test('a dry run shows comment and labels', async () => {
  const github = await openFakeGitHub({ granted: { issues: 'read' } });
  const step = await runApply(github, {
    answer: { comment: 'Hello.', labels: ['bug'] },
    inputs: { ...triage, dry_run: 'true' },
    event: 'issues',
  });
  expect(step.outputs.conclusion).toBe('dry_run');
  expect(step.summary).toMatch(/the label bug[\s\S]*Hello\./);
  expect(mutationsOf(github)).toEqual([]);
});

test('a token without the permission for labels still leaves the comment, and the step says what is missing', async () => {
  const github = await openFakeGitHub({ granted });
  github.faults.push({
    on: 'POST /repos/octo-org/demo/issues/7/labels',
    status: 403,
    headers: { 'x-accepted-github-permissions': 'issues=write; pull_requests=write' },
    body: { message: 'Resource not accessible by integration' },
  });
  const step = await runApply(github, {
    answer: { comment: 'Hello.', labels: ['bug'] },
    inputs: triage,
    event: 'issues',
  });
  expect(step.outcome).toBe('failure');
  expect(step.outputs.failure_reason).toContain('`issues: write`, or `pull-requests: write`');
  expect(step.outputs.comment_url).not.toBe('');
  expect(step.summary).toMatch(/not applied in full[\s\S]*1 created comment/);
});

test.each([{ comment: 'true' }, { labels: 'true', labels_allowed: 'bug' }])(
  '%j for an older commit of a pull request changes nothing',
  async inputs => {
    const { github, pull } = await openReviewed({ granted: { pull_requests: 'write' } });
    const job = { answer: { comment: 'Thank you.', labels: ['bug'] }, inputs };
    pull.head = otherSha;
    const step = await runApply(github, job);
    expect([step.outcome, step.outputs.conclusion]).toEqual(['success', 'outdated']);
    expect(mutationsOf(github)).toEqual([]);
    await runApply(github, { ...job, inputs: { ...inputs, commit: otherSha } });
    expect(mutationsOf(github)).toHaveLength(1);
  },
);

test('the commit of a pull request says nothing about an issue that `number` names', async () => {
  const { github, pull } = await openReviewed({ granted: { issues: 'write', pull_requests: 'read' } });
  pull.head = otherSha;
  const step = await runApply(github, { answer: { comment: 'See there.' }, inputs: { comment: 'true', number: '7' } });
  expect(step.outputs.conclusion).toBe('applied');
});

test('one step can review, comment and label', async () => {
  const { github, pull } = await openReviewed({ granted: { pull_requests: 'write' } });
  const step = await runApply(github, {
    answer: { ...reviewOf([]), comment: 'Thank you.', labels: ['bug'] },
    inputs: { ...reviews, ...triage },
  });
  expect(step.outputs.conclusion).toBe('applied');
  expect([pull.reviews.length, github.comments.length, github.labels.length]).toEqual([1, 1, 1]);
});
