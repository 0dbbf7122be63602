import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { GitHubEvent } from '../../../src/action/github/event.ts';
import { checkGate, type GateQuestion } from '../../../src/action/github/gate.ts';
import { openGitHub } from '../../../src/action/github/github.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { eventOf, pathOfEvent, recordedEvent } from '../../support/event.ts';
import { type FakeAnswer, type FakeGitHub, openFakeGitHub } from '../../support/fake-github.ts';

const mona = { id: 583231 };
const stranger = { id: 990001 };

interface Asking extends Partial<Omit<GateQuestion, 'event' | 'github'>> {
  readonly permissions?: Readonly<Record<string, FakeAnswer>>;
  readonly before?: (fake: FakeGitHub) => void;
  readonly hasToken?: boolean;
}

/** Asks the gate for a step whose actor is the event's sender. */
async function ask(event: GitHubEvent, { permissions = {}, before, hasToken = true, ...more }: Asking = {}) {
  const fake = await openFakeGitHub();
  for (const [login, answer] of Object.entries(permissions)) fake.permissions.set(login.toLowerCase(), answer);
  before?.(fake);
  const clock = { ...systemClock, sleep: async () => {} };
  const login = event.sender?.login;
  const answer = await checkGate({
    event,
    actor: login,
    triggeringActor: login,
    allowBots: [],
    requirePermission: 'write',
    github: hasToken
      ? async () =>
          openGitHub({ token: 't', apiUrl: fake.apiUrl, fetch: globalThis.fetch, log: () => {}, clock, limitMs: 5000 })
      : undefined,
    ...more,
  });
  const [reason, isKnown] = answer.allowed ? ['', true] : [answer.reason, answer.isKnown];
  return { answer, calls: fake.calls(), reason, isKnown };
}

const passed = { allowed: true, mayQuoteText: true };
const unchecked = { allowed: true, mayQuoteText: false };
const permissionOf = (login: string) => `GET /repos/octo-org/demo/collaborators/${login}/permission`;

describe('events', () => {
  test.each(['push', 'schedule', 'release', 'merge_group', 'pull_request', 'pull_request-dependabot', 'workflow_run'])(
    '%s requires write access by itself and passes without a check',
    async name => {
      expect(await ask(recordedEvent(name))).toMatchObject({ answer: unchecked, calls: [] });
    },
  );

  test.each(['issues', 'issue_comment-stranger', 'pull_request-fork', 'pull_request_review', 'workflow_run-fork'])(
    "%s by a reader is refused with the reader's role",
    async name => {
      const { reason, calls, isKnown } = await ask(recordedEvent(name), {
        permissions: { stranger: { ...stranger, permission: 'read', role_name: 'triage' } },
      });
      expect(isKnown).toBe(true);
      expect(reason).toMatch(
        /^stranger triggered this step \(.*\), but has only triage access to octo-org\/demo\. Write access is required/,
      );
      expect(calls).toEqual([permissionOf('stranger')]);
    },
  );

  test.each([
    ['issues', 'Ask a maintainer to start it, or set `require_permission: none`'],
    [
      'pull_request-fork',
      'GitHub gives no secrets to the workflow of a pull request from a fork. Let a maintainer start',
    ],
  ])('%s by a reader is refused with what works there', async (name, remedy) => {
    const { reason } = await ask(recordedEvent(name), { permissions: { stranger } });
    expect(reason).toContain(`Write access is required. ${remedy}`);
  });

  test.each([
    'issues-labeled',
    'issue_comment',
    'issue_comment-pull',
    'pull_request_review_comment',
    'discussion',
    'discussion_comment',
  ])('%s by a writer passes', async name => {
    const { answer, calls } = await ask(recordedEvent(name), {
      permissions: { mona: { ...mona, permission: 'write' } },
    });
    expect(answer).toEqual(passed);
    expect(calls).toEqual([permissionOf('mona')]);
  });

  test.each(['pull_request_target', 'pull_request', 'issues', 'watch', 'fork', 'gollum', 'an_event_of_tomorrow'])(
    '%s without a payload is checked by the actor',
    async name => {
      const { reason } = await ask(eventOf(name, '{}'), { actor: 'stranger', permissions: { stranger } });
      expect(reason).toContain('read access');
    },
  );

  test('pull_request_target is checked, even from a branch of the same repository', async () => {
    const event = recordedEvent('pull_request', { eventName: 'pull_request_target' });
    expect((await ask(event, { permissions: { mona: { ...mona, permission: 'read' } } })).answer.allowed).toBe(false);
  });

  test('an open event that names nobody is refused', async () => {
    const { reason, isKnown } = await ask(eventOf('issue_comment', '{}'));
    expect([reason, isKnown]).toEqual([expect.stringContaining('does not say who caused it'), false]);
  });

  test('no event at all passes', async () => {
    const question = { actor: undefined, triggeringActor: undefined, allowBots: [], github: undefined };
    expect(await checkGate({ ...question, event: undefined, requirePermission: 'write' })).toEqual(unchecked);
  });
});

