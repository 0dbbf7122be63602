import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import { emptyEnvironment } from '../../../../contract/list-query.ts';
import type { RunFilter } from '../../store.ts';
import type { Tables } from '../tables.ts';
import { type Condition, type KeyRange, sortKeys, where } from './list-order.ts';

export interface ListFilter {
  readonly condition: Condition;
  /** Orders with an index that reads only the runs that match. */
  readonly orders: readonly RunFilter['sort_by'][];
  /** Set for a range of a sort key. It fits into the index of another filter of that order; two equalities share none. */
  readonly range: KeyRange | undefined;
  /** Selects the ids of the runs that match from an index. Undefined if only reading the runs can tell. */
  readonly select: ((database: Kysely<Tables>) => MatchingIds) | undefined;
}

type MatchingIds = SelectQueryBuilder<Tables, 'runs' | 'runMetadata', { runId: string }>;

/** The filters of a list. Of the equalities, those that usually match the fewest runs come first. */
export function splitFilter(filter: RunFilter): readonly ListFilter[] {
  const { environment_id: environment, state = [], q, artifact_type: artifact } = filter;
  const given = <V>(value: V | undefined, make: (value: V) => ListFilter) => (value === undefined ? [] : [make(value)]);
  return [
    ...Object.entries(filter.metadata ?? {}).map(metadataFilter),
    ...given(filter.skill_spec, value => equality(where('skillSpec', '=', value))),
    ...given(filter.name, value => equality(where('configName', '=', value))),
    ...given(environment, value =>
      equality(value === emptyEnvironment ? where('environmentId', 'is', null) : where('environmentId', '=', value)),
    ),
    ...given(filter.model_id, value => equality(where('modelId', '=', value))),
    ...given(filter.creator, value => equality(where('creatorUid', '=', value))),
    ...stateFilters(state),
    ...given(filter.source, value => equality(where('source', '=', value))),
    ...given(filter.createdAfter, value => rangeFilter('created_at', '>=', value)),
    ...given(filter.createdBefore, value => rangeFilter('created_at', '<', value)),
    ...given(filter.updatedAfter, value => rangeFilter('updated_at', '>=', value)),
    ...given(artifact, value =>
      unindexed(sql`EXISTS (SELECT 1 FROM json_each(artifacts) WHERE json_extract(value, '$.type') = ${value})`),
    ),
    ...given(q, value => unindexed(contains(value))),
  ];
}

function equality(condition: Condition): ListFilter {
  return { condition, orders: ['updated_at'], range: undefined, select: selectIds(condition) };
}

function stateFilters(states: NonNullable<RunFilter['state']>): readonly ListFilter[] {
  const [state, ...more] = new Set(states);
  if (state === undefined) return [];
  const condition = more.length === 0 ? where('state', '=', state) : where('state', 'in', [state, ...more]);
  // An index has the runs of one state in order, not those of several.
  return [{ ...equality(condition), orders: more.length === 0 ? ['updated_at', 'created_at'] : [] }];
}

function rangeFilter(order: 'created_at' | 'updated_at', operator: KeyRange['operator'], value: number): ListFilter {
  const condition = where(sortKeys[order], operator, value);
  return { condition, orders: [order], range: { condition, operator, value }, select: selectIds(condition) };
}

function metadataFilter([name, value]: readonly [string, string]): ListFilter {
  return {
    ...unindexed(sql`json_extract(metadata, ${`$."${name}"`}) = ${value}`),
    select: database =>
      database.selectFrom('runMetadata').select('runId').where('name', '=', name).where('value', '=', value),
  };
}

function unindexed(condition: Condition): ListFilter {
  return { condition, orders: [], range: undefined, select: undefined };
}

function selectIds(condition: Condition): ListFilter['select'] {
  return database => database.selectFrom('runs').select('runId').where(condition);
}

/** In bytes. LIKE is faster for usual prompts, but its time grows with the length of prompt and text multiplied. */
const longPrompt = 2000;

function contains(text: string): Condition {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const like = (column: 'title' | 'prompt' | 'skill_spec') => sql`${sql.ref(column)} LIKE ${pattern} ESCAPE '\\'`;
  const inPrompt = sql`CASE WHEN octet_length(prompt) > ${longPrompt} THEN instr(lower(prompt), lower(${text})) ELSE ${like('prompt')} END`;
  return sql`(${like('title')} OR ${inPrompt} OR ${like('skill_spec')})`;
}
