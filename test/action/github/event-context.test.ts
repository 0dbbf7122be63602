import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GitHubEvent } from '../../../src/action/github/event.ts';
import { printEventContext, requestFieldsOf } from '../../../src/action/github/event-context.ts';
import { readFencedBlocks } from '../../../src/border/fenced-blocks.ts';
import { shownOnGitHub } from '../../../src/border/visible-text.ts';
import { eventOf, pathOfEvent, recordedEvent } from '../../support/event.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

const seed = '4242/triage';

function print(event: GitHubEvent, mayQuoteText = true): string {
  const block = printEventContext(event, { mayQuoteText, seed });
  if (block === undefined) throw new Error('no block');
  return block;
}

/** Parses the block as an agent would. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what is tested
function read(block: string): any {
  return JSON.parse(readFencedBlocks(block)[0]?.code ?? '');
}

function change(
  name: string,
  edit: (payload: Record<string, Record<string, unknown>>) => void,
  settings = {},
): GitHubEvent {
  const payload = JSON.parse(readFileSync(pathOfEvent(name), 'utf8'));
  edit(payload);
  return eventOf(name.split('-')[0] ?? '', payload, settings);
}

describe('the block', () => {
  test.each(['push', 'schedule', 'release', 'merge_group', 'check_suite'])(
    'of %s tells at least where it happened',
    name => {
      const { event, repository, ref, sha } = read(print(recordedEvent(name), false));
      expect([event, repository]).toEqual([name, 'octo-org/demo']);
      expect(ref).toMatch(/^refs\//);
      expect(sha).toMatch(/^[0-9a-f]{40}$/);
    },
  );

  test("tells a release's tag, a schedule's time, and a push's commits", () => {
    const link = 'https://github.com/octo-org/demo/releases/tag/v1.2.0';
    expect(read(print(recordedEvent('release'))).release).toEqual({ tag: 'v1.2.0', name: '1.2.0', link });
    expect(read(print(recordedEvent('schedule'))).schedule).toBe('17 4 * * 1');
    const push = eventOf('push', { before: 'b'.repeat(40), compare: 'https://github.com/octo-org/demo/compare/a...b' });
    expect(read(print(push))).toMatchObject({
      before: 'b'.repeat(40),
      link: 'https://github.com/octo-org/demo/compare/a...b',
    });
  });

  test('tells the inputs of a manual start, and is missing without inputs', () => {
    const inputs = { task: 'move\nit', dry: true, count: 3, empty: '', long: 'x'.repeat(5000) };
    const told = read(print(eventOf('workflow_dispatch', { inputs })));
    expect(told.inputs).toEqual({ task: 'move\nit', dry: true, count: 3, long: expect.stringMatching(/^x{999}…$/) });
    for (const payload of [{}, { inputs: null }, { inputs: { empty: '' } }])
      expect(printEventContext(eventOf('workflow_dispatch', payload), { mayQuoteText: true, seed })).toBeUndefined();
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`i${index}`, 'x']));
    expect(Object.keys(read(print(eventOf('workflow_dispatch', { inputs: many }))).inputs)).toHaveLength(25);
    const called = eventOf('repository_dispatch', { action: 'tidy', client_payload: { where: 'docs', deep: {} } });
    expect(read(print(called))).toMatchObject({ action: 'tidy', inputs: { where: 'docs' } });
  });

  test('tells the place of a comment in the code', () => {
    const event = recordedEvent('pull_request_review_comment');
    const place = { path: 'src/clock.ts', line: 3 };
    expect(read(print(event)).comment).toMatchObject({
      ...place,
      diff_hunk: '@@ -1 +1 @@',
      body: '/agent rename this',
    });
    const unquoted = read(print(event, false)).comment;
    expect(unquoted).toMatchObject(place);
    expect([unquoted.diff_hunk, unquoted.body]).toEqual([undefined, undefined]);
  });

  test('tells that commented lines are gone, and shows only the end of a long diff', () => {
    const event = change('pull_request_review_comment', ({ comment }) =>
      Object.assign(comment ?? {}, {
        ...{ line: null, original_line: 9, start_line: 7, side: 'LEFT' },
        diff_hunk: `@@ -1 +1 @@\n${'-😀\n'.repeat(3000)}-last`,
      }),
    );
    const { comment } = read(print(event));
    expect(comment).toMatchObject({ original_line: 9, start_line: 7, side: 'LEFT' });
    expect(comment.line).toBeUndefined();
    expect(comment.diff_hunk).toMatch(/^….*-last$/s);
    expect(Array.from(comment.diff_hunk)).toHaveLength(2001);
  });

  test("tells a review's outcome and which label was set", () => {
    expect(read(print(recordedEvent('pull_request_review'))).comment.review_state).toMatch(/^[a-z_]+$/);
    const { label } = JSON.parse(readFileSync(pathOfEvent('issues-labeled'), 'utf8'));
    expect(label.name).toMatch(/./);
    expect(read(print(recordedEvent('issues-labeled'))).label).toBe(label.name);
  });

  test('of a comment on an issue tells everything except the text of others', () => {
    const event = recordedEvent('issue_comment', { actor: 'mona' });
    expect(read(print(event))).toEqual({
      event: 'issue_comment',
      action: 'created',
      repository: 'octo-org/demo',
      ref: 'refs/heads/main',
      sha: '0123456789abcdef0123456789abcdef01234567',
      actor: 'mona',
      issue: {
        number: 7,
        title: 'The clock stops',
        link: 'https://github.com/octo-org/demo/issues/7',
        author: 'stranger',
      },
      comment: {
        link: 'https://github.com/octo-org/demo/issues/7#issuecomment-492700400',
        author: 'mona',
        body: '/agent mend this',
      },
    });
  });

  test("tells where the commits of a fork's pull request are", () => {
    const { head, sha, pull_request: pull } = read(print(recordedEvent('pull_request-fork')));
    expect([head, sha, pull.number]).toEqual([
      { branch: 'mend-clock', repository: 'stranger/demo', is_fork: true },
      'ec26c3e57ca3a959ca5aad62de7213c562f8c821',
      12,
    ]);
  });

  test('tells how and where an earlier workflow ended', () => {
    expect(read(print(recordedEvent('workflow_run'))).workflow_run).toMatchObject({
      conclusion: 'failure',
      pull_requests: [12],
    });
  });

  test("the create request has the event's fields", () => {
    expect(requestFieldsOf(recordedEvent('pull_request'))).toEqual({
      repository: 'octo-org/demo',
      ref: 'refs/pull/12/head',
      sha: 'ec26c3e57ca3a959ca5aad62de7213c562f8c821',
    });
  });

  test('one event gives one block, and another workflow run gives another boundary', () => {
    const event = recordedEvent('issue_comment');
    expect(print(event)).toBe(print(event));
    const boundary = (text = '') => /event-data-[0-9a-f]{24}/.exec(text)?.[0];
    const other = printEventContext(event, { mayQuoteText: true, seed: '4243/triage' });
    expect(boundary(other)).not.toBe(boundary(print(event)));
  });
});

describe('quoted text', () => {
  const bodies = (event: GitHubEvent, mayQuoteText = true) => {
    const { issue, pull_request: pull, discussion, comment } = read(print(event, mayQuoteText));
    return [(issue ?? pull ?? discussion)?.body, comment?.body];
  };

  test('is missing if the gate did not check', () => {
    expect(bodies(recordedEvent('issue_comment'), false)).toEqual([undefined, undefined]);
    expect(bodies(recordedEvent('discussion'), false)).toEqual([undefined, undefined]);
  });

  test('of a comment and of its subject is each quoted only from the actor', () => {
    expect(bodies(recordedEvent('issue_comment'))).toEqual([undefined, '/agent mend this']);
    expect(bodies(recordedEvent('issue_comment-pull'))).toEqual(['It ticks again.', '/agent review']);
    expect(bodies(recordedEvent('pull_request_review'))).toEqual([undefined, 'Looks odd to me.']);
  });

  test("does not include a stranger's text that a maintainer labels", () => {
    expect(bodies(recordedEvent('issues-labeled'))).toEqual([undefined, undefined]);
  });

  test('does not include a comment that someone else edited', () => {
    const event = change('issue_comment', payload => {
      payload.sender = { login: 'helper', id: 5, type: 'User' };
    });
    expect(bodies(event)).toEqual([undefined, undefined]);
  });

  test("does not include an author with the actor's login and another ID", () => {
    const event = change('issue_comment', ({ comment }) =>
      Object.assign(comment ?? {}, { user: { login: 'mona', id: 99 } }),
    );
    expect(bodies(event)).toEqual([undefined, undefined]);
  });

  test('is missing if the runner names another actor than the event', () => {
    expect(bodies(recordedEvent('issue_comment', { actor: 'helper' }))).toEqual([undefined, undefined]);
    expect(bodies(recordedEvent('issue_comment', { actor: 'MONA' }))).toEqual([undefined, '/agent mend this']);
  });

  test('includes a discussion only while it is new, because triage users can edit it', () => {
    expect(bodies(recordedEvent('discussion'))).toEqual(['I would say once a second.', undefined]);
    expect(bodies(recordedEvent('discussion_comment'))).toEqual([undefined, '/agent measure it']);
    const labeled = change('discussion', payload => Object.assign(payload, { action: 'labeled' }));
    expect(bodies(labeled)).toEqual([undefined, undefined]);
  });
});

describe('sizes', () => {
  test('a title is cut at 300 characters', () => {
    const event = change('issues', ({ issue }) => Object.assign(issue ?? {}, { title: '🕰'.repeat(400) }));
    expect(Array.from(read(print(event)).issue.title)).toHaveLength(300);
  });

  test('a body is cut at 8 KiB between characters, with a note', () => {
    const event = change('issue_comment', ({ comment }) =>
      Object.assign(comment ?? {}, { body: `a${'🕰'.repeat(60_000)}` }),
    );
    const { body, body_is_cut } = read(print(event)).comment;
    expect(Buffer.byteLength(body)).toBe(8189);
    expect(body).not.toContain('\ufffd');
    expect(body_is_cut).toBe('only the first 8192 of 240001 bytes; the rest is at the link');
    expect(print(event).length).toBeLessThan(20_000);
  });
});

describe('invisible text', () => {
  test.each([
    ['a<!-- hidden -->b', 'a b'],
    ['a<!--> shown <!---> shown -->b', 'a  shown   shown -->b'],
    ['a\n<!-- hidden\nto the end', 'a\n '],
    ['say `<!--` to begin one', 'say `<!--` to begin one'],
    ['a<!<!-- x -->-- shown -->b', 'a<! -- shown -->b'],
    ['<!\u200b-- hidden\u200b -->b', ' b'],
    ['a<? hidden ?>b<![CDATA[ hidden ]]>c', 'a b c'],
    ['pay\u202e\u2066load\u200d\u{e0041}\u{e0042}\ufe0f\u00ad\u3164\u034f', 'payload'],
    ['a\r\nb\rc\u2028d\u0000\u001b[31me', 'a\nb\nc\nd[31me'],
  ])('%j becomes %j', (text, seen) => {
    expect(shownOnGitHub(text)).toBe(seen);
  });

  test('takes linear time to remove', () => {
    const startedMs = performance.now();
    for (const text of ['<!--', 'x<!--', '<!', '\n<!-- -', '<?', 'x<?', '<!-->']) shownOnGitHub(text.repeat(200_000));
    expect(performance.now() - startedMs).toBeLessThan(15_000);
  });
});

const hostile = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '```',
      '````',
      '~~~',
      '```sh',
      '```bash\n',
      '\n',
      '\r',
      '\u2028',
      '$(touch x)',
      '`touch x`',
      '"',
      "'",
      '\\',
      '\n    ',
      '- ',
      '<!--',
      '-->',
      '<script>',
      '; touch x;',
      '|',
      '\u200b',
      '{"',
      '"}',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
);
const hostileText = fc.array(hostile, { maxLength: 30 }).map(parts => parts.join(''));

/** An event with the hostile text in every field. */
function hostileEvent(text: string): GitHubEvent {
  const person = { login: text || 'x', id: 1, type: 'User' };
  const payload = {
    action: text,
    repository: { full_name: text },
    issue: { number: 1, title: text, body: text, html_url: text, user: person },
    comment: { body: text, html_url: text, user: person, path: text, line: 1, side: text, diff_hunk: text },
    label: { name: text },
    release: { tag_name: text, name: text, html_url: text },
    schedule: text,
    workflow_run: { name: text, event: text, conclusion: text, html_url: text, head_branch: text, actor: person },
    sender: person,
  };
  return eventOf('issue_comment', payload, { ref: text, sha: text, actor: text || 'x' });
}