describe('an earlier workflow', () => {
  const change = (members: object) => {
    const payload = JSON.parse(readFileSync(pathOfEvent('workflow_run'), 'utf8'));
    Object.assign(payload.workflow_run, members);
    return eventOf('workflow_run', payload);
  };

  test.each(['issue_comment', 'issues', 'pull_request_target', 'workflow_run', 'discussion', ''])(
    'of the same repository that ran on %j is checked, because a stranger may have caused it',
    async event => {
      const person = { login: 'stranger', id: 990001, type: 'User' };
      const { reason } = await ask(change({ event, actor: person, triggering_actor: person }), {
        permissions: { mona: { ...mona, permission: 'admin' }, stranger: { ...stranger, permission: 'read' } },
      });
      expect(reason).toContain('stranger');
    },
  );

  test('with an unknown actor is checked', async () => {
    expect((await ask(change({ actor: null }))).calls).toEqual([permissionOf('mona')]);
  });

  test('of a fork by a writer passes', async () => {
    const event = change({ head_repository: { id: 5, full_name: 'mona/demo' } });
    expect((await ask(event, { permissions: { mona: { ...mona, permission: 'write' } } })).answer).toEqual(passed);
  });
});

describe('people', () => {
  test.each([
    [{ permission: 'admin' }, true],
    [{ permission: 'write' }, true],
    [{ permission: 'write', role_name: 'maintain' }, true],
    [{ permission: 'write', role_name: 'a role of the organisation' }, true],
    [{ permission: 'maintain' }, true],
    [{ permission: 'read', role_name: 'triage' }, false],
    [{ permission: 'read', role_name: 'writers of docs' }, false],
    [{ permission: 'none' }, false],
  ])('%o: allowed is %s', async (answer, allowed) => {
    expect(
      (await ask(recordedEvent('issue_comment'), { permissions: { mona: { ...mona, ...answer } } })).answer.allowed,
    ).toBe(allowed);
  });

  test('who start a re-run need write access in addition to the actor', async () => {
    const more = {
      actor: 'mona',
      triggeringActor: 'helper',
      permissions: { mona: { ...mona, permission: 'write' }, helper: {} },
    };
    const { reason, calls } = await ask(recordedEvent('issue_comment'), more);
    expect(reason).toContain('helper triggered this step (issue_comment), but has only read access');
    expect(calls).toEqual([permissionOf('mona'), permissionOf('helper')]);
  });

  test('who wrote the event need write access even if a maintainer starts it again', async () => {
    const more = {
      actor: 'stranger',
      triggeringActor: 'mona',
      permissions: { mona: { ...mona, permission: 'admin' }, stranger },
    };
    expect((await ask(recordedEvent('issue_comment-stranger'), more)).reason).toContain('stranger');
  });

  test('are compared without case and checked once', async () => {
    const payload = JSON.parse(readFileSync(pathOfEvent('issue_comment'), 'utf8'));
    payload.sender.login = 'MoNa';
    const more = { actor: 'Mona', triggeringActor: 'MONA', permissions: { mona: { ...mona, permission: 'write' } } };
    const { answer, calls } = await ask(eventOf('issue_comment', payload), more);
    expect(answer).toEqual(passed);
    expect(calls).toEqual([permissionOf('MoNa')]);
  });

  test('whose login now belongs to someone else are refused', async () => {
    const { reason, isKnown } = await ask(recordedEvent('issue_comment'), {
      permissions: { mona: { id: 77, permission: 'admin' } },
    });
    expect([reason, isKnown]).toEqual([expect.stringContaining('belongs to someone else'), false]);
  });

  test('pass unchecked with require_permission none, and their text is not quoted', async () => {
    const { answer, calls } = await ask(recordedEvent('issue_comment-stranger'), { requirePermission: 'none' });
    expect([answer, calls]).toEqual([unchecked, []]);
  });

  test('who remain unknown after a network fault are refused', async () => {
    const before = (fake: FakeGitHub) => fake.faults.push({ on: 'GET', how: 'lost', times: 99 });
    const { reason, isKnown } = await ask(recordedEvent('issue_comment'), { before });
    expect([reason, isKnown]).toEqual([
      expect.stringMatching(/could not find out whether they have write access: GitHub did not answer/),
      false,
    ]);
  });

  test.each([
    ['a page of a proxy', { on: 'GET', status: 200, how: 'html', times: 99 }],
    ['an error', { on: 'GET', status: 500, times: 99 }],
    ['a limit', { on: 'GET', status: 403, headers: { 'retry-after': '600' }, times: 99 }],
    ['an answer of 9 MiB', { on: 'GET', how: 'huge', times: 99 }],
    ['a bad token', { on: 'GET', status: 401, body: { message: 'Bad credentials' }, times: 99 }],
    ['an empty object', { on: 'GET', status: 200, body: {}, times: 99 }],
  ] as const)(
    'for whom GitHub responds with %s are unknown, whatever the event says about them',
    async (_what, fault) => {
      const event = ownersEvent('OWNER', 'User');
      const { answer } = await ask(event, { before: fake => fake.faults.push(fault) });
      expect(answer).toMatchObject({ allowed: false, isKnown: false });
    },
  );
});

