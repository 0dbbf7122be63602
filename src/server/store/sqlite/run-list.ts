import { type Kysely, type OrderByItemBuilder, type RawBuilder, sql } from 'kysely';
import { isObject } from '../../../base/json.ts';
import { emptyEnvironment } from '../../../contract/list-query.ts';
import { sizes } from '../../../contract/tables/sizes.ts';
import { BadCursorError, type RunFilter, type RunListPage } from '../store.ts';
import { listColumns, runOfRow } from './run-rows.ts';
import type { Tables } from './tables.ts';

type SortValue = number | string | null;

interface Cursor {
  readonly by: RunFilter['sort_by'];
  readonly order: RunFilter['sort_order'];
  readonly value: SortValue;
  readonly id: string;
}

/**
 * Sort keys of a list. Texts are cut, because the page's last key is part of a cursor that must fit in a URL. Each
 * key stays constant for a run's life. Thus `agent` sorts by `skill_spec`: the skill's name is known only later.
 */
const sortKeys = {
  updated_at: sql<SortValue>`updated_at`,
  created_at: sql<SortValue>`created_at`,
  title: sql<SortValue>`lower(substr(title, 1, 200))`,
  agent: sql<SortValue>`lower(substr(skill_spec, 1, 200))`,
} as const satisfies Readonly<Record<RunFilter['sort_by'], RawBuilder<SortValue>>>;

/**
 * Reads one page by keyset: the last row's sort key and id mark the next page, so new runs shift nothing. Sizes are
 * read first, because a page may hold only a few runs with large prompts.
 */
export async function selectRuns(database: Kysely<Tables>, filter: RunFilter): Promise<RunListPage> {
  const key = sortKeys[filter.sort_by];
  const found = await filterRuns(database, filter)
    .select(['runId', key.as('sortValue')])
    .select(
      sql<number>`octet_length(prompt) + octet_length(config) + octet_length(title) + coalesce(octet_length(metadata), 0) + coalesce(octet_length(status_message), 0) + coalesce(octet_length(artifacts), 0) + coalesce(octet_length(continuation), 0)`.as(
        'bytes',
      ),
    )
    .orderBy(key, order => direct(order, filter))
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
    nextCursor: printCursor({ by: filter.sort_by, order: filter.sort_order, value: last.sortValue, id: last.runId }),
  };
}

function direct(order: OrderByItemBuilder, { sort_by, sort_order }: RunFilter): OrderByItemBuilder {
  const directed = sort_order === 'asc' ? order.asc() : order.desc();
  // Only for nullable keys: NULLS LAST would keep an ascending list from its index.
  return sort_by === 'agent' ? directed.nullsLast() : directed;
}

function filterRuns(database: Kysely<Tables>, filter: RunFilter) {
  let query = database.selectFrom('runs');
  if (filter.state !== undefined && filter.state.length > 0) query = query.where('state', 'in', filter.state);
  for (const [name, value] of equalities(filter)) query = query.where(name, '=', value);
  if (filter.environment_id === emptyEnvironment) query = query.where('environmentId', 'is', null);
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
  if (filter.artifact_type !== undefined)
    query = query.where(
      sql<boolean>`EXISTS (SELECT 1 FROM json_each(artifacts) WHERE json_extract(value, '$.type') = ${filter.artifact_type})`,
    );
  if (filter.cursor !== undefined) {
    query = query.where(isBeyond(readCursor(filter.cursor, filter)));
  }
  return query;
}

/** True if a row comes after the cursor's. In both orders, rows without a value come last, sorted by id. */
function isBeyond({ by, order, value, id }: Cursor): RawBuilder<boolean> {
  const key = sortKeys[by];
  const beyond = sql.raw(order === 'asc' ? '>' : '<');
  if (value === null) return sql`(${key} IS NULL AND run_id ${beyond} ${id})`;
  const isLater = sql<boolean>`(${key}, run_id) ${beyond} (${value}, ${id})`;
  return by === 'agent' ? sql`(${isLater} OR ${key} IS NULL)` : isLater;
}

function equalities(filter: RunFilter) {
  const all = [
    ['configName', filter.name],
    ['modelId', filter.model_id],
    ['creatorUid', filter.creator],
    ['source', filter.source],
    ['skillSpec', filter.skill_spec],
    ['environmentId', filter.environment_id === emptyEnvironment ? undefined : filter.environment_id],
  ] as const;
  return all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

/** Number of rows on a page: as many as requested, fewer if they are large, at least one. */
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
    new BadCursorError('is not a cursor of this list; use page_info.next_cursor of a page in the same sort order');
  let cursor: unknown;
  try {
    cursor = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    throw bad();
  }
  if (!isObject(cursor) || !isSortValue(cursor.value, filter.sort_by) || typeof cursor.id !== 'string') throw bad();
  if (cursor.by !== filter.sort_by || cursor.order !== filter.sort_order) throw bad();
  return { by: filter.sort_by, order: filter.sort_order, value: cursor.value, id: cursor.id };
}

function isSortValue(value: unknown, by: RunFilter['sort_by']): value is SortValue {
  if (by === 'agent') return typeof value === 'string' || value === null;
  return typeof value === (by === 'title' ? 'string' : 'number');
}
