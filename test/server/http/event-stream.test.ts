import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { streamEvents } from '../../../src/server/http/event-stream.ts';
import { RunWaiters } from '../../../src/server/http/runs/run-waiters.ts';
import { openSqliteStore } from '../../../src/server/store/sqlite/sqlite-store.ts';
import type { RunStore } from '../../../src/server/store/store.ts';
import { createHandClock } from '../../support/hand-clock.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { fenced, openTestServer, type TestServer, watchToEnd } from '../../support/test-server.ts';

type Wait = Parameters<RunWaiters['wait']>[0];

class CountingWaiters extends RunWaiters {
  waiting = 0;

  override async wait(wait: Wait) {
    this.waiting += 1;
    try {
      return await super.wait(wait);
    } finally {
      this.waiting -= 1;
    }
  }
}

async function openQueuedRun() {
  const store = await openSqliteStore({ folder: createTempFolder(), clock: systemClock });
  onTestFinished(() => store.close());
  const outcome = await store.createRun({
    title: 't',
    prompt: 'p',
    config: {},
    source: 'API',
    creator: { uid: 'key-1', displayName: 'first key' },
  });
  if (outcome.kind === 'key_conflict') throw new Error('unexpected');
  return { store, run: outcome.run };
}

async function openStreams(stopping = new AbortController().signal) {
  const { store, run } = await openQueuedRun();
  const waiters = new CountingWaiters({ store, clock: systemClock, stopping });
  onTestFinished(() => waiters.close());
  const open = (commentSeconds?: number) =>
    streamEvents(
      { store, waiters, stopping },
      {
        run,
        after: 1,
        callerUid: 'other',
        signal: new AbortController().signal,
        ...(commentSeconds === undefined ? {} : { commentSeconds }),
      },
    ).getReader();
  return { waiters, open };
}

test('a quiet stream opens with a comment and repeats it at intervals', async () => {
  const { open } = await openStreams();
  const reader = open(0.05);
  const startedAt = performance.now();
  for (let count = 0; count < 4; count += 1)
    expect(new TextDecoder().decode((await reader.read()).value)).toMatch(/^: [^\n]*\n\n$/);
  expect(performance.now() - startedAt).toBeGreaterThan(140);
  await reader.cancel();
});

