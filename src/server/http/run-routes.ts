import type { Context, Handler } from 'hono';
import { validate as isUuid } from 'uuid';
import { leaseSchema } from '../../contract/create.ts';
import { listQuerySchema } from '../../contract/list-query.ts';
import type { RunPage } from '../../contract/page.ts';
import { isFinal } from '../../contract/state.ts';
import { BadCursorError, type RunCreator, type RunFilter, type StoredRun } from '../store/store.ts';
import type { Handlers, HttpEnv } from './app.ts';
import { checkLease } from './create-run.ts';
import { environmentUid } from './key-ring.ts';
import { invalidRequest, RequestError } from './problem.ts';
import { parseQuery, parseWith, readJsonBody } from './request-body.ts';
import { printTime, viewRun } from './run-view.ts';
import { readWaitSeconds, waitForRun } from './wait.ts';

/** GET /agent/runs */
export function handleListRuns({ store, links, publicUrl }: Handlers): Handler<HttpEnv> {
  return async c => {
    const page = await store.listRuns(readFilter(new URL(c.req.url).searchParams)).catch((error: unknown) => {
      throw error instanceof BadCursorError ? invalidRequest([{ path: 'cursor', message: error.message }]) : error;
    });
    const answer: RunPage = {
      runs: page.runs.map(run => viewRun(run, `${publicUrl()}${links.pathFor(run.runId)}`)),
      page_info:
        page.nextCursor === undefined
          ? { has_next_page: false }
          : { has_next_page: true, next_cursor: page.nextCursor },
    };
    return c.json(answer);
  };
}

/** GET /agent/runs/{runId}: at once, or with If-None-Match and `Prefer: wait=N` when the run's version has moved. */
export function handleReadRun(parts: Handlers): Handler<HttpEnv> {
  const { store, clock, waiters, links, publicUrl, stopping } = parts;
  return async c => {
    let run = await findRun(parts, c);
    const seen = readSeenVersions(c.req.header('If-None-Match'));
    const waitSeconds = readWaitSeconds(c.req.raw.headers);
    if (waitSeconds !== undefined && seen !== undefined) {
      const signal = AbortSignal.any([stopping, c.req.raw.signal]);
      const isReady = (latest: StoredRun) => isFinal(latest.state) || !seen.has(printVersion(latest));
      run = await waitForRun({
        store,
        clock,
        waiters,
        run,
        callerUid: c.get('caller').uid,
        waitSeconds,
        signal,
        isReady,
      });
      c.header('Preference-Applied', `wait=${waitSeconds}`);
    }
    c.header('ETag', printVersion(run));
    if (seen?.has(printVersion(run))) return c.body(null, 304);
    return c.json(viewRun(run, `${publicUrl()}${links.pathFor(run.runId)}`));
  };
}

/** POST /agent/runs/{runId}/cancel: the id as a JSON string, as the published clients read it. */
export function handleCancelRun(parts: Handlers): Handler<HttpEnv> {
  return async c => {
    const { runId } = await findRun(parts, c);
    const outcome = await parts.store.requestCancel(runId, `requested with ${nameKey(c.get('caller'))}`);
    if (outcome === 'over') {
      const { state } = await findRun(parts, c);
      throw new RequestError('invalid_request', `the run is over (${state}) and cannot be cancelled`);
    }
    parts.log('info', outcome === 'cancelled' ? 'run cancelled before it began' : 'cancel requested', {
      run: runId,
      caller: c.get('caller').uid,
    });
    return c.json(runId);
  };
}

function nameKey({ uid, displayName }: RunCreator): string {
  return uid === environmentUid ? 'the key in AGENT_RUN_API_KEY' : `the key "${displayName}"`;
}

/** PUT /agent/runs/{runId}/lease */
export function handleRenewLease(parts: Handlers): Handler<HttpEnv> {
  return async c => {
    const { runId } = await findRun(parts, c);
    const { lease_seconds } = parseWith(leaseSchema, await readJsonBody(c.req.raw, parts.limits.body_bytes));
    checkLease(lease_seconds, parts.limits.min_lease_seconds);
    const expiresAt = await parts.store.renewLease(runId, lease_seconds);
    if (expiresAt === undefined)
      throw new RequestError('invalid_request', 'the run is over or being cancelled, so there is no lease to renew');
    return c.json({ lease_expires_at: printTime(expiresAt) });
  };
}

/** GET /agent/runs/{runId}/result */
export function handleReadResult(parts: Handlers): Handler<HttpEnv> {
  return async c => {
    const { runId, state } = await findRun(parts, c);
    const text = await parts.store.readResult(runId);
    if (text === undefined) throw new RequestError('resource_not_found', `the run has no result (${state})`);
    return c.text(text);
  };
}

/** The run that the address names. An id that is no UUID and one that is unknown are answered the same. */
export async function findRun({ store }: Pick<Handlers, 'store'>, c: Context<HttpEnv>): Promise<StoredRun> {
  const runId = c.req.param('runId') ?? '';
  const run = isUuid(runId) ? await store.readRun(runId.toLowerCase()) : undefined;
  if (run === undefined)
    throw new RequestError('resource_not_found', `there is no run ${JSON.stringify(runId.slice(0, 80))}`);
  return run;
}

/** The versions of an If-None-Match; undefined without one. A proxy that compresses makes a version weak; it is the same version. */
function readSeenVersions(header: string | undefined): ReadonlySet<string> | undefined {
  return header === undefined
    ? undefined
    : new Set(header.split(',').map(version => version.trim().replace(/^W\//, '')));
}

function printVersion(run: StoredRun): string {
  return `"${run.version}"`;
}

function readFilter(params: URLSearchParams): RunFilter {
  const given = [...params].filter(([name, value]) => name !== 'state' && value !== '');
  const metadata = given.flatMap(([name, value]) => {
    const key = /^metadata\[(.*)\]$/.exec(name)?.[1];
    return key === undefined ? [] : [[key, value] as const];
  });
  const state = params.getAll('state').filter(value => value !== '');
  const { config_name, created_after, created_before, updated_after, ...query } = parseQuery(listQuerySchema, {
    ...Object.fromEntries(given.filter(([name]) => name !== 'metadata')),
    ...(metadata.length > 0 ? { metadata: Object.fromEntries(metadata) } : {}),
    ...(state.length > 0 ? { state } : {}),
  });
  if (config_name !== undefined && query.name !== undefined && config_name !== query.name)
    throw invalidRequest([
      { path: 'config_name', message: 'means the same as name; give one of the two, or both alike' },
    ]);
  return {
    ...query,
    name: query.name ?? config_name,
    createdAfter: readTime(created_after),
    createdBefore: readTime(created_before),
    updatedAfter: readTime(updated_after),
  };
}

function readTime(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}
