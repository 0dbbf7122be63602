import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import type { EventDraft } from '../../../src/contract/events.ts';
import { errorCodes } from '../../../src/contract/tables/error-codes.ts';
import { wholeText } from '../../../src/contract/tables/run-text.ts';
import type { HttpEnv, HttpParts } from '../../../src/server/http/app.ts';
import { addPages } from '../../../src/server/http/pages.ts';
import { answerProblem, RequestError } from '../../../src/server/http/problem-response.ts';
import { RunWaiters } from '../../../src/server/http/runs/run-waiters.ts';
import { createSessionLinks } from '../../../src/server/http/signed-links.ts';
import { openSqliteStore } from '../../../src/server/store/sqlite/sqlite-store.ts';
import type { Claim, NewRun } from '../../../src/server/store/store.ts';
import { createHandClock } from '../../support/hand-clock.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { environmentOf } from '../worker/environment-fixture.ts';

interface News {
  readonly head: string;
  readonly events: string;
  readonly next_after: number;
  readonly version: number;
  readonly done: boolean;
}

const dayMs = 24 * 3_600_000;

test("a run's link opens its page, which allows only its own script and style", async () => {
  const pages = await openPages();
  await pages.startRun({ title: 'Tidy the tests' });
  const page = await pages.get(pages.links.pathFor((await pages.claim()).runId));
  expect(page.status).toBe(200);
  expect(page.text).toContain('<h1 dir="auto">Tidy the tests</h1>');
  const policy = page.headers.get('Content-Security-Policy') ?? '';
  for (const tag of ['script', 'style']) {
    const [, content = ''] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page.text) ?? [];
    expect(content.length).toBeGreaterThan(100);
    expect(policy).toContain(`${tag}-src 'sha256-${createHash('sha256').update(content).digest('base64')}';`);
    if (tag === 'script') expect(() => new Script(content)).not.toThrow();
  }
  expect(policy).not.toContain('unsafe');
  for (const rule of [
    "default-src 'none'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
    expect(policy.split('; ')).toContain(rule);
  expect(page.headers.get('Referrer-Policy')).toBe('no-referrer');
  expect(page.headers.get('X-Robots-Tag')).toContain('noindex');
  expect(page.headers.get('Cache-Control')).toBe('no-store');
});

test('every invalid link gets the same answer, even for an existing run', async () => {
  const pages = await openPages();
  const runId = await pages.startRun();
  const otherId = await pages.startRun();
  const path = pages.links.pathFor(runId);
  const token = path.split('token=')[1] ?? '';
  const unknownId = '01900000-0000-7000-8000-000000000000';
  const refused = [
    `/runs/${runId}`,
    `/runs/${runId}?token=`,
    `${path}x`,
    path.replace('token=', 'token=9'),
    `/runs/${otherId}?token=${token}`,
    `/runs/${unknownId}?token=${token}`,
    pages.links.pathFor(unknownId),
    pages.links.pathFor('no-uuid'),
    `/runs/${runId}/live?after=0`,
    `${pages.links.pathFor(unknownId).replace('?', '/live?')}&after=nonsense`,
  ];
  const answers = await Promise.all(refused.map(pages.get));
  expect((await pages.get(path)).status).toBe(200);
  pages.clock.advance(61 * dayMs);
  const bodies = [...answers, await pages.get(path)].map(({ status, text, headers }) => ({
    status,
    text,
    headers: [...headers],
  }));
  expect(bodies[0]?.status).toBe(403);
  expect(bodies[0]?.text).toContain('Open the complete link, with its token.');
  for (const body of bodies) expect(body).toEqual(bodies[0]);
});

test('the id in an address may be upper case', async () => {
  const pages = await openPages();
  const runId = await pages.startRun();
  expect((await pages.get(pages.links.pathFor(runId).replace(runId, runId.toUpperCase()))).status).toBe(200);
});

test('live news contain only later events and mark the end', async () => {
  const { pages, claim } = await openClaimedRun();
  await pages.store.appendEvents(claim, [output('one\n'), output('two\n')]);
  const first = await pages.readNews(claim, 3);
  expect(first.events).toContain('two');
  expect(first.events).not.toContain('one');
  expect(first).toMatchObject({ next_after: 4, done: false });
  await pages.store.finishRun(claim, { state: 'SUCCEEDED', result: wholeText('all is well') });
  const last = await pages.readNews(claim, first.next_after);
  expect(last).toMatchObject({ next_after: 5, done: true });
  expect(last.events).not.toContain('two');
  expect(last.head).toContain('all is well');
  expect(await pages.readNews(claim, 5)).toMatchObject({ events: '', done: true });
});

test('a page plus its live news equals the later page', async () => {
  const { pages, claim } = await openClaimedRun();
  await pages.store.appendEvents(claim, [output('one\n')]);
  const early = await pages.get(pages.links.pathFor(claim.runId));
  const after = Number(/data-after="(\d+)"/.exec(early.text)?.[1]);
  await pages.store.appendEvents(claim, [output('two\n')]);
  await pages.store.finishRun(claim, { state: 'FAILED', statusMessage: { message: 'no luck' } });
  const news = await pages.readNews(claim, after);
  const late = await pages.get(pages.links.pathFor(claim.runId));
  expect(readLog(early.text) + news.events).toBe(readLog(late.text));
  expect(late.text).toContain(news.head);
});

test('live news wait for an event', async () => {
  const { pages, claim } = await openClaimedRun();
  let answered = false;
  const waiting = pages.readNews(claim, 2).then(news => {
    answered = true;
    return news;
  });
  await new Promise(resolve => setTimeout(resolve, 150));
  expect(answered).toBe(false);
  await pages.store.appendEvents(claim, [output('at last\n')]);
  expect((await waiting).events).toContain('at last');
});

test('live news report a change without an event', async () => {
  const { pages, claim } = await openClaimedRun();
  const { version } = await pages.readNews(claim, 0);
  const waiting = pages.readNews(claim, 2, `&version=${version}`);
  await pages.store.describeSkill(claim, { name: 'repo-report' });
  const news = await waiting;
  expect(news).toMatchObject({ events: '', next_after: 2, done: false });
  expect(news.head).toContain('repo-report');
  expect(news.version).not.toBe(version);
});

test('a stopping server and a hidden page get their news at once', async () => {
  const { pages, claim } = await openClaimedRun();
  const startedAt = performance.now();
  expect(await pages.readNews(claim, 2, '&wait=no')).toMatchObject({ events: '', done: false });
  const waiting = pages.readNews(claim, 2);
  pages.stop();
  expect(await waiting).toMatchObject({ events: '', done: false });
  expect(performance.now() - startedAt).toBeLessThan(4500);
});

test('viewing a run does not renew its lease', async () => {
  const pages = await openPages();
  const runId = await pages.startRun({ leaseSeconds: 60 });
  const before = (await pages.store.readRun(runId))?.leaseExpiresAt;
  expect(before).toBeGreaterThan(0);
  pages.clock.advance(50_000);
  await pages.get(pages.links.pathFor(runId));
  await pages.readNews({ runId }, 0);
  await pages.readNews({ runId }, 1, '&wait=no');
  expect((await pages.store.readRun(runId))?.leaseExpiresAt).toBe(before);
});

test('a long log shows its newest part and links to earlier ones', async () => {
  const { pages, claim } = await openClaimedRun();
  await pages.store.appendEvents(
    claim,
    Array.from({ length: 1500 }, (_, index) => output(`line ${index}\n`)),
  );
  const newest = await pages.get(pages.links.pathFor(claim.runId));
  expect(readSeqs(newest.text)).toEqual([503, 1502]);
  expect(newest.text).toContain('<span>502</span> earlier entries are not shown');
  const link = /href="(\?token=[^"]*before=\d+)"/.exec(newest.text)?.[1]?.replaceAll('&amp;', '&');
  const earlier = await pages.get(`/runs/${claim.runId}${link}`);
  expect(readSeqs(earlier.text)).toEqual([1, 502]);
  expect(earlier.text).toContain('Entries 1 to 502 of 1502.');
  expect(earlier.text).toContain('id="earlier" class="quiet" hidden');
  expect(earlier.text).not.toContain('<script>');
});

