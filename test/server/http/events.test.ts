import { expect, test } from 'vitest';
import type { EventDraft } from '../../../src/contract/events.ts';
import { readAnswer } from '../../support/answer.ts';
import { openHttpApp } from '../../support/http-app.ts';

const line = (text: string): EventDraft => ({ type: 'log', data: { stream: 'stdout', text } });

test('events come in pages, and done only with the last event of an ended run', async () => {
  const app = await openHttpApp();
  const run = await app.startRun();
  await app.store.appendEvents(run, [line('a'), line('b')]);
  const page = async (query: string) => readAnswer(await app.call('GET', `/agent/runs/${run.runId}/events${query}`));
  expect(await page('?after=2&limit=1')).toMatchObject({
    events: [{ seq: 3, type: 'log', data: { text: 'a' } }],
    next_after: 3,
    done: false,
  });
  expect(await page('?after=4')).toEqual({ events: [], next_after: 4, done: false });
  await app.store.finishRun(run, { state: 'FAILED', statusMessage: { message: 'why' } });
  expect(await page('?limit=2')).toMatchObject({ next_after: 2, done: false });
  expect(await page('?after=4')).toMatchObject({
    events: [{ seq: 5, type: 'state', data: { state: 'FAILED', message: 'why' } }],
    done: true,
  });
  expect(await page('?after=5')).toEqual({ events: [], next_after: 5, done: true });
});

test('a waiting page answers with the first new event', async () => {
  const app = await openHttpApp();
  const run = await app.startRun();
  const waiting = app.call('GET', `/agent/runs/${run.runId}/events?after=2`, {
    headers: { Prefer: 'respond-async, wait=20' },
  });
  setTimeout(() => void app.store.appendEvents(run, [line('news')]), 100);
  const response = await waiting;
  expect(response.headers.get('Preference-Applied')).toBe('wait=20');
  expect(await readAnswer(response)).toMatchObject({ events: [{ data: { text: 'news' } }], next_after: 3 });
});

test('an event between the check and the wait ends the wait', async () => {
  const app = await openHttpApp();
  const run = await app.startRun();
  let slowestMs = 0;
  for (let round = 0; round < 30; round += 1) {
    const after = (await app.store.readRun(run.runId))?.lastSeq ?? 0;
    const startedAt = performance.now();
    const waiting = app.call('GET', `/agent/runs/${run.runId}/events?after=${after}`, {
      headers: { Prefer: 'wait=20' },
    });
    const writing = app.store.appendEvents(run, [line('x')]);
    expect((await readAnswer(waiting)).events).toHaveLength(1);
    await writing;
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
  }
  // A lost wake costs five seconds.
  expect(slowestMs).toBeLessThan(4500);
});

test('a page of large events ends early without loss', async () => {
  const app = await openHttpApp();
  const run = await app.startRun();
  for (let index = 0; index < 6; index += 1)
    await app.store.appendEvents(
      run,
      Array.from({ length: 60 }, () => line('x'.repeat(16_384))),
    );
  let after = 0;
  const sizes: number[] = [];
  for (;;) {
    const { events, next_after } = await readAnswer(
      await app.call('GET', `/agent/runs/${run.runId}/events?after=${after}`),
    );
    if (events.length === 0) break;
    expect(events[0]?.seq).toBe(after + 1);
    after = next_after;
    sizes.push(events.length);
  }
  expect(after).toBe(362);
  expect(Math.max(...sizes)).toBeLessThan(270);
});

test('an invalid number is rejected by its name', async () => {
  const app = await openHttpApp();
  const run = await app.startRun();
  const response = await app.call('GET', `/agent/runs/${run.runId}/events?after=-1&limit=zwei`);
  expect((await readAnswer(response)).issues?.map(issue => issue.path)).toEqual(['after', 'limit']);
});

const asStream = { Accept: 'text/event-stream' };

test('a stream sends numbered events as they happen and ends with the last one', async () => {
  const app = await openHttpApp();
  const run = await app.startRun();
  const response = await app.call('GET', `/agent/runs/${run.runId}/events`, { headers: asStream });
  expect(response.headers.get('Content-Type')).toBe('text/event-stream');
  setTimeout(() => void app.store.appendEvents(run, [line('a\nb')]), 50);
  setTimeout(() => void app.store.finishRun(run, { state: 'SUCCEEDED' }), 150);
  const [opening, ...blocks] = (await response.text()).trimEnd().split('\n\n');
  expect(opening).toMatch(/^: [^\n]*$/);
  expect(blocks.map(block => block.split('\n')[0])).toEqual(['id: 1', 'id: 2', 'id: 3', 'id: 4']);
  expect(blocks.map(block => JSON.parse(block.split('\ndata: ')[1] ?? ''))).toMatchObject([
    { seq: 1, data: { state: 'QUEUED' } },
    { seq: 2, data: { state: 'INPROGRESS' } },
    { seq: 3, type: 'log', data: { text: 'a\nb' } },
    { seq: 4, data: { state: 'SUCCEEDED' } },
  ]);
});

test('a stream continues after Last-Event-ID, which overrides the query', async () => {
  const app = await openHttpApp();
  const run = await app.startRun();
  await app.store.finishRun(run, { state: 'FAILED' });
  const path = `/agent/runs/${run.runId}/events?after=0`;
  const rest = await app.call('GET', path, { headers: { ...asStream, 'Last-Event-ID': '2' } });
  expect((await rest.text()).match(/^id: \d+$/gm)).toEqual(['id: 3']);
  const startedAt = performance.now();
  const over = await app.call('GET', path, { headers: { ...asStream, 'Last-Event-ID': '3' } });
  expect(await over.text()).toMatch(/^: [^\n]*\n\n$/);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect((await app.call('GET', path, { headers: { ...asStream, 'Last-Event-ID': 'x' } })).status).toBe(400);
});

test('a stream ends when its reader leaves or the server closes', async () => {
  const app = await openHttpApp();
  const run = await app.startRun();
  const path = `/agent/runs/${run.runId}/events?after=2`;
  const left = await app.call('GET', path, { headers: asStream });
  await left.body?.cancel();
  const closing = await app.call('GET', path, { headers: asStream });
  setTimeout(() => app.stop(), 50);
  expect(await closing.text()).toMatch(/^(: [^\n]*\n\n){2}$/);
});

test('a stream waits for a slow reader between pieces', async () => {
  const app = await openHttpApp();
  const { runId, attempt } = await app.startRun();
  const text = 'x'.repeat(16 * 1024);
  const events = Array.from({ length: 200 }, () => ({ type: 'log', data: { stream: 'stdout', text } }) as const);
  await app.store.appendEvents({ runId, attempt }, events);
  const response = await app.call('GET', `/agent/runs/${runId}/events`, { headers: { Accept: 'text/event-stream' } });
  const reader = response.body?.getReader();
  let count = 0;
  let longest = 0;
  while (count < 200) {
    const piece = new TextDecoder().decode((await reader?.read())?.value);
    longest = Math.max(longest, piece.length);
    count += piece.split(text).length - 1;
  }
  await reader?.cancel();
  expect(longest).toBeLessThan(300 * 1024);
});
