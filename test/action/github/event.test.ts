import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEvent } from '../../../src/action/github/event.ts';
import { eventOf, pathOfEvent, recordedEvent } from '../../support/event.ts';

const mainSha = '0123456789abcdef0123456789abcdef01234567';

test.each([
  ['push', undefined, 'refs/heads/main', mainSha],
  ['schedule', undefined, 'refs/heads/main', mainSha],
  ['issues', 'issue 7', 'refs/heads/main', mainSha],
  ['issue_comment', 'issue 7', 'refs/heads/main', mainSha],
  ['issue_comment-pull', 'pull_request 12', 'refs/heads/main', mainSha],
  ['pull_request', 'pull_request 12', 'refs/pull/12/head', 'ec26c3e57ca3a959ca5aad62de7213c562f8c821'],
  ['pull_request-fork', 'pull_request 12', 'refs/pull/12/head', 'ec26c3e57ca3a959ca5aad62de7213c562f8c821'],
  ['pull_request_review', 'pull_request 12', 'refs/pull/12/head', 'ec26c3e57ca3a959ca5aad62de7213c562f8c821'],
  ['pull_request_review_comment', 'pull_request 12', 'refs/pull/12/head', 'ec26c3e57ca3a959ca5aad62de7213c562f8c821'],
  ['discussion', 'discussion 3', 'refs/heads/main', mainSha],
  ['discussion_comment', 'discussion 3', 'refs/heads/main', mainSha],
  ['workflow_run', undefined, 'refs/heads/mend-clock', 'acb5820ced9479c074f688cc328bf03f341a511d'],
  // The base repository does not have a fork's branch.
  ['workflow_run-fork', undefined, 'refs/heads/main', 'acb5820ced9479c074f688cc328bf03f341a511d'],
  ['release', undefined, 'refs/heads/main', mainSha],
  [
    'merge_group',
    undefined,
    'refs/heads/gh-readonly-queue/main/pr-12-929f8209d40f77f4abc622a499c93a83babdbe64',
    '2ffea6db159f6b6c47a24e778fb9ef40cf6b1c7d',
  ],
  ['check_suite', undefined, 'refs/heads/main', 'ec26c3e57ca3a959ca5aad62de7213c562f8c821'],
])('%s is about %s at %s, %s', (name, about, ref, sha) => {
  const event = recordedEvent(name);
  const { subject } = event;
  expect([subject && `${subject.kind} ${subject.number}`, event.ref, event.sha]).toEqual([about, ref, sha]);
  expect([event.repository, event.ownerType]).toEqual(['octo-org/demo', 'Organization']);
});

test("a comment's author is kept apart from the author of its subject", () => {
  const { subject, comment, sender, action } = recordedEvent('issue_comment');
  expect(action).toBe('created');
  expect(subject).toMatchObject({ author: { login: 'stranger', id: 990001 }, association: 'NONE' });
  expect(comment).toMatchObject({ author: { login: 'mona' }, association: 'MEMBER', body: '/agent mend this' });
  expect(sender).toEqual({ login: 'mona', id: 583231, type: 'User' });
});

test('an earlier workflow names who and what started it, and its pull requests', () => {
  expect(recordedEvent('workflow_run')).toMatchObject({
    head: { ref: 'mend-clock', repository: 'octo-org/demo', isFork: false },
    earlierRun: { name: 'checks', event: 'pull_request', actor: { login: 'mona' }, pullRequests: [12] },
  });
  expect(recordedEvent('workflow_run-fork').head).toMatchObject({ repository: 'stranger/demo', isFork: true });
});

test('a head whose repository is gone is a fork', () => {
  const payload = JSON.parse(readFileSync(pathOfEvent('pull_request'), 'utf8'));
  payload.pull_request.head.repo = null;
  expect(eventOf('pull_request', payload).head).toEqual({ ref: 'mend-clock', repository: undefined, isFork: true });
  payload.pull_request.head.repo = {};
  payload.pull_request.base.repo = {};
  expect(eventOf('pull_request', payload).head?.isFork).toBe(true);
});

test.each([
  ['missing', undefined],
  ['broken', '{"action": "ope'],
  ['no object', '[1]'],
  ['too big', `{"action": "${'x'.repeat(9 * 1024 * 1024)}"}`],
])("for a payload that is %s, only the runner's facts are known", (_how, text) => {
  const event =
    text === undefined
      ? recordedEvent('push', { eventPath: join(dirname(pathOfEvent('push')), 'none.json') })
      : eventOf('push', text);
  expect(event).toMatchObject({ name: 'push', repository: 'octo-org/demo', ref: 'refs/heads/main', sha: mainSha });
  expect(event.action).toBeUndefined();
});

test('without a name there is no event', () => {
  const none = { eventPath: undefined, repository: undefined, ref: undefined, sha: undefined };
  expect(readEvent({ ...none, eventName: undefined, actor: undefined })).toBeUndefined();
});

test('a payload of any shape is read without a throw', () => {
  const keys = ['pull_request', 'issue', 'comment', 'workflow_run', 'discussion', 'sender', 'repository', 'review'];
  const value = fc.anything({
    maxDepth: 3,
    key: fc.constantFrom('user', 'head', 'repo', 'number', 'body', 'actor', 'id'),
  });
  fc.assert(
    fc.property(
      fc.constantFrom('pull_request', 'workflow_run', 'odd'),
      fc.dictionary(fc.constantFrom(...keys), value),
      (name, payload) => {
        const text = JSON.stringify(payload, (_key, member) => (typeof member === 'bigint' ? 1 : member));
        expect(eventOf(name, text ?? '{}').name).toBe(name);
      },
    ),
    { numRuns: 60 },
  );
});
