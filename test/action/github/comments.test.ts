import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type CommentPlace, markerOf, upsertComment } from '../../../src/action/github/comments.ts';
import { type GitHubOptions, openGitHub } from '../../../src/action/github/github.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { type FakeGitHub, openFakeGitHub } from '../../support/fake-github.ts';

const place: CommentPlace = { owner: 'octo-org', repo: 'demo', number: 7 };
const list = '/repos/octo-org/demo/issues/7/comments';
const marker = markerOf('docs');
const token = 'ghs_token_of_a_test';

/** A clock that records its sleeps and ends them at once. */
function createHastyClock(): Clock & { readonly slept: number[] } {
  let passed = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => Date.UTC(2030, 0, 1) + passed,
    monotonicMs: () => passed,
    async sleep(ms) {
      slept.push(ms);
      passed += ms;
    },
  };
}

function open(fake: FakeGitHub, more: Partial<GitHubOptions> = {}) {
  const clock = createHastyClock();
  const lines: string[] = [];
  const github = openGitHub({
    token,
    apiUrl: fake.apiUrl,
    fetch: globalThis.fetch,
    clock,
    limitMs: 60_000,
    log: line => lines.push(line),
    ...more,
  });
  const write = (body: string, key = 'docs') =>
    upsertComment(github, { ...place, marker: markerOf(key), body: `${markerOf(key)}\n${body}` });
  return { github, clock, lines, write };
}

describe('one comment', () => {
  test('is created once and then edited in place', async () => {
    const fake = await openFakeGitHub();
    const { write } = open(fake);
    expect(await write('running')).toMatchObject({ happened: 'created', author: 'github-actions[bot]' });
    expect(await write('done')).toMatchObject({ happened: 'edited', id: 1001 });
    expect(fake.comments.map(({ body }) => body)).toEqual([`${marker}\ndone`]);
  });

  test('is left alone if its text is equal, even with other line ends', async () => {
    const fake = await openFakeGitHub();
    fake.addComment('github-actions[bot]', `${marker}\r\ndone`);
    expect(await open(fake).write('done')).toMatchObject({ happened: 'unchanged' });
    expect(fake.calls().filter(call => !call.startsWith('GET') && !call.endsWith('/graphql'))).toEqual([]);
  });

  test('is found on the last page', async () => {
    const fake = await openFakeGitHub({ pageSize: 2 });
    for (let index = 0; index < 4; index += 1) fake.addComment('mona', 'hello');
    fake.addComment('github-actions[bot]', `${marker}\nthe words`);
    expect(await open(fake).write('done')).toMatchObject({ happened: 'edited', id: 1005 });
    expect(fake.calls().filter(call => call === `GET ${list}`)).toHaveLength(3);
  });

  test('of another author with the same marker is not touched', async () => {
    const fake = await openFakeGitHub();
    fake.addComment('mona', `${marker}\nmine`);
    fake.addComment('github-actions', `${marker}\nmine too`);
    expect(await open(fake).write('done')).toMatchObject({ happened: 'created' });
    expect(fake.comments.map(({ body }) => body.split('\n')[1])).toEqual(['mine', 'mine too', 'done']);
  });

  test.each([`a quote:\n${marker}\nof a comment`, `a quote:\n${marker}`])(
    'with a quoted marker is a different one',
    async body => {
      const fake = await openFakeGitHub();
      fake.addComment('github-actions[bot]', body);
      expect(await open(fake).write('done')).toMatchObject({ happened: 'created' });
    },
  );

  test('of one leg is not that of another whose key begins the same', async () => {
    const fake = await openFakeGitHub();
    const { write } = open(fake);
    await write('a', 'docs (node 22)');
    await write('b', 'docs (node 24)');
    await write('c', 'docs');
    await write('d', 'docs (node 22)');
    expect(fake.comments.map(({ body }) => body.split('\n')[1])).toEqual(['d', 'b', 'c']);
  });

  test.each([
    ['an app of its own', { viewer: 'octo-app[bot]' }, 'octo-app[bot]'],
    ['a person, on a service that knows no viewer', { viewer: null, user: 'mona' }, 'mona'],
    ['a workflow, on a service that says nothing', { viewer: null }, 'github-actions[bot]'],
  ])("is recognized by the token's author: %s", async (_who, options, login) => {
    const fake = await openFakeGitHub(options);
    fake.addComment('somebody[bot]', `${marker}\nnot this`);
    fake.addComment(login, `${marker}\nthis`);
    expect(await open(fake).write('done')).toMatchObject({ happened: 'edited', id: 1002 });
  });

  test('is not created if it may only be edited', async () => {
    const fake = await openFakeGitHub();
    const { github, write } = open(fake);
    const body = `${marker}\ndone`;
    expect(await upsertComment(github, { ...place, marker, body, creates: false })).toBeUndefined();
    await write('running');
    expect(await upsertComment(github, { ...place, marker, body, creates: false })).toMatchObject({
      happened: 'edited',
    });
  });

  test("asks for the token's author only after it found a marker", async () => {
    const fake = await openFakeGitHub();
    await open(fake).write('done');
    expect(fake.calls()).toEqual([`GET ${list}`, `POST ${list}`]);
  });

  test('is written without a pause between writes', async () => {
    const fake = await openFakeGitHub();
    const { write } = open(fake);
    const startedMs = performance.now();
    for (const body of ['a', 'b', 'c', 'd', 'e', 'f']) await write(body);
    expect(performance.now() - startedMs).toBeLessThan(9000);
  });

  test('on a deprecated route prints no warning', async () => {
    const fake = await openFakeGitHub();
    const warn = vi.spyOn(console, 'warn');
    onTestFinished(() => warn.mockRestore());
    fake.faults.push({ on: `GET ${list}`, status: 200, headers: { deprecation: 'true' }, body: [] });
    await open(fake).write('done');
    expect(warn).not.toHaveBeenCalled();
  });

  test('is refused if its body lost the marker', async () => {
    const fake = await openFakeGitHub();
    const { github } = open(fake);
    await expect(upsertComment(github, { ...place, marker, body: 'no marker' })).rejects.toThrow(
      'The first line of the body is not the marker',
    );
    expect(fake.requests).toEqual([]);
  });
});

