import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import { openSqliteStore } from '../../../../src/server/store/sqlite/sqlite-store.ts';
import type { RunStore } from '../../../../src/server/store/store.ts';
import { openHttpApp } from '../../../support/http-app.ts';

test.each(['a client that leaves', 'a server that stops'])('%s ends its search', async cause => {
  const store = await openSqliteStore({ folder: undefined, clock: systemClock });
  onTestFinished(() => store.close());
  const endless: RunStore['listRuns'] = (_, signal) =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  const app = await openHttpApp({ store: Object.assign(store, { listRuns: endless }) });
  const left = new AbortController();
  const response = app.call('GET', '/agent/runs?q=x', { signal: left.signal });
  if (cause === 'a client that leaves') left.abort();
  else app.stop();
  expect((await response).status).toBe(503);
});
