import { expect, test } from 'vitest';
import { explainByEvent } from '../../../src/action/github/missing-credentials.ts';
import { recordedEvent } from '../../support/event.ts';

test.each([
  ['pull_request-fork', 'stranger', /pull request from a fork.*on_missing_credentials: skip.*issue_comment/],
  // The fork is the reason, whoever the actor is.
  ['pull_request-fork', 'dependabot[bot]', /pull request from a fork/],
  ['pull_request-dependabot', 'dependabot[bot]', /gets Dependabot secrets.*variables, Dependabot/],
  // A maintainer re-runs Dependabot's event.
  ['pull_request-dependabot', 'mona', /gets Dependabot secrets/],
  ['push', 'dependabot[bot]', /gets Dependabot secrets/],
])('%s by %s', (name, actor, sentence) => {
  const event = recordedEvent(name);
  expect(explainByEvent({ event, actor, isSkipped: false })).toMatch(sentence);
  expect(explainByEvent({ event, actor, isSkipped: true })).not.toContain('on_missing_credentials');
});

test.each([
  ['pull_request', 'mona'],
  ['push', 'mona'],
])('%s by %s has secrets, so the name must be wrong', (name, actor) => {
  expect(explainByEvent({ event: recordedEvent(name), actor, isSkipped: false })).toBeUndefined();
});

test('pull_request_target from a fork has secrets too', () => {
  const event = recordedEvent('pull_request-fork', { eventName: 'pull_request_target' });
  expect(explainByEvent({ event, actor: 'stranger', isSkipped: false })).toBeUndefined();
});

test('without an event there is no explanation', () => {
  expect(explainByEvent({ event: undefined, actor: undefined, isSkipped: false })).toBeUndefined();
});