function ownersEvent(association: string, ownerType: string): GitHubEvent {
  const payload = JSON.parse(readFileSync(pathOfEvent('issue_comment'), 'utf8'));
  payload.comment.author_association = association;
  payload.repository.owner.type = ownerType;
  return eventOf('issue_comment', payload);
}

describe('without a response from GitHub', () => {
  test.each([
    ['OWNER', 'Organization', true],
    ['OWNER', 'User', true],
    ['COLLABORATOR', 'User', true],
    ['COLLABORATOR', 'Organization', false],
    ['MEMBER', 'Organization', false],
    ['CONTRIBUTOR', 'User', false],
    ['NONE', 'User', false],
  ])('%s in a repository of a %s: allowed is %s, otherwise unknown', async (association, ownerType, allowed) => {
    const event = ownersEvent(association, ownerType);
    const forbidden = { on: 'GET', status: 403, body: { message: 'Resource not accessible by integration' } };
    const ways = [{ hasToken: false }, {}, { before: (fake: FakeGitHub) => fake.faults.push(forbidden) }];
    for (const way of ways) {
      const { answer, isKnown } = await ask(event, way);
      expect([answer.allowed, isKnown]).toEqual([allowed, allowed]);
    }
  });

  test('a response about another user lets nobody in', async () => {
    const body = { permission: 'admin', role_name: 'admin', user: { login: 'somebody', type: 'User' } };
    const before = (fake: FakeGitHub) => fake.faults.push({ on: 'GET', status: 200, body, times: 9 });
    const { answer, reason } = await ask(ownersEvent('NONE', 'User'), { before });
    expect([answer.allowed, reason]).toEqual([false, expect.stringContaining('answer is about somebody')]);
  });

  test('a token without the permission gets the one that a workflow can grant', async () => {
    const headers = { 'x-accepted-github-permissions': 'metadata=read' };
    const forbidden = { on: 'GET', status: 403, headers, body: { message: 'Resource not accessible' }, times: 9 };
    const before = (fake: FakeGitHub) => fake.faults.push(forbidden);
    const { reason } = await ask(ownersEvent('NONE', 'User'), { before });
    expect(reason).toContain("The token may not read this: the job's token can with `contents: read`");
    expect(reason).not.toContain('metadata: read');
  });

  test('the association of one person does not apply to another', async () => {
    const event = ownersEvent('OWNER', 'User');
    expect((await ask(event, { hasToken: false, triggeringActor: 'helper' })).reason).toContain('helper');
    // Someone else edits the owner's comment.
    const payload = JSON.parse(readFileSync(pathOfEvent('issue_comment'), 'utf8'));
    payload.comment.author_association = 'OWNER';
    payload.sender = { login: 'stranger', id: 990001, type: 'User' };
    expect((await ask(eventOf('issue_comment', payload), { hasToken: false })).answer.allowed).toBe(false);
  });

  test('the reason mentions the missing token', async () => {
    expect((await ask(recordedEvent('issue_comment'), { hasToken: false })).reason).toContain('without `github_token`');
  });
});

