/** What GitHub itself sent (test/support/github/recorded), read by the parsers of both actions. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { findForkPull } from '../../src/action/github/base-files.ts';
import { readHunks } from '../../src/apply/review/diff-lines.ts';
import { eventOf } from '../support/event.ts';
import type { Shape } from '../support/github/shapes.ts';
import { runApply } from './apply-step.ts';
import { findingOf, openReviewed, reviewOf, reviews } from './review-fixture.ts';

const read = (name: string) =>
  JSON.parse(readFileSync(resolve(import.meta.dirname, `../support/github/recorded/${name}.json`), 'utf8'));
const compared: Shape<'commit-comparison'> = read('compare');
const files = (compared.files ?? []) as readonly Shape<'diff-entry'>[];

test('the hunks of a file have as many added and removed lines as GitHub counts', () => {
  const read = files.flatMap(({ patch }) => (patch === undefined ? [] : [readHunks(patch)]));
  const counts = read.map(hunks => ({
    lines: hunks.reduce((sum, { right }) => sum + right.to - right.from + 1, 0),
    deletions: hunks.reduce((sum, { left }) => sum + left.size, 0),
  }));
  const told = files.flatMap(({ patch, additions = 0, deletions }) => {
    const same = patch?.split('\n').filter(line => line.startsWith(' ')).length ?? 0;
    return patch === undefined ? [] : [{ lines: same + additions, deletions }];
  });
  expect(counts).toEqual(told);
  expect(counts).toHaveLength(7);
});

test('findings on every hunk are commented, and those in files without a diff are in the text', async () => {
  const { github, pull } = await openReviewed();
  pull.files = files as typeof pull.files;
  const findings = files.flatMap(({ filename: path = '', patch }) => {
    const lines = readHunks(patch ?? '').flatMap(({ right, left }) => [
      ...(right.to < right.from ? [] : [{ line: right.to }]),
      ...[...left].slice(0, 1).map(line => ({ line, side: 'LEFT' as const })),
    ]);
    return (lines.length === 0 ? [{ line: 1 }] : lines).map(place => findingOf({ path, text: `${path}`, ...place }));
  });
  const step = await runApply(github, {
    answer: reviewOf(findings),
    inputs: { ...reviews, review_max_comments: '100' },
  });
  expect(step.outputs.failure_reason).toBe('');
  expect(pull.reviews).toHaveLength(1);
  const without = files.filter(({ patch }) => patch === undefined).length;
  expect(pull.threads).toHaveLength(findings.length - without);
  expect(pull.reviews[0]?.body.match(/Severity/g)).toHaveLength(without);
});

test("a pull request from a fork is one, with its base's commit", async () => {
  const event = eventOf('pull_request_review', read('pull_request_review'));
  expect(event).toMatchObject({
    head: { ref: 'patch-2', repository: 'skalnik/public-repo', isFork: true },
    ref: 'refs/pull/8/head',
    subject: { kind: 'pull_request', number: 8 },
    comment: { reviewState: 'APPROVED' },
  });
  const pull = await findForkPull(event, { mainCommit: undefined, github: undefined });
  const commit = '9049f1265b7d61be4a8904a9a27120d2064dab3b';
  expect(pull).toEqual({ base: { repository: 'baxterthehacker/public-repo', commit } });
});
