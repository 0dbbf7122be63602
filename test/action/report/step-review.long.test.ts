/** `review: on` of the bundled action, with an agent in the step. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFakeRunner } from '../../../src/testing/index.ts';
import { token } from '../../apply/apply-step.ts';
import { findingOf, mutationsOf, openReviewed, type Reviewed, reviewOf } from '../../apply/review-fixture.ts';
import { pathOfEvent } from '../../support/event.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

const root = resolve(import.meta.dirname, '../../..');

interface ReviewStep {
  readonly answer: unknown;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly event?: string;
  readonly actionDir?: string;
  /** What the agent does besides. */
  readonly script?: string;
}

async function runReview(
  { github }: Pick<Reviewed, 'github'>,
  { answer, inputs = {}, event = 'pull_request', actionDir = root, script = '' }: ReviewStep,
) {
  const runner = await createFakeRunner({
    actionDir,
    secrets: [token],
    event: JSON.parse(readFileSync(pathOfEvent(event), 'utf8')),
    context: { api_url: github.apiUrl, repository: 'octo-org/demo', event_name: event, workflow: 'Review' },
  });
  onTestFinished(() => runner.close());
  writeFileSync(join(runner.workspace, 'till.ts'), '');
  const write = `cat > "$AGENT_RUN_RESULT" <<'END'\n${JSON.stringify(answer)}\nEND`;
  const step = await runner.startStep({
    inputs: {
      prompt: 'Review it.',
      command: JSON.stringify(['sh', '-c', `${write}\n${script}`]),
      review: 'on',
      github_token: token,
      ...inputs,
    },
  }).done;
  const warnings = step.annotations.flatMap(({ level, message }) => (level === 'warning' ? [message] : []));
  const errors = step.annotations.flatMap(({ level, message }) => (level === 'error' ? [message] : []));
  return { ...step, warnings, errors, ending: [step.outputs.conclusion, step.outcome] };
}

