import { type Kysely, sql } from 'kysely';
import { isObject } from '../../base/json.ts';
import { sizes } from '../../contract/sizes.ts';
import { listColumns, runOfRow } from './run-rows.ts';
import { BadCursorError, type RunFilter, type RunListPage } from './store.ts';
import type { Tables } from './tables.ts';

interface Cursor {
  readonly by: RunFilter['sort_by'];
  readonly order: RunFilter['sort_order'];
  readonly value: number;
  readonly id: string;
}

/**
 * One page by keyset: the sort key and the id of the last row say where the next page begins, so nothing shifts when runs are added. Sizes are read before texts: a page
 * holds few runs with large prompts, and the others are not to be read for nothing.
 */
export async function selectRuns(database: Kysely<Tables>, filter: RunFilter): Promise<RunListPage> {
  const column = filter.sort_by === 'created_at' ? 'createdAt' : 'updatedAt';
  const found = await filterRuns(database, filter, column)
    .select(['runId', column])
    .select(
      sql<number>`octet_length(prompt) + octet_length(config) + octet_length(title) + coalesce(octet_length(metadata), 0) + coalesce(octet_length(status_message), 0)`.as(
        'bytes',
      ),
    )
    .orderBy(column, filter.sort_order)
    .orderBy('runId', filter.sort_order)
    .limit(filter.limit + 1)
    .execute();
  const fitting = found.slice(0, countFitting(found, filter.limit));
  const last = fitting.at(-1);
  if (last === undefined) return { runs: [], nextCursor: undefined };
  const ids = fitting.map(row => row.runId);
  const rows = await database.selectFrom('runs').select(listColumns).where('runId', 'in', ids).execute();
  const byId = new Map(rows.map(row => [row.runId, runOfRow(row)]));
  const runs = ids.flatMap(id => byId.get(id) ?? []);
  if (found.length === fitting.length) return { runs, nextCursor: undefined };
  return {
    runs,
    nextCursor: printCursor({ by: filter.sort_by, order: filter.sort_order, value: last[column] ?? 0, id: last.runId }),
  };
}

function filterRuns(database: Kysely<Tables>, filter: RunFilter, column: 'createdAt' | 'updatedAt') {
  const beyond = filter.sort_order === 'asc' ? '>' : '<';
  let query = database.selectFrom('runs');
  if (filter.state !== undefined && filter.state.length > 0) query = query.where('state', 'in', filter.state);
  for (const [name, value] of equalities(filter)) query = query.where(name, '=', value);
  if (filter.environment_id === 'empty-environment') query = query.where('environmentId', 'is', null);
  if (filter.createdAfter !== undefined) query = query.where('createdAt', '>=', filter.createdAfter);
  if (filter.createdBefore !== undefined) query = query.where('createdAt', '<', filter.createdBefore);
  if (filter.updatedAfter !== undefined) query = query.where('updatedAt', '>=', filter.updatedAfter);
  for (const [key, value] of Object.entries(filter.metadata ?? {}))
    query = query.where(sql`json_extract(metadata, ${`$."${key}"`})`, '=', value);
  if (filter.q !== undefined) {
    const pattern = `%${filter.q.replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where(
      sql<boolean>`(title LIKE ${pattern} ESCAPE '\\' OR prompt LIKE ${pattern} ESCAPE '\\' OR skill_spec LIKE ${pattern} ESCAPE '\\')`,
    );
  }
  if (filter.cursor !== undefined) {
    const cursor = readCursor(filter.cursor, filter);
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple(column, 'runId'), beyond, tuple(cursor.value, cursor.id)),
    );
  }
  return query;
}

function equalities(filter: RunFilter) {
  const all = [
    ['configName', filter.name],
    ['modelId', filter.model_id],
    ['creatorUid', filter.creator],
    ['source', filter.source],
    ['skillSpec', filter.skill_spec],
    ['environmentId', filter.environment_id === 'empty-environment' ? undefined : filter.environment_id],
  ] as const;
  return all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

/** How many rows make a page: as many as asked for, fewer when they are large, at least one. */
function countFitting(rows: readonly { readonly bytes: number }[], limit: number): number {
  let bytes = 0;
  for (const [index, row] of rows.slice(0, limit).entries()) {
    bytes += row.bytes;
    if (bytes > sizes.pageBytes) return Math.max(1, index);
  }
  return Math.min(rows.length, limit);
}

function printCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

function readCursor(text: string, filter: RunFilter): Cursor {
  const bad = () =>
    new BadCursorError(
      'is no cursor of this list; take it from page_info.next_cursor of a page in the same sort order',
    );
  let cursor: unknown;
  try {
    cursor = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    throw bad();
  }
  if (!isObject(cursor) || typeof cursor.value !== 'number' || typeof cursor.id !== 'string') throw bad();
  if (cursor.by !== filter.sort_by || cursor.order !== filter.sort_order) throw bad();
  return { by: filter.sort_by, order: filter.sort_order, value: cursor.value, id: cursor.id };
}
