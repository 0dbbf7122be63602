/**
 * Lists of runs. SQLite blocks the event loop and cannot be interrupted, so no statement may read a whole table of a
 * million runs. A list takes the first way that fits:
 *
 * 1. An index has the runs of the list, and only them, in the list's order.
 * 2. An index finds few runs for one of the filters: only these are read and sorted.
 * 3. The index of the order is read in windows, with other work of the server in between.
 *
 * A window begins behind a place in the order, like a page, so it has the same guarantee: no run comes twice and none
 * is missed as long as its sort key does not change. Each run is listed as it was when its window was read.
 */
import { performance } from 'node:perf_hooks';
import { type Kysely, sql } from 'kysely';
import type { Turns } from '../../../../base/turns.ts';
import { sizes } from '../../../../contract/tables/sizes.ts';
import type { RunFilter, RunListPage, StoredRun } from '../../store.ts';
import { listColumns, runOfRow } from '../run-rows.ts';
import type { Tables } from '../tables.ts';
import { type ListFilter, splitFilter } from './list-filters.ts';
import {
  type Condition,
  isAfter,
  isUpTo,
  type KeyRange,
  type ListOrder,
  type Place,
  printCursor,
  readCursor,
  sortKeys,
  splitOrder,
  where,
} from './list-order.ts';

/** The second way is for fewer runs than this. */
const fewRuns = 1000;
/** Most lists are complete after the first window, which takes under a millisecond. */
const windowRows = { first: 500, min: 10, max: 5000 };
/** Prompts in one window of a search. The slowest texts to look for take 7 ms in a megabyte. */
const searchBytes = 2_000_000;
/** Windows that take longer become smaller: prompts may be long, and the disk slow. */
const windowMs = 5;
/** Windows that are faster share a turn of the event loop. */
const yieldAfterMs = 2;

const runBytes = sql<number>`octet_length(prompt) + octet_length(config) + octet_length(title) + coalesce(octet_length(metadata), 0) + coalesce(octet_length(status_message), 0) + coalesce(octet_length(artifacts), 0) + coalesce(octet_length(continuation), 0)`;

export interface ListParts {
  readonly database: Kysely<Tables>;
  readonly turns: Turns;
  /** Stops a scan. */
  readonly signal?: AbortSignal | undefined;
}

/** What an index reads for a list, in which ranges of the sort key, and what has to be checked for each of those runs. */
interface ListWay {
  readonly within: readonly Condition[];
  readonly ranges: readonly KeyRange[];
  readonly rest: readonly Condition[];
}

/** Reads one page by keyset: the last run's sort key and id mark the next page, so new runs shift nothing. */
export async function selectRuns(parts: ListParts, filter: RunFilter): Promise<RunListPage> {
  const after = filter.cursor === undefined ? undefined : readCursor(filter.cursor, filter);
  const page = new ListPage(filter);
  const way = await chooseWay(parts.database, filter);
  for (const [index, part] of splitOrder(filter, after).entries()) {
    const partWay = { ...way, within: [...way.within, ...part.within], ranges: [...way.ranges, ...part.ranges] };
    if (page.next === undefined) await readPart(parts, { page, way: partWay, start: index === 0 ? after : undefined });
  }
  return { runs: page.runs, nextCursor: page.next && printCursor(filter, page.next) };
}

async function chooseWay(database: Kysely<Tables>, filter: RunFilter): Promise<ListWay> {
  const filters = splitFilter(filter);
  const ordered = filters.filter(({ orders }) => orders.includes(filter.sort_by));
  const ranges = ordered.filter(({ range }) => range !== undefined);
  const equality = ordered.filter(({ range }) => range === undefined).slice(0, 1);
  const rest = filters.filter(each => !ranges.includes(each) && !equality.includes(each));
  const few = await findFew(database, rest);
  const conditions = (some: readonly ListFilter[]) => some.map(({ condition }) => condition);
  return few === undefined
    ? { within: conditions(equality), ranges: ranges.flatMap(({ range }) => range ?? []), rest: conditions(rest) }
    : {
        within: [sql`run_id IN (SELECT value FROM json_each(${few}))`],
        ranges: [],
        rest: conditions(filters),
      };
}

