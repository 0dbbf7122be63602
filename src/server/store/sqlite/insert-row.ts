import type { CompiledQuery, Insertable, Kysely } from 'kysely';
import type { Tables } from './tables.ts';

interface Insert {
  readonly statement: CompiledQuery;
  readonly columns: readonly string[];
}

/** Building a statement takes several times longer than running it. */
const built = new WeakMap<Kysely<Tables>, Map<keyof Tables, Insert>>();

/** Inserts a row with a statement that is built once. Rows of a table have the same columns. */
export async function insertRow<T extends 'runs' | 'events' | 'runMetadata'>(
  database: Kysely<Tables>,
  table: T,
  row: Insertable<Tables[T]>,
): Promise<void> {
  const inserts = built.get(database) ?? new Map<keyof Tables, Insert>();
  built.set(database, inserts);
  const insert = inserts.get(table) ?? {
    statement: database.insertInto(table).values(row).compile(),
    columns: Object.keys(row),
  };
  inserts.set(table, insert);
  const values: Readonly<Record<string, unknown>> = row;
  await database.executeQuery({ ...insert.statement, parameters: insert.columns.map(column => values[column]) });
}
