import type { CompiledQuery, Insertable, Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Building a statement takes several times longer than running it. */
const built = new WeakMap<Kysely<Tables>, Map<keyof Tables, CompiledQuery>>();

/** Inserts a row with a statement that is built once. Rows of a table have the same columns in the same order. */
export async function insertRow<T extends 'runs' | 'events' | 'runMetadata'>(
  database: Kysely<Tables>,
  table: T,
  row: Insertable<Tables[T]>,
): Promise<void> {
  const inserts = built.get(database) ?? new Map<keyof Tables, CompiledQuery>();
  built.set(database, inserts);
  const insert = inserts.get(table) ?? database.insertInto(table).values(row).compile();
  inserts.set(table, insert);
  await database.executeQuery({ ...insert, parameters: Object.values(row) });
}
