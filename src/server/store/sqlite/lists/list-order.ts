import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import { isObject } from '../../../../base/json.ts';
import { BadCursorError, type RunFilter } from '../../store.ts';
import type { RunsTable, Tables } from '../tables.ts';

export type Condition = Expression<SqlBool>;
export type SortValue = number | string | null;
export type ListOrder = Pick<RunFilter, 'sort_by' | 'sort_order'>;

/** A place between two runs of an order: behind the run with this sort key and id. */
export interface Place {
  readonly value: SortValue;
  readonly id: string;
}

/**
 * Columns with the sort keys of a list. Texts are cut, because the page's last key is part of a cursor that must fit
 * in a URL. Each key but `updatedAt` stays constant for a run's life. Thus `agent` sorts by `skill_spec`: the skill's
 * name is known only later.
 */
export const sortKeys = {
  updated_at: 'updatedAt',
  created_at: 'createdAt',
  title: 'titleKey',
  agent: 'agentKey',
} as const satisfies Readonly<Record<RunFilter['sort_by'], keyof RunsTable>>;

export const where = expressionBuilder<Tables, 'runs'>();

/** A condition at which an index starts or stops. Without a value, every place of the order is within it. */
export interface KeyRange {
  readonly condition: Condition;
  readonly operator: '>=' | '<';
  readonly value: number | undefined;
}

interface OrderPart {
  readonly within: readonly Condition[];
  readonly ranges: readonly KeyRange[];
}

/**
 * Splits an order into parts that an index can read. In both directions, runs without a key come last; NULLS LAST would
 * keep an ascending list from its index.
 */
export function splitOrder({ sort_by }: ListOrder, after: Place | undefined): readonly OrderPart[] {
  if (sort_by !== 'agent') return [{ within: [], ranges: [] }];
  const withoutKey = { within: [where('agentKey', 'is', null)], ranges: [] };
  // SQLite reads it as "greater than NULL".
  const hasKey: KeyRange = { condition: where('agentKey', 'is not', null), operator: '>=', value: undefined };
  return after?.value === null ? [withoutKey] : [{ within: [], ranges: [hasKey] }, withoutKey];
}

/** True if a run of the same part comes after the place. */
export function isAfter(order: ListOrder, place: Place): Condition {
  return compare(order, order.sort_order === 'asc' ? '>' : '<', place);
}

/** True if a run of the same part does not come after the place. */
export function isUpTo(order: ListOrder, place: Place): Condition {
  return compare(order, order.sort_order === 'asc' ? '<=' : '>=', place);
}

function compare({ sort_by }: ListOrder, operator: '>' | '<' | '>=' | '<=', { value, id }: Place): Condition {
  return value === null
    ? where('runId', operator, id)
    : where(where.refTuple(sortKeys[sort_by], 'runId'), operator, where.tuple(value, id));
}

export function printCursor({ sort_by, sort_order }: ListOrder, { value, id }: Place): string {
  return Buffer.from(JSON.stringify({ by: sort_by, order: sort_order, value, id })).toString('base64url');
}

/** Throws BadCursorError. */
export function readCursor(text: string, { sort_by, sort_order }: ListOrder): Place {
  const bad = () =>
    new BadCursorError('is not a cursor of this list; use page_info.next_cursor of a page in the same sort order');
  let cursor: unknown;
  try {
    cursor = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    throw bad();
  }
  if (!isObject(cursor) || !isSortValue(cursor.value, sort_by) || typeof cursor.id !== 'string') throw bad();
  if (cursor.by !== sort_by || cursor.order !== sort_order) throw bad();
  return { value: cursor.value, id: cursor.id };
}

function isSortValue(value: unknown, by: RunFilter['sort_by']): value is SortValue {
  if (by === 'agent') return typeof value === 'string' || value === null;
  return typeof value === (by === 'title' ? 'string' : 'number');
}
