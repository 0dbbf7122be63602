import type { Context, Handler } from 'hono';
import { validate as isUuid } from 'uuid';
import { terminalLine } from '../../../border/terminal-text.ts';
import { cancelSchema, leaseSchema } from '../../../contract/create.ts';
import { headerNames } from '../../../contract/tables/headers.ts';
import { isFinal } from '../../../contract/tables/state.ts';
import type { RunCreator, StoredRun } from '../../store/store.ts';
import type { Handlers, HttpEnv } from '../app.ts';
import { environmentUid } from '../key-ring.ts';
import { RequestError } from '../problem-response.ts';
import { parseWith, readJsonBody, readOptionalJsonBody } from '../request-body.ts';
import { checkLease } from './create-run.ts';
import { printTime, viewRun } from './run-view.ts';
import { readWaitSeconds } from './wait-preference.ts';

/** GET /agent/runs/{runId}: at once, or with If-None-Match and `Prefer: wait=N` when the run's version changes. */
export function handleReadRun(parts: Handlers): Handler<HttpEnv> {
  const { store, waiters, links, publicUrl, environments, harnesses } = parts;
  const printRun = async (run: StoredRun) => {
    const sessionLink = `${publicUrl()}${links.pathFor(run.runId)}`;
    const usage = await store.readUsage(run.runId);
    return JSON.stringify(viewRun(run, { sessionLink, environments, harnesses, usage }));
  };
  /** All that wait for a run get the same object, so they share its text. */
  const printed = new WeakMap<StoredRun, Promise<string>>();
  const printOnce = (run: StoredRun) => {
    const text = printed.get(run) ?? printRun(run);
    printed.set(run, text);
    return text;
  };
  return async c => {
    let run = await findRun(parts, c);
    const seen = readSeenVersions(c.req.header('If-None-Match'));
    const waitSeconds = readWaitSeconds(c.req.raw.headers);
    if (waitSeconds !== undefined && seen !== undefined) {
      run = await waiters.wait({
        run,
        callerUid: c.get('caller').uid,
        waitMs: waitSeconds * 1000,
        signal: c.req.raw.signal,
        isReady: latest => isFinal(latest.state) || !seen.has(printVersion(latest)),
      });
      c.header('Preference-Applied', `wait=${waitSeconds}`);
    }
    c.header('ETag', printVersion(run));
    if (seen?.has(printVersion(run))) return c.body(null, 304);
    return c.body(await printOnce(run), 200, { 'Content-Type': 'application/json' });
  };
}

/**
 * POST /agent/runs/{runId}/cancel: answers with the id as a JSON string, which the published clients read. They send
 * an empty body, some with a JSON content type.
 */
export function handleCancelRun(parts: Handlers): Handler<HttpEnv> {
  return async c => {
    const { runId } = await findRun(parts, c);
    const body = parseWith(cancelSchema, (await readOptionalJsonBody(c.req.raw, parts.limits.body_bytes)) ?? {});
    const reason = terminalLine(body.reason ?? '').trim();
    const who = `requested ${nameCaller(c.get('caller'), parts)}`;
    const outcome = await parts.store.requestCancel(runId, reason === '' ? who : `${who}: ${reason}`);
    if (outcome === 'over') {
      const { state } = await findRun(parts, c);
      throw new RequestError('invalid_request', `the run is over (${state}) and cannot be canceled`);
    }
    parts.log('info', outcome === 'cancelled' ? 'run canceled before it started' : 'cancel requested', {
      run: runId,
      caller: c.get('caller').uid,
    });
    return c.json(runId);
  };
}

function nameCaller({ uid, displayName }: RunCreator, { environmentCaller }: Handlers): string {
  return uid === environmentUid ? environmentCaller : `with the key "${displayName}"`;
}

/** PUT /agent/runs/{runId}/lease */
export function handleRenewLease(parts: Handlers): Handler<HttpEnv> {
  return async c => {
    const { runId } = await findRun(parts, c);
    const { lease_seconds } = parseWith(leaseSchema, await readJsonBody(c.req.raw, parts.limits.body_bytes));
    checkLease(lease_seconds, parts.limits.min_lease_seconds);
    const expiresAt = await parts.store.renewLease(runId, lease_seconds);
    if (expiresAt === undefined)
      throw new RequestError('invalid_request', 'the run is over or being canceled, so there is no lease to renew');
    return c.json({ lease_expires_at: printTime(expiresAt) });
  };
}

/** DELETE /agent/runs/{runId}/lease: succeeds too if the run has no lease. */
export function handleReleaseLease(parts: Handlers): Handler<HttpEnv> {
  return async c => {
    const { runId } = await findRun(parts, c);
    if (!(await parts.store.releaseLease(runId)))
      throw new RequestError('invalid_request', 'the run is over or being canceled, so there is no lease to remove');
    return c.json({});
  };
}

/** GET /agent/runs/{runId}/result */
export function handleReadResult(parts: Handlers): Handler<HttpEnv> {
  return async c => {
    const { runId, state } = await findRun(parts, c);
    const text = await parts.store.readResult(runId);
    if (text === undefined)
      throw new RequestError('no_result', `the run is ${state} and has no result${isFinal(state) ? '' : ' yet'}`);
    c.header(headerNames.resultBytes, String(Buffer.byteLength(text)));
    return c.text(text);
  };
}

/** Finds the run in the address. An invalid id gets the same answer as an unknown one. */
export async function findRun({ store }: Pick<Handlers, 'store'>, c: Context<HttpEnv>): Promise<StoredRun> {
  const runId = c.req.param('runId') ?? '';
  const run = isUuid(runId) ? await store.readRun(runId.toLowerCase()) : undefined;
  if (run === undefined)
    throw new RequestError('resource_not_found', `this server has no run ${JSON.stringify(runId.slice(0, 80))}`);
  return run;
}

/** Reads the versions of If-None-Match; undefined without one. A compressing proxy marks them as weak. */
function readSeenVersions(header: string | undefined): ReadonlySet<string> | undefined {
  return header === undefined
    ? undefined
    : new Set(header.split(',').map(version => version.trim().replace(/^W\//, '')));
}

function printVersion(run: StoredRun): string {
  return `"${run.version}"`;
}
