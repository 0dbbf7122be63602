import type { Handler } from 'hono';
import { type ListQuery, listQuerySchema } from '../../../contract/list-query.ts';
import type { RunPage } from '../../../contract/page.ts';
import { findEnvironment } from '../../environments/environment.ts';
import { BadCursorError, type RunFilter, type RunListPage, type RunStore } from '../../store/store.ts';
import type { Handlers, HttpEnv } from '../app.ts';
import { invalidRequest, RequestError } from '../problem-response.ts';
import { parseQuery } from '../request-body.ts';
import { executionLocation, viewRun } from './run-view.ts';

/** GET /agent/runs */
export function handleListRuns(parts: Handlers): Handler<HttpEnv> {
  const { store, links, publicUrl, environments, harnesses, stopping } = parts;
  return async c => {
    const read = readFilter(new URL(c.req.url).searchParams);
    const environment = findEnvironment(environments, read?.environment_id ?? '');
    const filter = read && environment ? { ...read, environment_id: environment.uid } : read;
    const page =
      filter === undefined
        ? { runs: [], nextCursor: undefined }
        : await readPage(store, filter, AbortSignal.any([stopping, c.req.raw.signal]));
    const answer: RunPage = {
      runs: page.runs.map(run =>
        viewRun(run, { sessionLink: `${publicUrl()}${links.pathFor(run.runId)}`, environments, harnesses }),
      ),
      page_info:
        page.nextCursor === undefined
          ? { has_next_page: false }
          : { has_next_page: true, next_cursor: page.nextCursor },
    };
    return c.json(answer);
  };
}

/** Reads a page until the signal aborts: the client is gone, or the server closes. */
export async function readPage(store: RunStore, filter: RunFilter, signal: AbortSignal): Promise<RunListPage> {
  try {
    return await store.listRuns(filter, signal);
  } catch (error) {
    if (error instanceof BadCursorError) throw invalidRequest([{ path: 'cursor', message: error.message }]);
    if (signal.aborted) throw new RequestError('resource_unavailable', 'the server is stopping; try again later');
    throw error;
  }
}

/** Parses the query for the store; undefined if no run of this server can match. */
function readFilter(params: URLSearchParams): RunFilter | undefined {
  const query = parseQuery(listQuerySchema, gatherParams(params));
  refuseContradiction(query, 'config_name', 'name');
  refuseContradiction(query, 'skill', 'skill_spec');
  return isImpossible(query)
    ? undefined
    : {
        ...query,
        name: query.name ?? query.config_name,
        skill_spec: query.skill_spec ?? query.skill,
        creator: query.creator ?? query.executor,
        createdAfter: readTime(query.created_after),
        createdBefore: readTime(query.created_before),
        updatedAfter: readTime(query.updated_after),
      };
}

/** True if no run of this server can match. Ignoring such a filter would list runs that do not match it. */
function isImpossible(query: ListQuery): boolean {
  const never = [query.schedule_id, query.ancestor_run_id, query.automation_id, query.factory_uid];
  // A run always acts for its creator on this server.
  const { creator, executor = creator } = query;
  return (
    never.some(value => value !== undefined) ||
    (query.execution_location ?? executionLocation) !== executionLocation ||
    (creator !== undefined && executor !== creator)
  );
}

function refuseContradiction(query: ListQuery, alias: 'config_name' | 'skill', name: 'name' | 'skill_spec'): void {
  if (query[alias] !== undefined && query[name] !== undefined && query[alias] !== query[name])
    throw invalidRequest([{ path: alias, message: `means the same as ${name}; send only one of the two` }]);
}

/** Collects the parameters in one object. An empty value is dropped, except for metadata, which may be empty. */
function gatherParams(params: URLSearchParams): Readonly<Record<string, unknown>> {
  const plain = new Map<string, string>();
  const metadata = new Map<string, string>();
  for (const [name, value] of params) {
    const key = /^metadata\[(.*)\]$/s.exec(name)?.[1];
    if (key !== undefined) setOnce(metadata, { key, value, path: `metadata.${key}` });
    // Ignoring it would list all runs.
    else if (name === 'metadata') throw invalidRequest([{ path: name, message: 'needs a key: metadata[key]=value' }]);
    else if (value !== '' && isSingle(name)) setOnce(plain, { key: name, value, path: name });
  }
  if (metadata.has('__proto__'))
    throw invalidRequest([{ path: 'metadata.__proto__', message: 'must not be used as a name' }]);
  const state = params.getAll('state').filter(value => value !== '');
  return {
    ...Object.fromEntries(plain),
    ...(metadata.size > 0 ? { metadata: Object.fromEntries(metadata) } : {}),
    ...(state.length > 0 ? { state } : {}),
  };
}

function isSingle(name: string): boolean {
  return name !== 'state' && name !== 'metadata' && Object.hasOwn(listQuerySchema.shape, name);
}

/** Otherwise the last of several values would win silently. */
function setOnce(
  values: Map<string, string>,
  { key, value, path }: { readonly key: string; readonly value: string; readonly path: string },
): void {
  if ((values.get(key) ?? value) !== value)
    throw invalidRequest([{ path, message: 'must not be repeated with different values' }]);
  values.set(key, value);
}

function readTime(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}
