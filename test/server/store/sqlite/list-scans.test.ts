import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { databaseFile, openSqliteStore } from '../../../../src/server/store/sqlite/sqlite-store.ts';
import type { NewRun, RunFilter, RunStore } from '../../../../src/server/store/store.ts';
import { createHandClock } from '../../../support/hand-clock.ts';
import { createTempFolder } from '../../../support/temp-folder.ts';

const rows = 20_000;
const newRun: NewRun = { title: 't', prompt: 'p', config: {}, source: 'API', creator: { uid: 'k', displayName: 'n' } };
const filter: RunFilter = { limit: 20, sort_by: 'created_at', sort_order: 'desc' };

/** A store with one run that says "needle" below 20,000 later ones. */
async function openLarge(): Promise<{ readonly store: RunStore; readonly needle: string }> {
  const folder = createTempFolder();
  const clock = createHandClock();
  const empty = await openSqliteStore({ folder, clock });
  await empty.createRun({ ...newRun, prompt: 'the needle' });
  await empty.createRun(newRun);
  await empty.close();
  const database = new DatabaseSync(join(folder, databaseFile));
  const names = database
    .prepare("SELECT name FROM pragma_table_info('runs')")
    .all()
    .map(row => String(row.name));
  const later: Readonly<Record<string, string>> = {
    run_id: "printf('ffffffff-0000-7000-8000-%012x', number)",
    created_at: 'created_at + number',
    updated_at: 'updated_at + number',
  };
  database.exec(`WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers LIMIT ${rows})
    INSERT INTO runs (${names}) SELECT ${names.map(name => later[name] ?? name)} FROM numbers, runs WHERE prompt = 'p'`);
  database.close();
  const store = await openSqliteStore({ folder, clock });
  onTestFinished(() => store.close());
  const [last] = (await store.listRuns({ ...filter, sort_order: 'asc', limit: 1 })).runs;
  return { store, needle: last?.runId ?? '' };
}

/** Counts turns of the event loop until `work` ends. */
async function countTurns<T>(work: Promise<T>): Promise<{ readonly turns: number; readonly value: T }> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setTimeout(count, 0);
  };
  count();
  const value = await work;
  isOver = true;
  return { turns, value };
}

test('a search in 20,000 runs finds the last one and lets other work in between', async () => {
  const { store, needle } = await openLarge();
  const { turns, value } = await countTurns(store.listRuns({ ...filter, q: 'NEEDLE' }));
  expect(value.runs.map(run => run.runId)).toEqual([needle]);
  expect(turns).toBeGreaterThan(4);
});

test.each(['created_at', 'updated_at', 'title', 'agent'] as const)(
  'pages of a search by %s in 20,000 runs have every run once',
  async sort_by => {
    const { store } = await openLarge();
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.listRuns({ ...filter, sort_by, q: 'p', state: ['QUEUED'], limit: 500, cursor });
      found.push(...page.runs.map(run => run.runId));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(found).toHaveLength(rows + 1);
    expect(new Set(found).size).toBe(rows + 1);
  },
);

test('a search in long prompts ignores the case of ASCII letters only, and reads few of them at a time', async () => {
  const store = await openSqliteStore({ folder: createTempFolder(), clock: createHandClock() });
  onTestFinished(() => store.close());
  const long = 'aÄ%_\\'.repeat(40_000);
  await Promise.all(
    Array.from({ length: 60 }, (_, index) => store.createRun({ ...newRun, title: String(index), prompt: long })),
  );
  await store.createRun({ ...newRun, title: 'last', prompt: `${long}The End` });
  const search = async (q: string) => (await store.listRuns({ ...filter, limit: 1, q })).runs.length;
  expect(await Promise.all(['the eND', 'A\u00c4%_\\a', 'a\u00e4', 'a%b'].map(search))).toEqual([1, 1, 0, 0]);
  const { turns } = await countTurns(store.listRuns({ ...filter, q: 'nothing of the kind' }));
  expect(turns).toBeGreaterThan(4);
});

test('a run that changes while it is searched for is listed as it is, or not at all', async () => {
  const { store, needle } = await openLarge();
  const search = store.listRuns({ ...filter, q: 'needle', state: ['QUEUED'] });
  await store.requestCancel(needle, 'no longer needed');
  expect((await search).runs).toEqual([]);
  expect((await store.listRuns({ ...filter, q: 'needle', state: ['CANCELLED'] })).runs).toHaveLength(1);
});

test('a search stops when its signal aborts', async () => {
  const { store } = await openLarge();
  const left = new AbortController();
  const search = store.listRuns({ ...filter, q: 'nothing of the kind' }, left.signal);
  setImmediate(() => left.abort(new Error('the client left')));
  await expect(search).rejects.toThrow('the client left');
});

test('a list by an index and a short search do not wait for ten long searches', async () => {
  const { store } = await openLarge();
  const ended: string[] = [];
  const long = Array.from({ length: 10 }, () =>
    store.listRuns({ ...filter, q: 'nothing of the kind' }).then(() => ended.push('long')),
  );
  await new Promise(resolve => setImmediate(resolve));
  await store.listRuns({ ...filter, source: 'API', sort_by: 'updated_at' }).then(() => ended.push('by index'));
  await store.listRuns({ ...filter, q: 'p' }).then(() => ended.push('short'));
  await Promise.all(long);
  expect(ended.slice(0, 2)).toEqual(['by index', 'short']);
});