test('the agent’s review becomes comments on lines, and the same one again changes nothing', async () => {
  const reviewed = await openReviewed();
  const step = await runReview(reviewed, { answer: reviewOf([findingOf({ suggestion: 'return 0;' })]) });
  expect([step.ending, step.warnings]).toEqual([['succeeded', 'success'], []]);
  expect(reviewed.pull.threads).toMatchObject([{ path: 'src/till.ts', line: 11 }]);
  expect(step.log.map(({ text }) => text).join('\n')).toMatch(/review: a new review with 1 comment \(https/);
  const before = mutationsOf(reviewed.github);
  await runReview(reviewed, { answer: reviewOf([findingOf({ suggestion: 'return 0;' })]) });
  expect(mutationsOf(reviewed.github)).toEqual(before);
});

test('an agent that rewrites the files of the action does not change what posts its review', async () => {
  const actionDir = createTempFolder();
  cpSync(join(root, 'dist'), join(actionDir, 'dist'), { recursive: true });
  cpSync(join(root, 'action.yml'), join(actionDir, 'action.yml'));
  const reviewed = await openReviewed();
  const script = `for file in '${actionDir}'/dist/*.js; do echo 'throw new Error("rewritten");' > "$file"; done`;
  const step = await runReview(reviewed, { answer: reviewOf([findingOf()]), actionDir, script });
  expect([step.ending, step.warnings]).toEqual([['succeeded', 'success'], []]);
  expect(reviewed.pull.threads).toHaveLength(1);
});

test('an agent can neither approve nor post more than the usual number of comments', async () => {
  const reviewed = await openReviewed();
  const findings = Array.from({ length: 30 }, (_, index) => findingOf({ text: `Fault ${index}.` }));
  await runReview(reviewed, { answer: reviewOf(findings, { verdict: 'approve' }) });
  expect(reviewed.pull.reviews.map(({ state }) => state)).toEqual(['COMMENTED']);
  expect(reviewed.pull.threads).toHaveLength(20);
});

test('a review that fail_when rejects is posted, and the step is red', async () => {
  const reviewed = await openReviewed();
  const answer = reviewOf([findingOf()], { verdict: 'request_changes' });
  const step = await runReview(reviewed, { answer, inputs: { fail_when: 'verdict == request_changes' } });
  expect(step.ending).toEqual(['rejected', 'failure']);
  expect(reviewed.pull.reviews.map(({ state }) => state)).toEqual(['CHANGES_REQUESTED']);
});

test.each([
  ['review', { output_schema: 'review', review: 'off', fail_on: 'none' }],
  ['review: on', { fail_on: 'none' }],
])('by %s, a review with neither a summary nor a finding is red and not posted', async (_name, inputs) => {
  const reviewed = await openReviewed();
  const step = await runReview(reviewed, { answer: reviewOf([], { summary: ' \u200b' }), inputs });
  expect(step.ending).toEqual(['failed', 'failure']);
  expect(step.outputs).toMatchObject({ failure_phase: 'result', error_code: 'no_result' });
  expect(mutationsOf(reviewed.github)).toEqual([]);
});

const key = `ghp_${'aB3dE6gH9j'.repeat(4).slice(0, 36)}`;

test.each([
  ['it contains a key', { answer: reviewOf([findingOf({ text: key })]) }, 'seems to contain a secret: findings/0/text'],
  [
    'its text hides a key',
    { answer: reviewOf([], { summary: key.replace('_', '\\_') }) },
    'for GitHub seems to contain',
  ],
  [
    'the answer is another one',
    { answer: { ok: true }, inputs: { output_schema: '{ "type": "object" }' } },
    'the answer is not a review',
  ],
  ['the token is read-only', { isReadOnly: true }, '`pull-requests: write`'],
])('a review that cannot be posted, because %s, fails the step', async (_name, given, why) => {
  const { isReadOnly, ...step }: Partial<ReviewStep> & { isReadOnly?: boolean } = given;
  const granted = isReadOnly === true ? { granted: { pull_requests: 'read', issues: 'write' } as const } : {};
  const reviewed = await openReviewed(granted);
  const inputs = { comment: 'on_failure', fail_on: 'none', ...step.inputs };
  const { ending, errors, outputs, summary } = await runReview(reviewed, {
    answer: reviewOf([findingOf()]),
    ...step,
    inputs,
  });
  expect(ending).toEqual(['failed', 'failure']);
  expect([outputs.failure_reason, outputs.failure_phase]).toEqual([expect.stringContaining(why), 'step']);
  expect(errors).toEqual([expect.stringContaining(`The review was not posted: `)]);
  const comments = reviewed.github.comments.map(({ body }) => body);
  for (const text of [errors.join(), summary, comments.join()]) {
    expect(text).toContain('The review was not posted');
    expect(text).not.toContain('succeeded');
    expect(text).not.toContain(key);
  }
  expect(reviewed.pull.reviews).toEqual([]);
});

test('a rejected result whose review cannot be posted stays rejected, and says both', async () => {
  const reviewed = await openReviewed({ granted: { pull_requests: 'read' } });
  const answer = reviewOf([findingOf()], { verdict: 'request_changes' });
  const { ending, outputs } = await runReview(reviewed, {
    answer,
    inputs: { fail_when: 'verdict == request_changes' },
  });
  expect(ending).toEqual(['rejected', 'failure']);
  expect(outputs.failure_reason).toMatch(/^The result meets `fail_when.*The review was not posted: /);
});

test.each([
  ['the event has no pull request', { event: 'push' }, 'the event push has no pull request with a commit'],
  ['the token is empty', { event: 'push', inputs: { github_token: '' } }, '`github_token` is empty'],
])('if %s, no agent runs, because its review could not be posted', async (_name, step, why) => {
  const reviewed = await openReviewed();
  const { ending, errors, outputs } = await runReview(reviewed, { answer: reviewOf([findingOf()]), ...step });
  expect([ending, outputs.run_id]).toEqual([['start_failed', 'failure'], '']);
  expect(errors.join()).toContain(why);
});

test('the comment has a link to the review in place of the answer', async () => {
  const reviewed = await openReviewed();
  await runReview(reviewed, { answer: reviewOf([findingOf()]), inputs: { comment: 'on' } });
  const [comment] = reviewed.github.comments.map(({ body }) => body);
  expect(comment).toMatch(/\[review: comment\]\(<https:/);
  expect(comment).not.toContain('findings');
});

test('a review of an older commit is not posted, with a warning: the run for the newer one follows', async () => {
  const reviewed = await openReviewed();
  reviewed.pull.head = '0123456789abcdef0123456789abcdef01234567';
  const { ending, warnings } = await runReview(reviewed, { answer: reviewOf([findingOf()]) });
  expect(ending).toEqual(['succeeded', 'success']);
  expect(warnings.join()).toContain('is not the commit that the agent saw');
  expect(reviewed.pull.reviews).toEqual([]);
});
