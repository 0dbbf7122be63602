import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { DataFolderInUseError, lockDataFolder } from '../../../../src/server/store/data-lock.ts';
import { openSqliteStore } from '../../../../src/server/store/sqlite/sqlite-store.ts';
import type { NewRun, RunStore } from '../../../../src/server/store/store.ts';
import { createHandClock } from '../../../support/hand-clock.ts';
import { createTempFolder } from '../../../support/temp-folder.ts';
import { describeRunStore } from '../run-store-suite.ts';

async function open(folder = createTempFolder()) {
  const clock = createHandClock();
  let store: RunStore = await openSqliteStore({ folder, clock });
  onTestFinished(() => store.close());
  return {
    store,
    clock,
    folder,
    async reopen() {
      await store.close();
      store = await openSqliteStore({ folder, clock });
      return store;
    },
  };
}

describeRunStore('sqlite', open);

describeRunStore('sqlite in memory', async () => {
  const clock = createHandClock();
  const store = await openSqliteStore({ folder: undefined, clock });
  onTestFinished(() => store.close());
  // The data ends with the store, so nothing can be reopened.
  return { store, clock, reopen: async () => store };
});

const newRun: NewRun = { title: 't', prompt: 'p', config: {}, source: 'API', creator: { uid: 'k', displayName: 'n' } };

