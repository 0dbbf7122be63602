import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { CompiledQuery, Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Turns } from '../../../../src/base/turns.ts';
import { runOrders } from '../../../../src/contract/list-query.ts';
import { selectRuns } from '../../../../src/server/store/sqlite/lists/run-list.ts';
import { claimRun } from '../../../../src/server/store/sqlite/run-claims.ts';
import { findByIdempotencyKey, findNewest, findSession } from '../../../../src/server/store/sqlite/run-creation.ts';
import { cancelLapsedLeases, endOrphans, restartLeases } from '../../../../src/server/store/sqlite/run-upkeep.ts';
import { openConnection } from '../../../../src/server/store/sqlite/sqlite-database.ts';
import { databaseFile, openSqliteStore } from '../../../../src/server/store/sqlite/sqlite-store.ts';
import type { Tables } from '../../../../src/server/store/sqlite/tables.ts';
import { WriterQueue } from '../../../../src/server/store/sqlite/writer-queue.ts';
import type { RunFilter } from '../../../../src/server/store/store.ts';
import { createHandClock } from '../../../support/hand-clock.ts';

/** More than a list reads to find out which of its filters matches few runs. */
const runs = 1100;
const later = Date.UTC(2031, 0, 1);

let folder: string;
let database: Kysely<Tables>;
let plain: DatabaseSync;
const statements: CompiledQuery[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agent-run-test-'));
  const store = await openSqliteStore({ folder, clock: createHandClock() });
  const run = {
    title: 't',
    prompt: 'p',
    config: { name: 'n', model_id: 'm', environment_id: 'e', skill_spec: 's' },
    source: 'API',
    metadata: { team: 'a' },
    creator: { uid: 'k', displayName: 'k' },
  } as const;
  await Promise.all(Array.from({ length: runs }, () => store.createRun(run)));
  await store.close();
  const connection = openConnection(join(folder, databaseFile), 'write');
  plain = new DatabaseSync(join(folder, databaseFile));
  database = connection.withPlugin({
    transformQuery({ node, queryId }) {
      statements.push(connection.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
});

afterAll(async () => {
  plain.close();
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});

/** What SQLite does for the statements of `work`, without the rows of a virtual table and subqueries. */
async function plansOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  statements.length = 0;
  await work();
  return statements.flatMap(explain).filter(detail => /runs|run_metadata|events|B-TREE/.test(detail));
}

function explain({ sql, parameters }: CompiledQuery): readonly string[] {
  const plan = plain.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...(parameters as string[]));
  return plan.map(({ detail }) => String(detail));
}

const list = (filter: Partial<RunFilter>) =>
  plansOf(() =>
    selectRuns({ database, turns: new Turns() }, { limit: 20, sort_by: 'updated_at', sort_order: 'desc', ...filter }),
  );

const ordered = { updated_at: 'runs_updated', created_at: 'runs_created', title: 'runs_title', agent: 'runs_agent' };
const ownIndex: readonly (readonly [RunFilter['sort_by'], Partial<RunFilter>, string])[] = [
  ...runOrders.map(order => [order, {}, ordered[order]] as const),
  ['updated_at', { updatedAfter: 0 }, 'runs_updated'],
  ['created_at', { createdAfter: 0 }, 'runs_created'],
  ['created_at', { createdBefore: later }, 'runs_created'],
  ['updated_at', { state: ['QUEUED'] }, 'runs_state_updated'],
  ['created_at', { state: ['QUEUED'] }, 'runs_state_created'],
  ['updated_at', { name: 'n' }, 'runs_name_updated'],
  ['updated_at', { model_id: 'm' }, 'runs_model_updated'],
  ['updated_at', { creator: 'k' }, 'runs_creator_updated'],
  ['updated_at', { creator: 'k', updatedAfter: 0 }, 'runs_creator_updated'],
  ['updated_at', { source: 'API' }, 'runs_source_updated'],
  ['updated_at', { skill_spec: 's' }, 'runs_skill_updated'],
  ['updated_at', { environment_id: 'e' }, 'runs_environment_updated'],
  ['updated_at', { environment_id: 'empty-environment' }, 'runs_environment_updated'],
];
const directions = ['asc', 'desc'] as const;

test.each(ownIndex.flatMap(row => directions.map(direction => [...row, direction] as const)))(
  'a list by %s with %j reads %s, %s',
  async (sort_by, filter, index, sort_order) => {
    const plans = await list({ ...filter, sort_by, sort_order });
    const [page, ...rest] = plans.filter(plan => !plan.includes('sqlite_autoindex_runs_1'));
    expect(page).toMatch(new RegExp(`^S(EARCH|CAN) runs USING INDEX ${index}\\b`));
    // The order by agent has a second part.
    for (const plan of rest) expect(plan).toMatch(new RegExp(`^SEARCH runs USING INDEX ${index}\\b`));
  },
);

const everyFilter: Partial<RunFilter> = {
  state: ['QUEUED', 'FAILED'],
  name: 'n',
  model_id: 'm',
  creator: 'k',
  source: 'API',
  skill_spec: 's',
  environment_id: 'e',
  metadata: { team: 'a' },
  createdAfter: 0,
  createdBefore: later,
  updatedAfter: 0,
};

test.each(runOrders.flatMap(sort_by => directions.map(sort_order => [sort_by, sort_order] as const)))(
  'a search among many runs by %s, %s, reads windows of an index in its order',
  async (sort_by, sort_order) => {
    const plans = await list({ ...everyFilter, q: 'nothing of the kind', sort_by, sort_order });
    const index = sort_by === 'updated_at' ? 'runs_skill_updated' : ordered[sort_by];
    expect(plans.filter(plan => plan.includes(`INDEX ${index}`)).length).toBeGreaterThan(3);
    expect(plans.filter(plan => plan.includes('B-TREE'))).toEqual([]);
    // Only the first window begins where the index begins.
    expect(plans.filter(plan => plan.startsWith('SCAN')).length).toBeLessThan(2);
    const windows = statements.filter(({ sql }) => /as "bytes".*run_id"\) [<>]/.test(sql)).map(explain);
    expect(windows.length).toBeGreaterThan(1);
    for (const window of windows) expect(window).toContainEqual(expect.stringContaining(',run_id)'));
  },
);

const rare: readonly Partial<RunFilter>[] = [
  { state: ['FAILED', 'ERROR'] },
  { name: 'x' },
  { model_id: 'x' },
  { creator: 'x' },
  { source: 'CLI' },
  { skill_spec: 'x' },
  { environment_id: 'x' },
  { environment_id: 'empty-environment' },
  { metadata: { team: 'x' } },
  { createdAfter: later },
  { createdBefore: 0 },
  { updatedAfter: later },
];

test.each(rare)('a search with the rare %j reads no run that does not match it', async filter => {
  const plans = await list({ ...filter, q: 't', sort_by: 'title' });
  expect(plans.filter(plan => plan.includes('sqlite_autoindex_runs_1')).length).toBeGreaterThan(0);
  for (const plan of plans)
    expect(plan).toMatch(
      /^SEARCH (runs USING (COVERING INDEX \w+|INDEX sqlite_autoindex_runs_1)|run_metadata USING PRIMARY KEY)|B-TREE/,
    );
});

test('no upkeep and no create reads a whole table', async () => {
  const queue = new WriterQueue(database, () => {});
  const unit = { database, touch: () => {} };
  const plans = await plansOf(async () => {
    await findByIdempotencyKey(database, 'k', 'x');
    await findNewest(database, 'x');
    await findSession(database, 'x');
    await claimRun(unit, later);
    await cancelLapsedLeases(queue, later);
    await restartLeases(queue, later);
    await endOrphans(unit, 'x', later);
  });
  expect(plans.length).toBeGreaterThan(10);
  for (const plan of plans) expect(plan).toMatch(/^SEARCH (runs|events) USING/);
  expect(plans.filter(plan => plan.includes('creator_uid'))).toEqual([expect.stringContaining('runs_idempotency')]);
});
