import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../src/base/clock.ts';
import { wholeText } from '../../src/contract/tables/run-text.ts';
import type { RunSource } from '../../src/contract/tables/source.ts';
import { databaseFile, openSqliteStore } from '../../src/server/store/sqlite/sqlite-store.ts';
import type { NewRun, RunStore } from '../../src/server/store/store.ts';

export const leastRuns = 1000;
const prompt = 'Review the changes of this pull request, and say which of them may break the checkout. '.repeat(4);
const sources: readonly RunSource[] = ['API', 'API', 'API', 'GITHUB_ACTION', 'CLI'];

/**
 * Fills a data folder with thousands of runs. The store creates the first thousand and ends a tenth of them, and SQL
 * copies these with new ids, times and numbers. So a filter matches the same share of the runs at every size.
 */
export async function fillStore(folder: string, runs: number): Promise<void> {
  let now = Date.UTC(2026, 0, 1);
  // Every write has a time of its own.
  const clock: Clock = { now: () => (now += 1000), monotonicMs: () => now, sleep: () => Promise.resolve() };
  const store = await openSqliteStore({ folder, clock });
  const first = Array.from({ length: leastRuns }, (_, index) => index);
  await Promise.all(first.map(index => store.createRun(runOf(index))));
  await Promise.all(first.filter(index => index % 10 === 0).map(() => failOldest(store)));
  const createdAndEndedMs = now - Date.UTC(2026, 0, 1);
  await store.close();
  if (runs > leastRuns) copyRuns(join(folder, databaseFile), { runs, laterMs: createdAndEndedMs });
}

async function failOldest(store: RunStore): Promise<void> {
  const run = await store.claimRun();
  if (run !== undefined) await store.finishRun(run, { state: 'FAILED', result: wholeText('It breaks the checkout.') });
}

function runOf(index: number): NewRun {
  return {
    title: `Review pull request ${index}`,
    prompt,
    config: {
      name: `nightly-${index % 20}`,
      model_id: `model-${index % 5}`,
      ...(index % 2 === 0 ? { environment_id: `environment-${index % 10}` } : {}),
      skill_spec: `octo-org/shop:skill-${index % 50}`,
    },
    source: sources[index % sources.length] ?? 'API',
    metadata: { team: `team-${index % 20}`, pull_request: String(index) },
    creator: { uid: `key-${index % 10}`, displayName: 'a key' },
  };
}

/** Copies the first thousand runs until there are as many, each thousand that much later than the one before. */
function copyRuns(file: string, { runs, laterMs }: { readonly runs: number; readonly laterMs: number }): void {
  const database = new DatabaseSync(file);
  // A lost file is filled again.
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -200000');
  const names = database
    .prepare("SELECT name FROM pragma_table_info('runs')")
    .all()
    .map(row => String(row.name));
  // An index is made faster than it grows.
  const indexes = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'runs' AND sql IS NOT NULL")
    .all();
  for (const { name } of indexes) database.exec(`DROP INDEX ${String(name)}`);
  const id = `printf('%08x-0000-7000-8000-%012x', (created_at + @later) / 65536, rowid + @number)`;
  const changed: Readonly<Record<string, string>> = {
    run_id: id,
    conversation_id: id,
    title: `'Review pull request ' || (rowid + @number - 1)`,
    metadata: `json_set(metadata, '$.pull_request', CAST(rowid + @number - 1 AS TEXT))`,
    created_at: `created_at + @later`,
    updated_at: `updated_at + @later`,
  };
  const values = names.map(name => changed[name] ?? name);
  const copy = database.prepare(
    `INSERT INTO runs (${names}) SELECT ${values} FROM runs WHERE rowid <= ${leastRuns} ORDER BY rowid`,
  );
  for (let number = leastRuns; number < runs; number += leastRuns)
    copy.run({ number, later: (number / leastRuns) * laterMs });
  for (const { sql } of indexes) database.exec(String(sql));
  database.exec(`INSERT INTO run_metadata (name, value, run_id) SELECT pair.key, pair.value, run_id
    FROM runs, json_each(metadata) AS pair WHERE runs.rowid > ${leastRuns} ORDER BY 1, 2, 3`);
  database.close();
}
