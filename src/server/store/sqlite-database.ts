import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { CamelCasePlugin, Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * Opens a connection. WAL with synchronous=FULL: what was committed survives a power cut. `busy_timeout` is 0 in node:sqlite by
 * default, and a reader would fail while the log is folded back.
 */
export function openConnection(file: string, mode: 'write' | 'read'): Kysely<Tables> {
  const database = new DatabaseSync(file, { timeout: 5000 });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
  if (mode === 'read') database.exec('PRAGMA query_only = ON;');
  return new Kysely<Tables>({
    dialect: new SqliteDialect({ database: adaptDatabase(database) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}

/** The few methods of better-sqlite3 that Kysely calls, over node:sqlite. */
function adaptDatabase(database: DatabaseSync): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  return {
    prepare(sql) {
      const known = prepared.get(sql);
      if (known !== undefined) return known;
      const statement = adaptStatement(database.prepare(sql));
      // Lists of different lengths make different texts; the cache stays small.
      if (prepared.size >= 200) prepared.clear();
      prepared.set(sql, statement);
      return statement;
    },
    close() {
      prepared.clear();
      database.close();
    },
  };
}

function adaptStatement(statement: StatementSync): SqliteStatement {
  const bind = (parameters: readonly unknown[]) => parameters.map(value => value as SQLInputValue);
  return {
    reader: statement.columns().length > 0,
    all: parameters => statement.all(...bind(parameters)),
    run: parameters => statement.run(...bind(parameters)),
    iterate: parameters => statement.iterate(...bind(parameters)),
  };
}