describe('bots', () => {
  const byBot = (login: string, type = 'Bot') => {
    const payload = JSON.parse(readFileSync(pathOfEvent('issue_comment'), 'utf8'));
    payload.sender = { login, id: 41898282, type };
    return eventOf('issue_comment', payload);
  };

  test.each([
    ['octo-app[bot]', 'Bot', ['octo-app[bot]'], true],
    ['octo-app[bot]', 'Bot', ['Octo-App[bot]'], true],
    ['Copilot', 'Bot', ['Copilot'], true],
    ['octo-app[bot]', 'Bot', [], false],
    ['octo-app[bot]', 'Bot', ['octo-app'], false],
    ['octo-app[bot]', 'Bot', ['*'], false],
    ['octo-app[bot]', 'Bot', ['*[bot]'], false],
    ['octo-app-2[bot]', 'Bot', ['octo-app[bot]'], false],
    ['Copilot', 'Bot', [], false],
    ['octo-app[bot]', 'User', ['octo-app[bot]'], false],
  ])('%s (%s) with %j listed: allowed is %s', async (login, type, allowBots, allowed) => {
    const permissions = { [login]: { permission: 'admin', id: 41898282 } };
    const { answer } = await ask(byBot(login, type), { allowBots, permissions });
    expect(answer).toEqual(
      allowed
        ? unchecked
        : { allowed: false, reason: expect.stringContaining('is a bot that is not in `allow_bots`'), isKnown: true },
    );
  });

  test('have to be listed even with require_permission none', async () => {
    const { reason } = await ask(byBot('octo-app[bot]'), { requirePermission: 'none' });
    expect(reason).toContain('octo-app[bot] is a bot');
  });

  test('that only GitHub identifies as bots have to be listed too', async () => {
    const more = {
      triggeringActor: 'Copilot',
      permissions: { mona: { ...mona, permission: 'write' }, copilot: { type: 'Bot', permission: 'write' } },
    };
    expect((await ask(recordedEvent('issue_comment'), more)).reason).toContain('Copilot is a bot');
    expect((await ask(recordedEvent('issue_comment'), { ...more, allowBots: ['copilot'] })).answer).toEqual(unchecked);
  });

  test('listed as bots do not let a person with that name pass', async () => {
    const more = { allowBots: ['stranger'], permissions: { stranger } };
    expect((await ask(recordedEvent('issue_comment-stranger'), more)).answer.allowed).toBe(false);
  });
});

test("the event's words in a reason stay on one line", async () => {
  const event = eventOf('issue_comment', { sender: { login: 'a\n::error::b', id: 3, type: 'User' } });
  expect((await ask(event, { hasToken: false })).reason).not.toMatch(/[\r\n]/);
});
