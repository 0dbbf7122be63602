import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { CamelCasePlugin, Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import type { Tables } from './tables.ts';

/** SQLite result codes (sqlite.org/rescode.html) that mean a fault of the file, not of the statement. */
const fileFaults: Readonly<Record<number, string>> = {
  8: "this user cannot write to it; make the server's user its owner",
  11: 'it is damaged; stop the server and restore a copy',
  13: 'the disk is full; free some space',
  14: 'it cannot be opened; allow this user to read and write it',
  26: 'it is not an agent-run database; move it elsewhere',
};

/** Used instead of a file. The data ends with the connection, and no other connection sees it. */
export const inMemory = ':memory:';

/**
 * Opens a connection. synchronous=FULL makes commits survive a power cut. node:sqlite has a `busy_timeout` of 0 by
 * default, and a reader would fail during a checkpoint. Deleted data is overwritten, because it may have been a key.
 * Throws with a sentence if the file is not a database or cannot be opened.
 */
export function openConnection(file: string, mode: 'write' | 'read'): Kysely<Tables> {
  const database = openFile(file);
  if (mode === 'read') database.exec('PRAGMA query_only = ON;');
  return new Kysely<Tables>({
    dialect: new SqliteDialect({ database: adaptDatabase(database, file) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}

function openFile(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 5000 });
    // Large sorts of an in-memory database must not create files either.
    const place = file === inMemory ? 'PRAGMA temp_store = MEMORY;' : 'PRAGMA journal_mode = WAL;';
    database.exec(`${place} PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;`);
    return database;
  } catch (error) {
    database?.close();
    throw explainFault(error, file);
  }
}

/** Adds the file's name and a remedy to a fault of the file. Returns other errors unchanged. */
function explainFault(error: unknown, file: string): unknown {
  const fault = error instanceof Error && 'errcode' in error ? fileFaults[Number(error.errcode) & 0xff] : undefined;
  if (fault === undefined) return error;
  return new Error(`the database ${file} cannot be used: ${fault}, or choose another data folder with --data`, {
    cause: error,
  });
}

/** Implements the few better-sqlite3 methods that Kysely calls with node:sqlite. */
function adaptDatabase(database: DatabaseSync, file: string): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  // Damage inside the file shows up only in the statement that reads it.
  const explain: Explain = work => {
    try {
      return work();
    } catch (error) {
      throw explainFault(error, file);
    }
  };
  return {
    prepare(sql) {
      const known = prepared.get(sql);
      if (known !== undefined) return known;
      const statement = explain(() => adaptStatement(database.prepare(sql), explain));
      // Lists of different lengths make different statements, so the cache needs a limit.
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

type Explain = <T>(work: () => T) => T;

function adaptStatement(statement: StatementSync, explain: Explain): SqliteStatement {
  const bind = (parameters: readonly unknown[]) => parameters.map(value => value as SQLInputValue);
  return {
    reader: statement.columns().length > 0,
    all: parameters => explain(() => statement.all(...bind(parameters))),
    run: parameters => explain(() => statement.run(...bind(parameters))),
    iterate: parameters => statement.iterate(...bind(parameters)),
  };
}
