import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { CamelCasePlugin, Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import type { Tables } from './tables.ts';

/** SQLite's result codes (sqlite.org/rescode.html) that speak of the file and not of what was asked of it. */
const fileFaults: Readonly<Record<number, string>> = {
  8: "this user cannot write to it; make the server's user its owner",
  11: 'it is damaged; stop the server and restore a copy',
  14: 'it cannot be opened; allow this user to read and write it',
  26: 'it is not an agent-run database; move it elsewhere',
};

/** In place of a file: what is kept then is gone when the connection is closed, and no other connection sees it. */
export const inMemory = ':memory:';

/**
 * Opens a connection. Of a file with synchronous=FULL: what was committed survives a power cut. `busy_timeout` is 0 in node:sqlite by
 * default, and a reader would fail while the log is folded back. What is replaced is overwritten, for it may have been a key. Throws with a sentence when the file is no database or may not be used.
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
    // Big sorts of a database in memory are no files either.
    const place = file === inMemory ? 'PRAGMA temp_store = MEMORY;' : 'PRAGMA journal_mode = WAL;';
    database.exec(`${place} PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;`);
    return database;
  } catch (error) {
    database?.close();
    throw explainFault(error, file);
  }
}

/** A fault of the file with its name and what to do; any other as it is. */
function explainFault(error: unknown, file: string): unknown {
  const fault = error instanceof Error && 'errcode' in error ? fileFaults[Number(error.errcode) & 0xff] : undefined;
  if (fault === undefined) return error;
  return new Error(`the database ${file} cannot be used: ${fault}, or choose another data folder with --data`, {
    cause: error,
  });
}

/** The few methods of better-sqlite3 that Kysely calls, over node:sqlite. */
function adaptDatabase(database: DatabaseSync, file: string): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  // Damage in the middle is met by the statement that comes there.
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
