/** Rules of the verb `review`, each with what would happen without it. */
import { expect, test } from 'vitest';
import { headSha, runApply, token } from '../apply-step.ts';
import { findingOf, mutationsOf, openReviewed, otherSha, reviewOf, reviews } from '../review-fixture.ts';

test('an approval is renewed for a newer commit', async () => {
  const { github, pull } = await openReviewed();
  const answer = reviewOf([], { verdict: 'approve' });
  const inputs = { ...reviews, review_verdicts: 'approve' };
  await runApply(github, { answer, inputs });
  pull.head = otherSha;
  await runApply(github, { answer, inputs: { ...inputs, commit: otherSha } });
  expect(pull.reviews.map(({ state, commit_id }) => [state, commit_id])).toEqual([
    ['APPROVED', headSha],
    ['APPROVED', otherSha],
  ]);
});

test("another person's review with our marker is not edited", async () => {
  const { github, pull } = await openReviewed();
  await runApply(github, { answer: reviewOf([]), inputs: reviews });
  const [review] = pull.reviews;
  if (review === undefined) throw new Error('no review');
  pull.reviews.splice(0, 1, { ...review, user: { login: 'mona' } });
  await runApply(github, { answer: reviewOf([], { summary: 'Better.' }), inputs: reviews });
  expect(pull.reviews).toMatchObject([{ body: review.body }, { body: expect.stringContaining('Better.') }]);
});

test.each([
  ['the token', `key = "${token}"`],
  ['more than is shown', 'x'.repeat(9000)],
])('a suggestion with %s is only shown', async (_, suggestion) => {
  const { github, pull } = await openReviewed();
  await runApply(github, { answer: reviewOf([findingOf({ suggestion })]), inputs: reviews });
  expect(pull.threads[0]?.body).toContain('```text\n');
});

test('findings that do not fit into the review are counted', async () => {
  const { github, pull } = await openReviewed();
  const findings = Array.from({ length: 12 }, (_, index) => findingOf({ path: `${index}.md`, text: 'x'.repeat(7000) }));
  const step = await runApply(github, { answer: reviewOf(findings), inputs: reviews });
  expect(step.outputs.failure_reason).toBe('');
  expect(pull.reviews[0]?.body).toMatch(/\d+ more findings did not fit/);
});

test('a verb after one that failed is not started', async () => {
  const { github } = await openReviewed({ granted: { pull_requests: 'write' } });
  github.faults.push({ on: 'POST /repos/octo-org/demo/pulls/12/reviews', status: 403, body: { message: 'No' } });
  const step = await runApply(github, {
    answer: { ...reviewOf([]), comment: 'Hi.' },
    inputs: { ...reviews, comment: 'true' },
  });
  expect(step.outcome).toBe('failure');
  expect(mutationsOf(github)).toEqual(['POST pulls/12/reviews']);
});

test('a member that is null proposes nothing', async () => {
  const { github } = await openReviewed();
  const step = await runApply(github, { answer: { ...reviewOf([]), labels: null }, inputs: reviews });
  expect(step.summary).not.toContain('not applied');
});

test('own threads are found among more than a page of others', async () => {
  const { github, pull } = await openReviewed();
  await runApply(github, { answer: reviewOf([findingOf()]), inputs: reviews });
  const [thread] = pull.threads;
  if (thread === undefined) throw new Error('no thread');
  pull.threads.unshift(
    ...Array.from({ length: 120 }, (_, index) => ({
      ...thread,
      id: `T${index}`,
      commentId: index + 1,
      author: 'mona',
    })),
  );
  const step = await runApply(github, { answer: reviewOf([findingOf()]), inputs: reviews });
  expect(step.outputs.conclusion).toBe('unchanged');
});

test('patterns with exceptions or braces are refused', async () => {
  const { github } = await openReviewed();
  for (const review_paths of ['!docs/**', 'src/*.{ts,js}']) {
    const step = await runApply(github, { answer: reviewOf([]), inputs: { ...reviews, review_paths } });
    expect(step.outputs.failure_reason).toContain('is not a pattern');
  }
});

test('another finding on the line of a thread that a person resolved gets a thread of its own', async () => {
  const { github, pull } = await openReviewed();
  await runApply(github, { answer: reviewOf([findingOf()]), inputs: reviews });
  for (const thread of pull.threads) thread.isResolved = true;
  await runApply(github, { answer: reviewOf([findingOf({ text: 'It rounds down.' })]), inputs: reviews });
  expect(pull.threads.map(({ isResolved }) => isResolved)).toEqual([true, false]);
});