/** Ids of the runs that match one of the filters, as a JSON array: of the filter with the fewest. */
async function findFew(database: Kysely<Tables>, filters: readonly ListFilter[]): Promise<string | undefined> {
  let few: string | undefined;
  let limit = fewRuns;
  for (const { select } of filters) {
    if (select === undefined || limit === 0) continue;
    const { count, ids } = await database
      .selectFrom(select(database).limit(limit).as('matches'))
      .select([sql<number>`count(*)`.as('count'), sql<string>`json_group_array(run_id)`.as('ids')])
      .executeTakeFirstOrThrow();
    if (count < limit) {
      few = ids;
      limit = count;
    }
  }
  return few;
}

interface PartScan {
  readonly page: ListPage;
  readonly way: ListWay;
  readonly start: Place | undefined;
}

async function readPart({ database, turns, signal }: ListParts, { page, way, start }: PartScan): Promise<void> {
  let rows = windowRows.first;
  let after = start;
  // Many searches may begin together.
  if (page.filter.q !== undefined) await turns.next();
  let turnBeganAt = performance.now();
  for (;;) {
    const beganAt = performance.now();
    const window = await chooseWindow(database, { filter: page.filter, way, after, rows });
    await readWindow(database, page, { within: window.within, rest: way.rest });
    if (window.end === undefined || page.next !== undefined) return;
    after = window.end;
    const now = performance.now();
    rows = resizeWindow(window.rows, now - beganAt);
    if (now - turnBeganAt < yieldAfterMs) continue;
    await turns.next();
    signal?.throwIfAborted();
    turnBeganAt = performance.now();
  }
}

interface WantedWindow {
  readonly filter: RunFilter;
  readonly way: ListWay;
  readonly after: Place | undefined;
  readonly rows: number;
}

/** A search also gets fewer rows if their prompts are long. */
async function chooseWindow(database: Kysely<Tables>, { filter, way, after, rows }: WantedWindow) {
  const unended = boundWindow(filter, way, { after, end: undefined });
  for (let wanted = rows; ; ) {
    const end =
      way.rest.length === 0 ? undefined : await findWindowEnd(database, { filter, within: unended, rows: wanted });
    const within = end === undefined ? unended : boundWindow(filter, way, { after, end });
    const bytes = filter.q === undefined || wanted === 1 ? 0 : await sumPrompts(database, within);
    if (bytes <= searchBytes) return { within, end, rows: wanted };
    wanted = Math.max(1, Math.floor((wanted * searchBytes) / bytes));
  }
}

async function sumPrompts(database: Kysely<Tables>, within: readonly Condition[]): Promise<number> {
  const { bytes } = await database
    .selectFrom('runs')
    .select(sql<number>`coalesce(sum(octet_length(prompt)), 0)`.as('bytes'))
    .where(where.and([...within]))
    .executeTakeFirstOrThrow();
  return bytes;
}

interface WindowBounds {
  readonly after: Place | undefined;
  /** A place that matches the ranges. */
  readonly end: Place | undefined;
}

/** SQLite starts and stops at one condition each. So of a range and a place, only the one that implies the other stays. */
function boundWindow(
  order: ListOrder,
  { within, ranges }: ListWay,
  { after, end }: WindowBounds,
): readonly Condition[] {
  const isAscending = order.sort_order === 'asc';
  const first = ranges.find(({ operator }) => (operator === '>=') === isAscending);
  const last = ranges.find(each => each !== first);
  const bound = first?.value;
  const startsAtRange =
    after === undefined ||
    (bound !== undefined && (isAscending ? Number(after.value) < bound : Number(after.value) >= bound));
  const start = startsAtRange ? first?.condition : isAfter(order, after);
  const stop = end === undefined ? last?.condition : isUpTo(order, end);
  return [...within, ...(start === undefined ? [] : [start]), ...(stop === undefined ? [] : [stop])];
}

