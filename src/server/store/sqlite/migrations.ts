import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** All schema steps, in order. A released step is never edited: a change is a new step. */
const steps: readonly { readonly name: string; readonly statements: readonly string[] }[] = [
  {
    name: '0001_runs',
    statements: [
      `CREATE TABLE runs (
        run_id TEXT PRIMARY KEY, state TEXT NOT NULL, attempt INTEGER NOT NULL, version INTEGER NOT NULL,
        title TEXT NOT NULL, prompt TEXT NOT NULL, config TEXT NOT NULL,
        config_name TEXT, model_id TEXT, environment_id TEXT, skill_spec TEXT, skill TEXT,
        source TEXT NOT NULL, trigger_url TEXT, metadata TEXT, creator_uid TEXT NOT NULL, creator_name TEXT NOT NULL,
        status_message TEXT, result_head TEXT, result_truncated INTEGER NOT NULL DEFAULT 0,
        created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, started_at INTEGER, finished_at INTEGER,
        cancel_requested_at INTEGER, cancel_reason TEXT, lease_seconds REAL, lease_expires_at INTEGER,
        last_seq INTEGER NOT NULL DEFAULT 0, idempotency_key TEXT, body_hash TEXT
      ) STRICT`,
      'CREATE UNIQUE INDEX runs_idempotency ON runs (creator_uid, idempotency_key) WHERE idempotency_key IS NOT NULL',
      'CREATE INDEX runs_created ON runs (created_at, run_id)',
      'CREATE INDEX runs_updated ON runs (updated_at, run_id)',
      'CREATE INDEX runs_state_created ON runs (state, created_at, run_id)',
      'CREATE INDEX runs_state_updated ON runs (state, updated_at, run_id)',
      'CREATE INDEX runs_name_updated ON runs (config_name, updated_at, run_id)',
      'CREATE INDEX runs_lease ON runs (lease_expires_at) WHERE lease_expires_at IS NOT NULL AND finished_at IS NULL',
      'CREATE TABLE results (run_id TEXT PRIMARY KEY REFERENCES runs (run_id), text TEXT NOT NULL) STRICT',
      `CREATE TABLE events (
        run_id TEXT NOT NULL REFERENCES runs (run_id), seq INTEGER NOT NULL, at INTEGER NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL,
        PRIMARY KEY (run_id, seq)
      ) STRICT, WITHOUT ROWID`,
      'CREATE TABLE api_keys (key_id TEXT PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL) STRICT',
      'CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT',
    ],
  },
  { name: '0002_checkout', statements: ['ALTER TABLE runs ADD COLUMN checkout TEXT'] },
  { name: '0003_structured_result', statements: ['ALTER TABLE runs ADD COLUMN result_structured TEXT'] },
  {
    name: '0004_artifacts',
    statements: [
      'ALTER TABLE runs ADD COLUMN artifacts TEXT',
      'CREATE TABLE artifact_homes (artifact_uid TEXT PRIMARY KEY, run_id TEXT NOT NULL REFERENCES runs (run_id)) STRICT',
    ],
  },
  { name: '0005_cut_results', statements: ['ALTER TABLE runs ADD COLUMN result_left_out_bytes INTEGER'] },
  {
    name: '0006_skill_id',
    statements: [
      'ALTER TABLE runs ADD COLUMN skill_id TEXT',
      'CREATE INDEX runs_skill ON runs (skill_id, started_at) WHERE skill_id IS NOT NULL',
    ],
  },
  {
    name: '0007_usage_events',
    // The index includes the data, so a query reads no event rows.
    statements: ["CREATE INDEX events_usage ON events (run_id, seq, data) WHERE type = 'usage'"],
  },
  {
    name: '0008_conversations',
    statements: [
      'ALTER TABLE runs ADD COLUMN conversation_id TEXT',
      'UPDATE runs SET conversation_id = run_id',
      'CREATE INDEX runs_conversation ON runs (conversation_id, created_at, run_id)',
      'ALTER TABLE runs ADD COLUMN continuation TEXT',
      'ALTER TABLE runs ADD COLUMN interactive INTEGER NOT NULL DEFAULT 0',
      'ALTER TABLE runs ADD COLUMN followup TEXT',
      `CREATE TABLE followups (
        run_id TEXT NOT NULL REFERENCES runs (run_id), creator_uid TEXT NOT NULL, idempotency_key TEXT NOT NULL, body_hash TEXT NOT NULL,
        PRIMARY KEY (run_id, creator_uid, idempotency_key)
      ) STRICT, WITHOUT ROWID`,
    ],
  },
  {
    name: '0009_sessions',
    statements: [
      `CREATE INDEX runs_session ON runs (json_extract(continuation, '$.sessionId'), created_at, run_id)
        WHERE continuation IS NOT NULL`,
    ],
  },
  {
    name: '0010_worked',
    statements: [
      'ALTER TABLE runs ADD COLUMN worked_ms INTEGER',
      'UPDATE runs SET worked_ms = max(0, finished_at - started_at) WHERE finished_at IS NOT NULL AND started_at IS NOT NULL',
    ],
  },
  {
    // Earlier versions marked a cut text in its first line.
    name: '0011_raw_results',
    statements: [
      `UPDATE results SET text = substr(text, instr(text, char(10)) + 1)
        WHERE run_id IN (SELECT run_id FROM runs WHERE result_left_out_bytes IS NOT NULL)`,
      `UPDATE runs SET result_head = substr(result_head, instr(result_head, char(10)) + 1)
        WHERE result_left_out_bytes IS NOT NULL`,
    ],
  },
  {
    // For lists, and for leases in order.
    name: '0012_list_indexes',
    statements: [
      'DROP INDEX runs_lease',
      `CREATE INDEX runs_lease ON runs (lease_expires_at, run_id)
        WHERE lease_expires_at IS NOT NULL AND finished_at IS NULL`,
      'CREATE INDEX runs_creator_updated ON runs (creator_uid, updated_at, run_id)',
      'CREATE INDEX runs_source_updated ON runs (source, updated_at, run_id)',
      'CREATE INDEX runs_skill_updated ON runs (skill_spec, updated_at, run_id) WHERE skill_spec IS NOT NULL',
      'CREATE INDEX runs_model_updated ON runs (model_id, updated_at, run_id) WHERE model_id IS NOT NULL',
      'CREATE INDEX runs_environment_updated ON runs (environment_id, updated_at, run_id)',
      // An index of an expression cannot start at a pair such as (title, run_id). One of a column can.
      'ALTER TABLE runs ADD COLUMN title_key TEXT AS (lower(substr(title, 1, 200))) VIRTUAL',
      'ALTER TABLE runs ADD COLUMN agent_key TEXT AS (lower(substr(skill_spec, 1, 200))) VIRTUAL',
      'CREATE INDEX runs_title ON runs (title_key, run_id)',
      'CREATE INDEX runs_agent ON runs (agent_key, run_id)',
      `CREATE TABLE run_metadata (
        name TEXT NOT NULL, value TEXT NOT NULL, run_id TEXT NOT NULL REFERENCES runs (run_id),
        PRIMARY KEY (name, value, run_id)
      ) STRICT, WITHOUT ROWID`,
      `INSERT INTO run_metadata (name, value, run_id)
        SELECT pair.key, pair.value, runs.run_id FROM runs, json_each(runs.metadata) AS pair WHERE metadata IS NOT NULL
        ORDER BY 1, 2, 3`,
    ],
  },
];