describe('the text of an event', () => {
  test('never opens or closes a fence', () => {
    fc.assert(
      fc.property(hostileText, text => {
        const block = print(hostileEvent(text));
        const found = readFencedBlocks(`${block}\n# Task\n\n\`\`\`sh\necho mine\n\`\`\`\n`);
        expect(found.map(({ language }) => language)).toEqual(['json', 'sh']);
        expect(found[1]?.code).toBe('echo mine\n');
        expect(block.split(/[\r\n\u2028\u2029]/)).toHaveLength(8);
        // The rest stays readable.
        expect(read(block).comment.body ?? '').toBe(shownOnGitHub(text).trim());
      }),
      { numRuns: 150 },
    );
  });

  test('never has the boundary or a character that a shell or a page interprets', () => {
    fc.assert(
      fc.property(hostileText, text => {
        const json = print(hostileEvent(text)).split('\n')[4] ?? '';
        expect(json).toMatch(/^\{.*\}$/);
        expect(json).not.toMatch(/[`$'<>~]|event-data-[0-9a-f]{24}/);
      }),
      { numRuns: 100 },
    );
  });

  test('is never executed by a shell, even inside an open fence', () => {
    const folder = createTempFolder();
    const text = '"; touch a; $(touch b) `touch c` \\"; touch d; \' ; touch e; \n touch f \\\\" ; touch g #';
    const block = print(hostileEvent(text));
    const code = readFencedBlocks(`\`\`\`sh\ncd .\n${block}`)[0]?.code ?? '';
    expect(code).toContain('"event":"issue_comment"');
    const end = () =>
      execFileSync('sh', ['-c', code], { cwd: folder, stdio: 'ignore', env: { PATH: process.env.PATH } });
    expect(end).toThrow();
    expect(readdirSync(folder)).toEqual([]);
  });
});
