import { expect, test } from 'vitest';
import { explainByEvent } from '../../../src/action/github/missing-credentials.ts';
import { recordedEvent } from '../../support/event.ts';

test.each([
  ['pull_request-fork', 'stranger', /pull request from a fork.*on_missing_credentials: skip.*issue_comment/],
  // The fork is the reason, whoever comes from it.
  ['pull_request-fork', 'dependabot[bot]', /pull request from a fork/],
  ['pull_request-dependabot', 'dependabot[bot]', /gets Dependabot secrets.*variables, Dependabot/],
  // A maintainer's re-run of Dependabot's event.
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
])('%s by %s has secrets, so that there the name is wrong', (name, actor) => {
  expect(explainByEvent({ event: recordedEvent(name), actor, isSkipped: false })).toBeUndefined();
});

test('so has pull_request_target from a fork', () => {
  const event = recordedEvent('pull_request-fork', { eventName: 'pull_request_target' });
  expect(explainByEvent({ event, actor: 'stranger', isSkipped: false })).toBeUndefined();
});

test('without an event nothing is known', () => {
  expect(explainByEvent({ event: undefined, actor: undefined, isSkipped: false })).toBeUndefined();
});
