import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import { RunWaiters } from '../../../../src/server/http/runs/run-waiters.ts';
import { openSqliteStore } from '../../../../src/server/store/sqlite/sqlite-store.ts';
import type { StoredRun } from '../../../../src/server/store/store.ts';
import { createTempFolder } from '../../../support/temp-folder.ts';

const creator = { uid: 'key-1', displayName: 'first key' };

/** A queued run and its waiters. `reads` are the results of the waiters' reads, which `hold` delays. */
async function openWaiters() {
  const store = await openSqliteStore({ folder: createTempFolder(), clock: systemClock });
  const outcome = await store.createRun({ title: 't', prompt: 'p', config: {}, source: 'API', creator });
  if (outcome.kind !== 'created') throw new Error('unexpected');
  const reads: StoredRun[] = [];
  let held: Promise<void> | undefined;
  let renewal: Promise<void> | undefined;
  const stopping = new AbortController();
  const waiters = new RunWaiters({
    clock: systemClock,
    stopping: stopping.signal,
    store: {
      onChange: listener => store.onChange(listener),
      async renewLease(runId) {
        await renewal;
        return await store.renewLease(runId);
      },
      async readRun(runId) {
        const run = await store.readRun(runId);
        if (run !== undefined) reads.push(run);
        await held;
        return run;
      },
    },
  });
  onTestFinished(async () => {
    waiters.close();
    await store.close();
  });
  const { run } = outcome;
  return {
    store,
    waiters,
    run,
    reads,
    stopping,
    /** Ends the reads that wait, and lets later ones pass. */
    hold() {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      held = promise;
      return (error?: Error) => {
        held = undefined;
        if (error === undefined) resolve();
        else reject(error);
      };
    },
    failRenewals() {
      renewal = Promise.reject(new Error('database or disk is full'));
      renewal.catch(() => {});
    },
    wait: (more: Partial<Parameters<RunWaiters['wait']>[0]> = {}) => {
      const known = more.run ?? run;
      const isReady = (latest: StoredRun) => latest.version > known.version;
      const { signal } = new AbortController();
      return waiters.wait({ run: known, callerUid: undefined, waitMs: 60_000, signal, isReady, ...more });
    },
  };
}

test('all that wait for a run share one read of its change', async () => {
  const { store, run, reads, wait } = await openWaiters();
  const waiting = Array.from({ length: 50 }, () => wait());
  await expect.poll(() => reads.length).toBe(1);
  await store.requestCancel(run.runId, 'not needed');
  const found = await Promise.all(waiting);
  expect(new Set(found).size).toBe(1);
  expect(found[0]?.state).toBe('CANCELLED');
  expect(reads.length).toBe(2);
});

test('a request that joins during a read does not get an older state than it knows', async () => {
  const { store, run, wait, reads, hold } = await openWaiters();
  const release = hold();
  const first = wait();
  await expect.poll(() => reads.length).toBe(1);
  await store.requestCancel(run.runId, 'not needed');
  const known = await store.readRun(run.runId);
  if (known === undefined) throw new Error('the run is gone');
  const joined = wait({ run: known, isReady: latest => latest.version !== known.version, waitMs: 1000 });
  release();
  expect((await first).version).toBe(known.version);
  expect((await joined).version).toBe(known.version);
});

test('a request that knows more of the log than the last read gets what it knows', async () => {
  const { run, wait, reads } = await openWaiters();
  const first = wait({ waitMs: 100 });
  await expect.poll(() => reads.length).toBe(1);
  const known = { ...run, lastSeq: run.lastSeq + 1 };
  expect(await wait({ run: known, isReady: latest => latest.lastSeq === known.lastSeq, waitMs: 1000 })).toBe(known);
  await first;
});

test('a stopping server answers with the last state, even in the middle of a read', async () => {
  const { store, run, wait, reads, hold, stopping } = await openWaiters();
  const release = hold();
  const waiting = wait({ isReady: () => false });
  await expect.poll(() => reads.length).toBe(1);
  await store.requestCancel(run.runId, 'not needed');
  stopping.abort();
  release();
  expect((await waiting).state).toBe('CANCELLED');
  expect((await wait({ isReady: () => false })).state).toBe('CANCELLED');
});

test('a run is not read any more when all that waited for it have left', async () => {
  const { store, run, wait, reads } = await openWaiters();
  const leaving = new AbortController();
  const waiting = [wait({ signal: leaving.signal }), wait({ waitMs: 30 })];
  await expect.poll(() => reads.length).toBe(1);
  leaving.abort();
  for (const found of await Promise.all(waiting)) expect(found.state).toBe('QUEUED');
  await store.requestCancel(run.runId, 'not needed');
  expect(reads.length).toBe(1);
});

test('a lease that is given to the run during a wait is renewed by its creator', async () => {
  const { store, run, wait } = await openWaiters();
  const leaving = new AbortController();
  const waiting = wait({ callerUid: creator.uid, signal: leaving.signal, isReady: () => false });
  await pause(50);
  const first = (await store.renewLease(run.runId, 0.6)) ?? 0;
  await expect
    .poll(async () => (await store.readRun(run.runId))?.leaseExpiresAt ?? 0, { timeout: 5000 })
    .toBeGreaterThan(first);
  leaving.abort();
  await waiting;
});

test('an error of the store reaches all that wait', async () => {
  const { wait, reads, hold } = await openWaiters();
  const release = hold();
  const waiting = [wait(), wait()];
  await expect.poll(() => reads.length).toBe(1);
  release(new Error('disk I/O error'));
  for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe('rejected');
});

test('a lease that cannot be renewed ends the wait of the creator, not those of others', async () => {
  const { store, run, wait, failRenewals } = await openWaiters();
  failRenewals();
  const holder = wait({ callerUid: creator.uid, isReady: () => false });
  const other = wait({ waitMs: 1500, isReady: () => false });
  await store.renewLease(run.runId, 0.6);
  await expect(holder).rejects.toThrow('disk is full');
  expect((await other).state).toBe('QUEUED');
});
