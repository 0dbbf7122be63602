import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { createLocalDispatcher } from '../../../src/server/dispatch/local-dispatcher.ts';
import { openSqliteStore } from '../../../src/server/store/sqlite/sqlite-store.ts';
import type { NewRun, StoredRun } from '../../../src/server/store/store.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

const newRun: NewRun = { title: 't', prompt: 'p', config: {}, source: 'API', creator: { uid: 'k', displayName: 'n' } };

/** A dispatcher over a real store; `work` ends each run when the test lets it. The wall clock can be set. */
async function open({
  concurrency = 2,
  ends = 'SUCCEEDED',
}: {
  readonly concurrency?: number;
  readonly ends?: 'SUCCEEDED' | 'QUEUED';
} = {}) {
  let wallAheadMs = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + wallAheadMs };
  const store = await openSqliteStore({ folder: createTempFolder(), clock });
  const begun: StoredRun[] = [];
  const lets = new Map<string, () => void>();
  const work = async (run: StoredRun, stopping: AbortSignal) => {
    begun.push(run);
    await new Promise<void>(resolve => {
      lets.set(run.runId, resolve);
      stopping.addEventListener('abort', () => resolve(), { once: true });
    });
    const state = stopping.aborted ? 'ERROR' : ends;
    await store.finishRun(run, { state });
    return state;
  };
  const dispatcher = createLocalDispatcher({ store, work, concurrency, clock, log: () => {} });
  dispatcher.start();
  onTestFinished(async () => {
    await dispatcher.stop(0);
    await store.close();
  });
  const create = async (more: Partial<NewRun> = {}) => {
    const outcome = await store.createRun({ ...newRun, ...more });
    return outcome.kind === 'key_conflict' ? '' : outcome.run.runId;
  };
  return { store, dispatcher, begun, lets, create, setWallAhead: (ms: number) => (wallAheadMs = ms) };
}

test('runs start in order up to the limit, and the next when one ends', async () => {
  const { begun, lets, create, dispatcher } = await open({ concurrency: 2 });
  const ids = [await create(), await create(), await create()];
  await expect.poll(() => begun.length).toBe(2);
  await new Promise(wake => setTimeout(wake, 100));
  expect([begun.map(run => run.runId), dispatcher.runsInHand]).toEqual([ids.slice(0, 2), 2]);
  lets.get(ids[0] ?? '')?.();
  await expect.poll(() => begun.map(run => run.runId)).toEqual(ids);
});

test('a run whose lease expired is asked to stop', async () => {
  const { store, begun, create } = await open();
  const runId = await create({ leaseSeconds: 1 });
  await expect.poll(() => begun.length).toBe(1);
  await expect.poll(async () => (await store.readRun(runId))?.cancelReason).toContain('lease of 1 s');
});

test('a clock that is set forward cancels no followed run', async () => {
  const { store, begun, create, setWallAhead } = await open();
  const runId = await create({ leaseSeconds: 420 });
  await expect.poll(() => begun.length).toBe(1);
  setWallAhead(480_000);
  await new Promise(wake => setTimeout(wake, 1500));
  const run = await store.readRun(runId);
  expect(run?.cancelRequestedAt).toBeUndefined();
  expect((run?.leaseExpiresAt ?? 0) - Date.now()).toBeGreaterThan(480_000);
});

test('a stopping dispatcher claims nothing and stops a run after the drain time', async () => {
  const { store, dispatcher, begun, create } = await open({ concurrency: 1 });
  const running = await create();
  const waiting = await create();
  await expect.poll(() => begun.length).toBe(1);
  const startedAt = performance.now();
  await dispatcher.stop(300);
  expect(performance.now() - startedAt).toBeGreaterThan(250);
  expect([(await store.readRun(running))?.state, (await store.readRun(waiting))?.state]).toEqual(['ERROR', 'QUEUED']);
});

test('runs that are put back start again after a growing pause', async () => {
  const { store, begun, lets, create } = await open({ concurrency: 1, ends: 'QUEUED' });
  const runId = await create();
  const startedAt = performance.now();
  for (const count of [1, 2, 3]) {
    await expect.poll(() => begun.length).toBe(count);
    lets.get(runId)?.();
  }
  expect(performance.now() - startedAt).toBeGreaterThan(2900);
  await expect.poll(async () => (await store.readRun(runId))?.state).toBe('QUEUED');
  expect(begun.map(run => run.attempt)).toEqual([1, 2, 3]);
});