test.each(['goes away', 'is told that the server closes'])('a reader that %s leaves no waiter', async how => {
  const closing = new AbortController();
  const { waiters, open } = await openStreams(closing.signal);
  const readers = Array.from({ length: 20 }, () => open());
  const waiting = readers.map(async reader => {
    while (!(await reader.read()).done);
  });
  while (waiters.waiting < 20) await pause(5);
  const startedAt = performance.now();
  if (how === 'goes away') await Promise.all(readers.map(reader => reader.cancel()));
  else closing.abort();
  await Promise.all(waiting);
  while (waiters.waiting > 0) await pause(5);
  // Less than the interval of comments.
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test('a stream renews the lease after a third of it, not with every piece', async () => {
  const clock = createHandClock();
  const store = await openSqliteStore({ folder: createTempFolder(), clock });
  onTestFinished(() => store.close());
  const creator = { uid: 'key-1', displayName: 'first key' };
  await store.createRun({ title: 't', prompt: 'p', config: {}, source: 'API', creator, leaseSeconds: 30 });
  const run = await store.claimRun();
  if (run === undefined) throw new Error('nothing to claim');
  let renewals = 0;
  const counting: RunStore = Object.create(store, {
    renewLease: {
      value: (runId: string) => {
        renewals += 1;
        return store.renewLease(runId);
      },
    },
    readRun: { value: (runId: string) => store.readRun(runId) },
    readEvents: { value: (...given: Parameters<RunStore['readEvents']>) => store.readEvents(...given) },
    onChange: { value: (listener: (runId: string) => void) => store.onChange(listener) },
  });
  const { signal } = new AbortController();
  const waiters = new RunWaiters({ store: counting, clock, stopping: signal });
  onTestFinished(() => waiters.close());
  const parts = { store: counting, waiters, stopping: signal };
  const reader = streamEvents(parts, { run, after: run.lastSeq, callerUid: creator.uid, signal }).getReader();
  await reader.read();
  for (const seconds of [11, 1, 1, 1, 11]) {
    clock.advance(seconds * 1000);
    await store.appendEvents(run, [{ type: 'log', data: { stream: 'stdout', text: 'x' } }]);
    await reader.read();
  }
  expect(renewals).toBe(2);
  await reader.cancel();
});

/** Waits end at once. */
class SkippingWaiters extends RunWaiters {
  readonly waitsMs: number[] = [];

  override wait(wait: Wait) {
    this.waitsMs.push(wait.waitMs);
    return super.wait({ ...wait, waitMs: 0 });
  }
}

test('the default interval of comments is 15 seconds', async () => {
  const { store, run } = await openQueuedRun();
  const { signal } = new AbortController();
  const waiters = new SkippingWaiters({ store, clock: systemClock, stopping: signal });
  onTestFinished(() => waiters.close());
  const parts = { store, waiters, stopping: signal };
  const reader = streamEvents(parts, { run, after: 1, callerUid: 'other', signal }).getReader();
  for (let count = 0; count < 3; count += 1) await reader.read();
  expect(waiters.waitsMs).toEqual([15_000, 15_000]);
  await reader.cancel();
});

test('a stream neither waits nor reads before its reader asks', async () => {
  const { waiters, open } = await openStreams();
  const reader = open();
  await reader.read();
  await pause(30);
  expect(waiters.waiting).toBe(0);
  const next = reader.read();
  while (waiters.waiting === 0) await pause(5);
  await reader.cancel();
  expect((await next).done).toBe(true);
});

function openEvents({ url, key }: TestServer, runId: string, after: number, signal?: AbortSignal): Promise<Response> {
  return fetch(`${url}/api/v1/agent/runs/${runId}/events?after=${after}`, {
    headers: { Authorization: `Bearer ${key}`, Accept: 'text/event-stream' },
    ...(signal === undefined ? {} : { signal }),
  });
}

async function startQuietRun(target: TestServer, more: { readonly lease_seconds?: number } = {}): Promise<string> {
  const { run_id } = await target.client.runs.create({ prompt: fenced('sleep 60'), ...more });
  while ((await target.client.runs.retrieve(run_id)).state === 'QUEUED') await pause(20);
  return run_id;
}

test('over a port, head and first bytes arrive even without new events', async () => {
  const target = await openTestServer();
  const runId = await startQuietRun(target);
  const { last_seq } = await target.client.runs.retrieve(runId);
  const startedAt = performance.now();
  const response = await openEvents(target, runId, last_seq ?? 0);
  expect(response.headers.get('Content-Type')).toBe('text/event-stream');
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(/^: /);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  await reader?.cancel();
});

test("over a port, a reader renews its run's lease only while it reads", async () => {
  const target = await openTestServer();
  const runId = await startQuietRun(target, { lease_seconds: 2 });
  const gone = new AbortController();
  const reading = openEvents(target, runId, 0, gone.signal).then(response => response.text());
  await Promise.race([reading, pause(4000)]);
  expect((await target.client.runs.retrieve(runId)).cancel_requested_at).toBeUndefined();
  gone.abort();
  await expect(reading).rejects.toThrow('abort');
  expect((await watchToEnd(target.client, runId)).status_message?.message).toContain('lease of 2 s');
});

test("over a port, a stopping server sends the run's last event and ends the stream", async () => {
  const target = await openTestServer();
  const ended = await startQuietRun(target);
  const response = await openEvents(target, ended, 0);
  const reading = response.text();
  await target.stop();
  const last = (await reading).trimEnd().split('\n\n').at(-1) ?? '';
  expect(JSON.parse(last.split('\ndata: ')[1] ?? '')).toMatchObject({ type: 'state', data: { state: 'ERROR' } });
});