test('a page with long log lines stays small and shows the end', async () => {
  const { pages, claim } = await openClaimedRun();
  const long = 'x'.repeat(16_000);
  await pages.store.appendEvents(
    claim,
    Array.from({ length: 300 }, () => output(`${long}\n`)),
  );
  const page = await pages.get(pages.links.pathFor(claim.runId));
  expect(page.text.length).toBeLessThan(1_300_000);
  const [first = 0, last] = readSeqs(page.text);
  expect(last).toBe(302);
  expect(page.text).toContain(`before=${first}"`);
});

test.each(errorCodes)('the page of $code has its title and remedy', async ({ code, title, remedy, status }) => {
  const pages = await openPages();
  const page = await pages.get(`/errors/${code}`);
  expect(page.status).toBe(200);
  expect(page.text).toContain(`<h1>${title}</h1>`);
  expect(page.text.replaceAll(/<\/?code>/g, '`').replaceAll('&#39;', "'")).toContain(remedy);
  expect(page.text).toContain(status === undefined ? 'used only for runs' : `<dd>${status}</dd>`);
  expect((await pages.get('/errors')).text).toContain(`<a href="errors/${code}">`);
});

test('the table of errors has the title and remedy of every code', async () => {
  const { text } = await (await openPages()).get('/errors');
  const plain = text.replaceAll(/<\/?code>/g, '`').replaceAll('&#39;', "'");
  for (const { title, remedy } of errorCodes) {
    expect(plain).toContain(`<span>${title}</span>`);
    expect(plain).toContain(`<td class="prose">${remedy}</td>`);
  }
});

