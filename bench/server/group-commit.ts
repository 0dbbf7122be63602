import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { openSqliteStore } from '../../src/server/store/sqlite/sqlite-store.ts';
import type { NewRun } from '../../src/server/store/store.ts';
import type { Measurement } from '../main.ts';

const count = 300;
const newRun: NewRun = { title: 't', prompt: 'p', config: {}, source: 'API', creator: { uid: 'k', displayName: 'k' } };

/** Sequential creates pay for one flush to disk each. Concurrent creates share flushes. */
export async function measureGroupCommit(): Promise<Measurement> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-run-bench-'));
  const store = await openSqliteStore({ folder, clock: systemClock });
  try {
    for (let index = 0; index < 50; index += 1) await store.createRun(newRun);
    const oneByOne = await timeMs(async () => {
      for (let index = 0; index < count; index += 1) await store.createRun(newRun);
    });
    const together = await timeMs(() => Promise.all(Array.from({ length: count }, () => store.createRun(newRun))));
    return {
      what: `${count} creates, each durable before it is acknowledged`,
      rows: [
        ['one after another', `${Math.round((count / oneByOne) * 1000)} a second`],
        ['at the same time', `${Math.round((count / together) * 1000)} a second`],
      ],
      ratios: [{ name: 'time, sequential to concurrent', value: oneByOne / together, goal: 'above 2' }],
    };
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