/**
 * Brings the tables to the newest step, in one transaction: a crash leaves the data as it was, and a start waits for
 * one flush. (Kysely's own migrator commits every statement alone on SQLite.) Calls `announce` before each step on
 * existing data. Throws if a newer version wrote the data.
 */
export async function migrate(database: Kysely<Tables>, announce: (step: string) => void): Promise<void> {
  await execute(database, 'BEGIN IMMEDIATE');
  try {
    await takeMissingSteps(database, announce);
    await execute(database, 'COMMIT');
  } catch (error) {
    await execute(database, 'ROLLBACK').catch(() => {});
    throw error;
  }
}

async function takeMissingSteps(database: Kysely<Tables>, announce: (step: string) => void): Promise<void> {
  await execute(database, 'CREATE TABLE IF NOT EXISTS schema_steps (name TEXT PRIMARY KEY) STRICT');
  const taken = (await database.selectFrom('schemaSteps').select('name').execute()).map(row => row.name);
  const unknown = taken.filter(name => !steps.some(step => step.name === name));
  if (unknown.length > 0)
    throw new Error(
      `the data folder was written by a newer version of agent-run (${unknown.join(', ')}); start that version, or choose another data folder with --data`,
    );
  for (const { name, statements } of steps) {
    if (taken.includes(name)) continue;
    if (taken.length > 0) announce(name);
    for (const statement of statements) await execute(database, statement);
    await database.insertInto('schemaSteps').values({ name }).execute();
  }
}

async function execute(database: Kysely<Tables>, statement: string): Promise<void> {
  await sql.raw(statement).execute(database);
}