/** At most doubles or halves it, because a single long time may be due to other programs. */
function resizeWindow(rows: number, tookMs: number): number {
  const factor = Math.min(2, Math.max(0.5, windowMs / tookMs));
  return Math.min(windowRows.max, Math.max(windowRows.min, Math.round(rows * factor)));
}

/** The last place of a window that has more rows behind it. Undefined if the rest is shorter than a window. */
async function findWindowEnd(
  database: Kysely<Tables>,
  {
    filter,
    within,
    rows,
  }: { readonly filter: RunFilter; readonly within: readonly Condition[]; readonly rows: number },
): Promise<Place | undefined> {
  return await selectInOrder(database, filter)
    .where(where.and([...within]))
    .limit(1)
    .offset(rows - 1)
    .executeTakeFirst();
}

async function readWindow(
  database: Kysely<Tables>,
  page: ListPage,
  { within, rest }: Pick<ListWay, 'within' | 'rest'>,
): Promise<void> {
  const found = await selectInOrder(database, page.filter)
    .select(runBytes.as('bytes'))
    .where(where.and([...within, ...(rest.length === 0 ? [] : [withoutIndex(rest)])]))
    .limit(page.room + 1)
    .execute();
  const fitting = page.fit(found);
  if (fitting.length === 0) return;
  // The same conditions again: a run may have changed since the statement before.
  const rows = await database
    .selectFrom('runs')
    .select(listColumns)
    .where('runId', 'in', fitting)
    .where(withoutIndex([...within, ...rest]))
    .execute();
  const byId = new Map(rows.map(row => [row.runId, runOfRow(row)]));
  page.add(fitting.flatMap(id => byId.get(id) ?? []));
}

function selectInOrder(database: Kysely<Tables>, { sort_by, sort_order }: RunFilter) {
  const key = sortKeys[sort_by];
  return database
    .selectFrom('runs')
    .select(eb => ['runId as id', eb.ref(key).as('value')])
    .orderBy(key, sort_order)
    .orderBy('runId', sort_order);
}

/** SQLite looks into a condition for other indexes, but not into a comparison of its truth. */
function withoutIndex(conditions: readonly Condition[]): Condition {
  return sql`(${where.and([...conditions])}) IS TRUE`;
}

/** A page while it is filled. It ends early if its runs are large, but has at least one. */
class ListPage {
  readonly filter: RunFilter;
  readonly #runs = new Map<string, StoredRun>();
  #room: number;
  #bytes = 0;
  #last: Place | undefined;
  #isFull = false;

  constructor(filter: RunFilter) {
    this.filter = filter;
    this.#room = filter.limit;
  }

  get runs(): readonly StoredRun[] {
    return [...this.#runs.values()];
  }

  /** The most runs that it can still take. */
  get room(): number {
    return this.#room;
  }

  /** Where the next page begins. Undefined until a run is found that does not fit. */
  get next(): Place | undefined {
    return this.#isFull ? this.#last : undefined;
  }

  /** A run that was updated during the scan may come again in a later window. */
  add(runs: readonly StoredRun[]): void {
    for (const run of runs) {
      this.#runs.delete(run.runId);
      this.#runs.set(run.runId, run);
    }
  }

  /** Makes room for runs by their sizes, and returns the ids of those that fit. */
  fit(found: readonly (Place & { readonly bytes: number })[]): readonly string[] {
    const ids: string[] = [];
    for (const { bytes, id, value } of found) {
      this.#isFull = this.#last !== undefined && (this.#room === 0 || this.#bytes + bytes > sizes.pageBytes);
      if (this.#isFull) break;
      this.#room -= 1;
      this.#bytes += bytes;
      this.#last = { value, id };
      ids.push(id);
    }
    return ids;
  }
}