test('an unknown error code is 404, escaped and answered with the nearest one', async () => {
  const pages = await openPages();
  const page = await pages.get('/errors/agent_faild%3Cscript%3E');
  expect(page.status).toBe(404);
  expect(page.text).toContain('<code>agent_faild&lt;script&gt;</code>');
  expect((await pages.get('/errors/agent_faild')).text).toContain('Did you mean &quot;agent_failed&quot;?');
});

test('a malformed stored event is shown on the page and in its news', async () => {
  const pages = await openPages();
  const runId = await pages.startRun();
  const claim = await pages.claim();
  const deep: unknown = JSON.parse(`${'['.repeat(2000)}${']'.repeat(2000)}`);
  const odd = [
    { type: 'log', data: { stream: 7, text: 9 } },
    { type: 'log', data: {} },
    { type: 'message', data: { role: 'assistant' } },
    { type: 'tool_call', data: {} },
    { type: 'tool_result', data: { output: { marker: 'of the odd one' } } },
    { type: 'tool_call', data: { id: 'a', name: 'shell', input: deep } },
    { type: 'state', data: { state: 5 } },
    { type: 'usage', data: { tokens: [1] } },
  ] as unknown as EventDraft[];
  expect(await pages.store.appendEvents(claim, odd)).toBe(true);
  const page = await pages.get(pages.links.pathFor(runId));
  expect(page.status).toBe(200);
  expect(page.text).toContain('of the odd one');
  const news = await pages.readNews(claim, 0, '&wait=no');
  expect(news.events).toContain('of the odd one');
  expect(news.next_after).toBeGreaterThanOrEqual(odd.length);
});

test('the start page reveals nothing about runs', async () => {
  const pages = await openPages();
  const before = await pages.get('/');
  const runId = await pages.startRun({ title: 'Hush' });
  const after = await pages.get('/');
  expect(after.status).toBe(200);
  expect(after.text).toBe(before.text);
  expect(after.text).not.toContain(runId);
  for (const address of ['openapi.json', 'errors']) expect(after.text).toContain(`href="${address}"`);
});

test('a page shows artifacts, usage and environment, and its link downloads files', async () => {
  const pages = await openPages();
  await pages.startRun({ config: { environment_id: 'E'.repeat(22) } });
  const claim = await pages.claim();
  await pages.store.appendEvents(claim, [{ type: 'usage', data: { input_tokens: 1200, cached_tokens: 0 } }]);
  const uid = '01900000-0000-7000-8000-00000000000a';
  writeFileSync(pages.artifactFile(claim.runId, uid), '<script>');
  const data = { artifact_uid: uid, filename: 'a "page".html', filepath: 'out/a "page".html', size_bytes: 8 };
  await pages.store.finishRun(claim, {
    state: 'SUCCEEDED',
    artifacts: [
      { type: 'FILE', data },
      { type: 'PULL_REQUEST', data: { url: 'https://example.com/octo-org/shop/pull/7', branch: 'b-1' } },
    ],
  });
  const path = pages.links.pathFor(claim.runId);
  const page = await pages.get(path);
  expect(page.text).toMatch(/<dt>Environment<\/dt><dd><bdi><code>shop<\/code>/);
  expect(page.text).toMatch(/<dt>Usage<\/dt><dd><bdi>input tokens 1,200<\/bdi>/);
  const left = /<section id="left"[^>]*>([\s\S]*?)<\/section>/.exec(page.text)?.[1] ?? '';
  expect(left).toContain('<h2>Artifacts</h2>');
  expect(left.match(/out\/a &quot;page&quot;\.html/g)).toHaveLength(1);
  expect(left).toMatch(/<a href="https:\/\/example\.com\/octo-org\/shop\/pull\/7"[^>]*>.*b-1/);
  // Live news have the same part.
  expect((await pages.readNews(claim, 0)).head).toContain(left);
  const href = /<a href="([^"]+)" download>/.exec(left)?.[1] ?? '';
  const address = new URL(href, `http://host${path}`);
  const file = await pages.get(`${address.pathname}${address.search}`);
  expect([file.status, file.text]).toEqual([200, '<script>']);
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': expect.stringMatching(/^attachment; /),
    'content-security-policy': "default-src 'none'; sandbox",
  });
});