describe('a fault', () => {
  test.each(['lost', 'cut'] as const)(
    'that leaves the response to the create %s makes no second comment',
    async how => {
      const fake = await openFakeGitHub();
      fake.faults.push({ on: `POST ${list}`, how });
      expect(await open(fake).write('done')).toMatchObject({ happened: 'unchanged' });
      expect(fake.comments).toHaveLength(1);
    },
  );

  test('before the create was done allows one retry', async () => {
    const fake = await openFakeGitHub();
    fake.faults.push({ on: `POST ${list}`, status: 502, how: 'html' });
    expect(await open(fake).write('done')).toMatchObject({ happened: 'created' });
    expect(fake.calls()).toEqual([`GET ${list}`, `POST ${list}`, `GET ${list}`, `POST ${list}`]);
  });

  test('that persists ends the retries', async () => {
    const fake = await openFakeGitHub();
    fake.faults.push({ on: `POST ${list}`, status: 500, times: 100 });
    const { write, clock } = open(fake);
    await expect(write('done')).rejects.toMatchObject({ name: 'GitHubError', status: 500, mayBeDone: true });
    expect(fake.calls().filter(call => call.startsWith('POST'))).toHaveLength(4);
    expect(clock.monotonicMs()).toBeLessThanOrEqual(60_000);
  });

  test('that truncates the list does not read as an empty list', async () => {
    const fake = await openFakeGitHub();
    fake.addComment('github-actions[bot]', `${marker}\nrunning`);
    fake.faults.push({ on: `GET ${list}`, how: 'cut' }, { on: `GET ${list}`, status: 200, how: 'html' });
    expect(await open(fake).write('done')).toMatchObject({ happened: 'edited' });
    expect(fake.comments).toHaveLength(1);
  });

  test('without any response ends at the deadline', async () => {
    const fake = await openFakeGitHub();
    fake.faults.push({ on: 'GET', how: 'silent', times: 99 });
    const { write } = open(fake, { clock: systemClock, limitMs: 150 });
    const startedMs = performance.now();
    await expect(write('done')).rejects.toThrow('did not answer GET');
    expect(performance.now() - startedMs).toBeLessThan(9000);
  });

  test('uses up its own time from the deadline', async () => {
    const fake = await openFakeGitHub();
    const clock = createHastyClock();
    const failing = async () => {
      await clock.sleep(20_000);
      throw new TypeError('fetch failed');
    };
    await expect(open(fake, { clock, fetch: failing }).write('done')).rejects.toThrow('fetch failed');
    expect(clock.slept.filter(ms => ms === 20_000)).toHaveLength(3);
  });

  test('of the network while asking for the author on github.com is retried', async () => {
    const fake = await openFakeGitHub();
    fake.addComment('github-actions[bot]', `${marker}\nrunning`);
    fake.faults.push({ on: 'POST /graphql', how: 'lost' });
    const { write, clock } = open(fake, { apiUrl: fake.apiUrl.replace('/api/v3', '') });
    expect(await write('done')).toMatchObject({ happened: 'edited' });
    expect(clock.slept).toHaveLength(1);
  });

  test.each([
    [1, { happened: 'edited' }],
    [
      99,
      {
        name: 'GitHubError',
        message: expect.stringMatching(/limits the rate of POST \/graphql \(200\)\. It asks to wait \d+ s/),
      },
    ],
  ])('of a rate limit in a GraphQL response makes no second comment (%i times)', async (times, outcome) => {
    const fake = await openFakeGitHub({ viewer: 'octo-app[bot]' });
    fake.addComment('octo-app[bot]', `${marker}\nrunning`);
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${Math.ceil(Date.now() / 1000) + 20}` };
    const body = { errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] };
    fake.faults.push({ on: 'POST /graphql', status: 200, headers, body, times });
    const { write, lines } = open(fake, { apiUrl: fake.apiUrl.replace('/api/v3', '') });
    expect(await write('done').catch((error: unknown) => error)).toMatchObject(outcome);
    expect(fake.comments).toHaveLength(1);
    expect(lines[0]).toMatch(/limits the rate of POST \/graphql\. Trying again in (?:20|21|22) s/);
  });

  test('while asking for the author does not make a second comment', async () => {
    const fake = await openFakeGitHub();
    fake.addComment('octo-app[bot]', `${marker}\nrunning`);
    fake.faults.push({ on: 'POST /api/graphql', status: 502, times: 100 });
    await expect(open(fake).write('done')).rejects.toMatchObject({ name: 'GitHubError', status: 502 });
    expect(fake.comments).toHaveLength(1);
  });

  test.each([
    [403, { 'retry-after': '3' }, 'You have exceeded a secondary rate limit', 3_000],
    [429, { 'retry-after': '7' }, 'slow down', 7_000],
    [403, { date: 'Tue, 01 Jan 2030 00:00:00 GMT', 'retry-after': 'Tue, 01 Jan 2030 00:00:09 GMT' }, '', 9_000],
    [
      403,
      { date: 'Tue, 01 Jan 2030 00:00:00 GMT', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1893456011' },
      'API rate limit exceeded',
      11_000,
    ],
  ])('of a rate limit (%i, %o) is waited out as long as GitHub asks', async (status, headers, message, waitMs) => {
    const fake = await openFakeGitHub();
    fake.faults.push({ on: `POST ${list}`, status, headers, body: { message } });
    const { write, clock, lines } = open(fake);
    expect(await write('done')).toMatchObject({ happened: 'created' });
    expect(clock.slept).toEqual([waitMs]);
    expect(lines[0]).toContain(`Trying again in ${waitMs / 1000} s`);
  });

  test('of a rate limit without a duration leaves time for the pending request', async () => {
    const fake = await openFakeGitHub();
    fake.faults.push({
      on: `POST ${list}`,
      status: 403,
      body: { message: 'You have exceeded a secondary rate limit' },
    });
    const { write, clock } = open(fake);
    expect(await write('done')).toMatchObject({ happened: 'created' });
    expect(clock.slept).toEqual([55_000]);
  });

  test('of a rate limit longer than the deadline is reported at once', async () => {
    const fake = await openFakeGitHub();
    fake.faults.push({ on: `POST ${list}`, status: 403, headers: { 'retry-after': '900' }, times: 9 });
    const { write, clock } = open(fake);
    await expect(write('done')).rejects.toThrow('asks to wait 900 s');
    expect(clock.slept).toEqual([]);
  });

  test('waits and failed attempts of one use share one deadline', async () => {
    const fake = await openFakeGitHub();
    fake.faults.push({ on: `GET ${list}`, status: 429, headers: { 'retry-after': '25' }, times: 99 });
    const { write, clock } = open(fake);
    await expect(write('done')).rejects.toThrow('limits the rate');
    await expect(write('done')).rejects.toThrow('limits the rate');
    expect(clock.slept).toEqual([25_000, 25_000]);
  });

  test('for a target that the token cannot see creates nothing', async () => {
    const fake = await openFakeGitHub();
    fake.addComment('github-actions[bot]', `${marker}\nrunning`);
    fake.faults.push({ on: `GET ${list}`, status: 404, body: { message: 'Not Found' } });
    await expect(open(fake).write('done')).rejects.toThrow('It does not exist, or the token cannot see it');
    expect(fake.comments).toHaveLength(1);
  });

  test.each([400, 401, 404, 409, 410, 422])('of the request (%i) is not retried', async status => {
    const fake = await openFakeGitHub();
    fake.faults.push({ on: `GET ${list}`, status, body: { message: 'no' } });
    await expect(open(fake).write('done')).rejects.toMatchObject({ status, mayBeDone: false });
    expect(fake.requests).toHaveLength(1);
  });

  test('of the service is retried if that is harmless', async () => {
    const fake = await openFakeGitHub();
    fake.addComment('github-actions[bot]', `${marker}\nrunning`);
    fake.faults.push(
      { on: `GET ${list}`, status: 500 },
      { on: 'POST /api/graphql', status: 502 },
      { on: 'PATCH', status: 503, how: 'html' },
      { on: 'PATCH', how: 'lost' },
    );
    expect(await open(fake).write('done')).toMatchObject({ happened: 'edited' });
    expect(fake.comments.map(({ body }) => body)).toEqual([`${marker}\ndone`]);
  });
});

describe('an endless response', () => {
  test('with ever more pages ends after 10,000 comments without a write', async () => {
    const fake = await openFakeGitHub({ isEndless: true });
    fake.addComment('mona', 'hello');
    await expect(open(fake).write('done')).rejects.toThrow(/more than 10,000 comments \(100 pages\)/);
    expect(fake.requests).toHaveLength(100);
    expect(fake.comments).toHaveLength(1);
  });

  test('with slow pages ends at the deadline, though no request fails', async () => {
    const fake = await openFakeGitHub({ isEndless: true });
    fake.addComment('mona', 'hello');
    const clock = createHastyClock();
    const slow: typeof globalThis.fetch = async (url, init) => {
      await clock.sleep(7_000);
      return await globalThis.fetch(url, init);
    };
    await expect(open(fake, { clock, fetch: slow }).write('done')).rejects.toThrow('the limit of 60 s was reached');
    expect(fake.requests).toHaveLength(9);
  });

  test('that drips ends at the deadline', async () => {
    const fake = await openFakeGitHub();
    fake.faults.push({ on: 'GET', how: 'drip', times: 99 });
    const startedMs = performance.now();
    await expect(open(fake, { clock: systemClock, limitMs: 200 }).write('done')).rejects.toThrow('no answer in time');
    expect(performance.now() - startedMs).toBeLessThan(9000);
  });

  test('above 8 MiB is not read further or requested again', async () => {
    const fake = await openFakeGitHub();
    fake.faults.push({ on: 'GET', how: 'huge', times: 99 });
    await expect(open(fake).write('done')).rejects.toThrow('longer than 8388608 bytes');
    expect(fake.requests).toHaveLength(1);
  });
});

describe('a step that is being stopped', () => {
  test.each([
    ['a wait for the limit of the rate', { on: 'GET', status: 429, headers: { 'retry-after': '20' } }],
    ['a list that drips', { on: 'GET', how: 'drip' }],
    ['a create without an answer', { on: 'POST', how: 'silent' }],
  ] as const)('ends %s at once', async (_what, fault) => {
    const fake = await openFakeGitHub();
    fake.faults.push(fault);
    const stop = new AbortController();
    const writing = open(fake, { clock: systemClock, signal: stop.signal }).write('done');
    const caught = writing.catch((error: unknown) => error);
    await expect.poll(() => fake.calls().some(call => call.startsWith(fault.on))).toBe(true);
    const startedMs = performance.now();
    stop.abort();
    expect(String(await caught)).toMatch(/^GitHubError: /);
    expect(performance.now() - startedMs).toBeLessThan(9000);
    expect(fake.comments).toEqual([]);
  });

  test('sends no more requests', async () => {
    const fake = await openFakeGitHub();
    await expect(open(fake, { signal: AbortSignal.abort() }).write('done')).rejects.toThrow('is being stopped');
    expect(fake.requests).toEqual([]);
  });
});

describe('an error', () => {
  test.each([[{}], [[null]], [{ comments: [] }]])('describes a list of comments that is %j', async body => {
    const fake = await openFakeGitHub();
    fake.faults.push({ on: 'GET', status: 200, body });
    await expect(open(fake).write('done')).rejects.toThrow('did not answer with a list');
    expect(fake.comments).toEqual([]);
  });

  test.each([
    [
      'issues=write; pull_requests=write,metadata=read',
      '`issues: write`, or `pull-requests: write` and `metadata: read`',
    ],
    ['', '`issues: write`, or `pull-requests: write` on a pull request'],
  ])('names the permissions of GitHub (%j), otherwise those of the operation', async (accepted, names) => {
    const fake = await openFakeGitHub();
    const headers = { 'x-accepted-github-permissions': accepted };
    fake.faults.push({ on: 'POST', status: 403, headers, body: { message: 'Resource not accessible by integration' } });
    const error = String(
      await open(fake)
        .write('done')
        .catch((thrown: unknown) => thrown),
    );
    expect([error.includes('Resource not accessible'), error]).toEqual([true, expect.stringContaining(names)]);
  });

  test('reports a network failure and never shows the token', async () => {
    const fake = await openFakeGitHub();
    fake.faults.push({ on: 'GET', how: 'lost', times: 99 });
    const error = await open(fake)
      .write('done')
      .catch((thrown: unknown) => thrown as Error);
    expect(String(error)).toMatch(/^GitHubError: GitHub did not answer GET /);
    expect(`${String(error)} ${JSON.stringify((error as Error).cause)}`).not.toContain(token);
    expect(fake.requests[0]?.token).toContain(token);
  });
});

describe('a marker', () => {
  test.each(['a --> <script>', '--', '-->', '<!--', '', 'x\ny', '>'.repeat(300), 'ä'.repeat(300)])(
    'of the key %j is one comment in one line',
    key => {
      expect(markerOf(key)).toMatch(/^<!-- agent-run:[A-Za-z0-9._/-]{1,100} -->$/);
      expect(markerOf(key).slice(4, -3)).not.toMatch(/--|>/);
    },
  );

  test('differs for different keys', () => {
    const keys = ['', 'a', 'a b', 'a-b', 'a--b', 'a\tb', '-a', 'A', `${'x'.repeat(100)}1`, `${'x'.repeat(100)}2`];
    expect(new Set(keys.map(markerOf)).size).toBe(keys.length);
  });
});