test('writes of one turn share a commit, and a failed one leaves the others', async () => {
  const { store } = await open();
  const results = await Promise.allSettled([
    store.createRun(newRun),
    store.addKey({ keyId: 'one', name: 'n', hash: 'same' }),
    store.addKey({ keyId: 'two', name: 'n', hash: 'same' }),
    store.createRun(newRun),
  ]);
  expect(results.map(result => result.status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect((await store.listKeys()).map(key => key.keyId)).toEqual(['one']);
  expect((await store.listRuns({ limit: 10, sort_by: 'created_at', sort_order: 'asc' })).runs.length).toBe(2);
});

test("a closed store's files do not contain MCP keys of ended runs", async () => {
  const { store, folder } = await open();
  const key = `key-of-a-server-${'0123456789'.repeat(500)}`;
  await store.createRun({
    ...newRun,
    config: { mcp_servers: { web: { url: 'https://mcp.example.com/', headers: { key } } } },
  });
  const run = await store.claimRun();
  if (run === undefined) throw new Error('nothing to claim');
  const held = () => readdirSync(folder).filter(name => readFileSync(join(folder, name)).includes('key-of-a-server'));
  expect(held()).not.toEqual([]);
  await store.finishRun(run, { state: 'FAILED' });
  expect((await store.readRun(run.runId))?.config.mcp_servers?.web?.headers).toEqual({ key: '***' });
  await store.close();
  expect(held()).toEqual([]);
});

test('a closed store refuses writes instead of losing them', async () => {
  const { store } = await open();
  const last = store.createRun(newRun);
  await store.close();
  await expect(last).resolves.toMatchObject({ kind: 'created' });
  await expect(store.createRun(newRun)).rejects.toThrow('closed');
});

test('each run of an old version gets a conversation that cannot continue', async () => {
  const opened = await open();
  const { runId } = await opened.store.createRun(newRun).then(made => (made.kind === 'created' ? made.run : never()));
  await opened.store.close();
  const database = new DatabaseSync(join(opened.folder, 'agent-run.sqlite'));
  database.exec(`DELETE FROM schema_steps WHERE name IN ('0008_conversations', '0009_sessions');
    DROP TABLE followups; DROP INDEX runs_conversation; DROP INDEX runs_session;
    ALTER TABLE runs DROP COLUMN conversation_id; ALTER TABLE runs DROP COLUMN continuation;
    ALTER TABLE runs DROP COLUMN interactive; ALTER TABLE runs DROP COLUMN followup`);
  database.close();
  const store = await opened.reopen();
  expect(await store.findNewest(runId)).toMatchObject({ runId, conversationId: runId, continuation: undefined });
});

function never(): never {
  throw new Error('it was not created');
}

test('data of a newer version is rejected and left unchanged', async () => {
  const opened = await open();
  await opened.store.close();
  const database = new DatabaseSync(join(opened.folder, 'agent-run.sqlite'));
  database.exec("INSERT INTO schema_steps (name) VALUES ('9999_later')");
  database.close();
  await expect(openSqliteStore({ folder: opened.folder, clock: opened.clock })).rejects.toThrow('newer version');
});

test('data of an older version is migrated with its runs', async () => {
  const opened = await open();
  const outcome = await opened.store.createRun(newRun);
  await opened.store.close();
  const database = new DatabaseSync(join(opened.folder, 'agent-run.sqlite'));
  database.exec("ALTER TABLE runs DROP COLUMN checkout; DELETE FROM schema_steps WHERE name = '0002_checkout'");
  database.close();
  const store = await openSqliteStore({ folder: opened.folder, clock: opened.clock });
  expect(outcome).toMatchObject({
    kind: 'created',
    run: (await store.listRuns({ limit: 20, sort_by: 'updated_at', sort_order: 'desc' })).runs[0],
  });
  const checkout = { repository: 'octo-org/shop', ref: 'main' };
  expect(await store.createRun({ ...newRun, checkout })).toMatchObject({ run: { checkout } });
  await store.close();
});

test('runs of an older version are found by metadata, and the migration is announced', async () => {
  const opened = await open();
  const made = await opened.store.createRun({ ...newRun, metadata: { 'team.name': 'shop', ticket: '7' } });
  await opened.store.createRun(newRun);
  await opened.store.close();
  const database = new DatabaseSync(join(opened.folder, 'agent-run.sqlite'));
  const indexes = ['creator_updated', 'source_updated', 'skill_updated', 'model_updated', 'environment_updated'];
  for (const name of [...indexes, 'title', 'agent']) database.exec(`DROP INDEX runs_${name}`);
  database.exec(`DROP TABLE run_metadata; ALTER TABLE runs DROP COLUMN title_key; ALTER TABLE runs DROP COLUMN agent_key;
    DELETE FROM schema_steps WHERE name = '0012_list_indexes'`);
  database.close();
  const announced: string[] = [];
  const store = await openSqliteStore({ ...opened, onMigration: step => announced.push(step) });
  onTestFinished(() => store.close());
  expect(announced).toEqual(['0012_list_indexes']);
  const list = (metadata: Record<string, string>) =>
    store.listRuns({ limit: 20, sort_by: 'title', sort_order: 'asc', metadata });
  expect((await list({ 'team.name': 'shop', ticket: '7' })).runs).toEqual([made.kind === 'created' && made.run]);
  expect((await list({ 'team.name': '7' })).runs).toEqual([]);
});

test('migration removes the marker line of a cut result only', async () => {
  const opened = await open();
  const finish = async (text: string, leftOutBytes: number) => {
    await opened.store.createRun(newRun);
    const run = (await opened.store.claimRun()) ?? never();
    await opened.store.finishRun(run, { state: 'SUCCEEDED', result: { text, leftOutBytes } });
    return run.runId;
  };
  const cut = await finish('[the first 9 bytes of the result were cut]\nits\nend', 9);
  const whole = await finish('one\ntwo', 0);
  await opened.store.close();
  const database = new DatabaseSync(join(opened.folder, 'agent-run.sqlite'));
  database.exec("DELETE FROM schema_steps WHERE name = '0011_raw_results'");
  database.close();
  const store = await opened.reopen();
  expect((await store.readRun(cut))?.result).toEqual({ text: 'its\nend', truncated: false, left_out_bytes: 9 });
  expect([await store.readResult(cut), await store.readResult(whole)]).toEqual(['its\nend', 'one\ntwo']);
});

test('a crash during a migration leaves the data as it was, and the next start repeats it', async () => {
  const folder = createTempFolder();
  const database = new DatabaseSync(join(folder, 'agent-run.sqlite'));
  // The first step creates this last, so it fails at its end.
  database.exec('CREATE VIEW settings AS SELECT 1 AS name');
  const clock = createHandClock();
  await expect(openSqliteStore({ folder, clock })).rejects.toThrow('settings');
  expect(database.prepare("SELECT name FROM sqlite_schema WHERE name IN ('runs', 'events')").all()).toEqual([]);
  database.exec('DROP VIEW settings');
  database.close();
  const store = await openSqliteStore({ folder, clock });
  await expect(store.createRun(newRun)).resolves.toMatchObject({ kind: 'created' });
  await store.close();
});

test('a listener that throws does not block a write', async () => {
  const { store } = await open();
  const stop = store.onChange(() => {
    throw new Error('a bug of a listener');
  });
  await expect(store.createRun(newRun)).resolves.toMatchObject({ kind: 'created' });
  await expect(store.createRun(newRun)).resolves.toMatchObject({ kind: 'created' });
  stop();
});

test('a damaged lock file does not count as another server', () => {
  const folder = createTempFolder();
  writeFileSync(join(folder, 'lock.sqlite'), 'no database at all, but long enough to be read as one'.repeat(40));
  expect(() => lockDataFolder(folder)).toThrow(/lock\.sqlite.*so remove it/s);
  expect(() => lockDataFolder(folder)).not.toThrow(DataFolderInUseError);
});

test('a data folder has one holder, and can be locked again after release', () => {
  const folder = createTempFolder();
  const lock = lockDataFolder(folder);
  expect(() => lockDataFolder(folder)).toThrow(DataFolderInUseError);
  expect(() => lockDataFolder(folder)).toThrow(`process ${process.pid}`);
  lock.release();
  expect(existsSync(join(folder, 'server.pid'))).toBe(false);
  lockDataFolder(folder).release();
});