test("a file does not open without its run's valid token", async () => {
  const pages = await openPages();
  const otherId = await pages.startRun();
  const claim = await pages.claim();
  const runId = await pages.startRun();
  const uid = '01900000-0000-7000-8000-00000000000a';
  for (const id of [otherId, runId]) writeFileSync(pages.artifactFile(id, uid), 'x');
  const data = { artifact_uid: uid, filename: 'a', filepath: 'a', size_bytes: 1 };
  await pages.store.finishRun(claim, { state: 'SUCCEEDED', artifacts: [{ type: 'FILE', data }] });
  const [own, other] = [pages.links.pathFor(otherId), pages.links.pathFor(runId)];
  const ask = async (path: string) => (await pages.get(path)).status;
  const fileOf = (path: string) => path.replace('?', `/artifacts/${uid}?`);
  expect(await ask(fileOf(own))).toBe(200);
  expect(await ask(fileOf(own).split('?')[0] ?? '')).toBe(403);
  expect(await ask(fileOf(own).replace(/token=.*/, other.split('?')[1] ?? ''))).toBe(403);
  // Another run's link has no such artifact.
  expect(await ask(fileOf(other))).toBe(404);
  pages.clock.advance(61 * dayMs);
  expect(await ask(fileOf(own))).toBe(403);
});

async function openClaimedRun() {
  const pages = await openPages();
  await pages.startRun();
  return { pages, claim: await pages.claim() };
}

async function openPages() {
  const clock = createHandClock();
  const store = await openSqliteStore({ folder: createTempFolder(), clock });
  const stopping = new AbortController();
  const waiters = new RunWaiters({ store, clock, stopping: stopping.signal });
  onTestFinished(async () => {
    waiters.close();
    await store.close();
  });
  const links = createSessionLinks({ secret: 'a secret of the test', clock });
  const app = new Hono<HttpEnv>();
  const folder = createTempFolder();
  app.onError((error, c) => {
    if (error instanceof RequestError) return answerProblem(c, error);
    throw error;
  });
  const artifactFile = (runId: string, uid: string) => join(folder, `${runId}-${uid}`);
  const environments = [environmentOf(undefined, { uid: 'E'.repeat(22), name: 'shop' })];
  const harnesses: HttpParts['harnesses'] = {
    names: [],
    default: undefined,
    publishedType: () => 'oz',
    canResume: () => false,
  };
  addPages(app, { store, clock, waiters, links, environments, harnesses, artifactFile });

  const get = async (path: string) => {
    const answer = await app.request(path);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return {
    clock,
    store,
    links,
    artifactFile,
    get,
    stop: () => stopping.abort(),
    async startRun(more: Partial<NewRun> = {}): Promise<string> {
      const outcome = await store.createRun({
        title: 'A run',
        prompt: 'Do it',
        config: {},
        source: 'API',
        creator: { uid: 'env', displayName: 'environment' },
        ...more,
      });
      if (outcome.kind === 'key_conflict') throw new Error('no key was given');
      return outcome.run.runId;
    },
    async claim(): Promise<Claim> {
      const run = await store.claimRun();
      if (run === undefined) throw new Error('no run waits');
      return { runId: run.runId, attempt: run.attempt };
    },
    async readNews({ runId }: Pick<Claim, 'runId'>, after: number, more = ''): Promise<News> {
      const answer = await get(`${links.pathFor(runId).replace('?', '/live?')}&after=${after}${more}`);
      expect(answer.status).toBe(200);
      return JSON.parse(answer.text);
    },
  };
}

function output(text: string): EventDraft {
  return { type: 'log', data: { stream: 'stdout', text } };
}

function readLog(page: string): string {
  return /<ol id="log" class="log">\n([\s\S]*?)<\/ol>/.exec(page)?.[1] ?? 'no log';
}

function readSeqs(page: string): readonly (number | undefined)[] {
  const seqs = [...page.matchAll(/data-seq="(\d+)"/g)].map(([, seq]) => Number(seq));
  return [seqs[0], seqs.at(-1)];
}
