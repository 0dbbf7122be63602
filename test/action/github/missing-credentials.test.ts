import { expect, test } from 'vitest';
import { explainMissingKey } from '../../../src/action/github/missing-credentials.ts';
import { recordedEvent } from '../../support/event.ts';

test.each([
  ['pull_request-fork', 'stranger', /pull request from a fork.*on_missing_credentials: skip.*issue_comment/],
  // The fork is the reason, whoever comes from it.
  ['pull_request-fork', 'dependabot[bot]', /pull request from a fork/],
  ['pull_request-dependabot', 'dependabot[bot]', /gets Dependabot secrets.*Dependabot, too/],
  // A maintainer's re-run of Dependabot's event.
  ['pull_request-dependabot', 'mona', /gets Dependabot secrets/],
  ['pull_request', 'mona', /is not set, or its name is misspelt.*secrets: inherit/],
  ['push', 'dependabot[bot]', /gets Dependabot secrets/],
  ['push', 'mona', /is not set, or its name is misspelt/],
])('%s by %s', (name, actor, sentence) => {
  expect(explainMissingKey({ event: recordedEvent(name), actor })).toMatch(sentence);
});

test('pull_request_target from a fork has secrets, so that there the name is wrong', () => {
  const event = recordedEvent('pull_request-fork', { eventName: 'pull_request_target' });
  expect(explainMissingKey({ event, actor: 'stranger' })).toMatch(/misspelt/);
});

test('without an event the usual is said', () => {
  expect(explainMissingKey({ event: undefined, actor: undefined })).toMatch(/misspelt/);
});
