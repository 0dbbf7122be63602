import type { Context, Handler, Hono } from 'hono';
import { validate as isUuid } from 'uuid';
import { eventQuerySchema, type RunEvent } from '../../contract/events.ts';
import type { ServedRun } from '../../contract/run.ts';
import { findErrorCode } from '../../contract/tables/error-codes.ts';
import { sizes } from '../../contract/tables/sizes.ts';
import { isFinal } from '../../contract/tables/state.ts';
import {
  type Html,
  pageHeaders,
  renderErrorPage,
  renderErrorsPage,
  renderEvents,
  renderHomePage,
  renderLinkNeededPage,
  renderRunHead,
  renderRunPage,
  renderUnknownErrorPage,
} from '../../web/index.ts';
import type { StoredRun } from '../store/store.ts';
import type { Handlers, HttpEnv } from './app.ts';
import { answerFile } from './artifact-routes.ts';
import { readEventPage } from './event-page.ts';
import { RequestError } from './problem-response.ts';
import { parseQuery } from './request-body.ts';
import { viewRun } from './runs/run-view.ts';

type PageParts = Pick<
  Handlers,
  'store' | 'clock' | 'waiters' | 'links' | 'environments' | 'harnesses' | 'artifactFile'
>;

/** The longest time that `…/live` holds a request. */
const liveSeconds = 25;

/** A page shows the newest events up to this size, and at most as many as a page of the API. */
const shownBytes = 1024 * 1024;

/** Pages for browsers. Pages of runs need the run's signed link. The others contain nothing about runs. */
export function addPages(app: Hono<HttpEnv>, parts: PageParts): void {
  app.get('/', c => answerPage(c, renderHomePage()));
  app.get('/errors', c => answerPage(c, renderErrorsPage()));
  app.get('/errors/:code', c => {
    const code = c.req.param('code');
    const row = findErrorCode(code);
    return row === undefined ? answerPage(c, renderUnknownErrorPage(code), 404) : answerPage(c, renderErrorPage(row));
  });
  app.get('/runs/:runId', handleRunPage(parts));
  app.get('/runs/:runId/live', handleRunNews(parts));
  app.get('/runs/:runId/artifacts/:artifactUid', handlePageFile(parts));
}

/** GET /runs/{runId}?token=…: the run with its newest events, or with `before=SEQ` those before that one. */
function handleRunPage(parts: PageParts): Handler<HttpEnv> {
  return async c => {
    const run = await readLinkedRun(parts, c);
    if (run === undefined) return answerPage(c, renderLinkNeededPage(), 403);
    const asked = /^[1-9]\d{0,14}$/.exec(c.req.query('before') ?? '')?.[0];
    const before = Math.min(Number(asked ?? Infinity), run.lastSeq + 1);
    const after = Math.max(0, before - 1 - sizes.eventLimit);
    const events = await parts.store.readEvents(run.runId, after, before - 1 - after);
    const page = renderRunPage({
      run: await viewForPage(parts, run),
      version: run.version,
      events: keepNewest(events),
      isNewest: asked === undefined,
      token: c.req.query('token') ?? '',
      nowMs: parts.clock.now(),
    });
    return answerPage(c, page);
  };
}

/**
 * GET /runs/{runId}/live?token=…&after=SEQ&version=N: the changes since then, as JSON for the page's script. Waits
 * for them unless `wait=no`. A page does not renew the run's lease.
 */
function handleRunNews(parts: PageParts): Handler<HttpEnv> {
  return async c => {
    const found = await readLinkedRun(parts, c);
    if (found === undefined) return answerPage(c, renderLinkNeededPage(), 403);
    const { after, limit } = parseQuery(eventQuerySchema, { after: c.req.query('after') });
    const version = c.req.query('version');
    const run = await parts.waiters.wait({
      run: found,
      callerUid: undefined,
      waitMs: c.req.query('wait') === 'no' ? 0 : liveSeconds * 1000,
      signal: c.req.raw.signal,
      isReady: latest =>
        latest.lastSeq > after ||
        isFinal(latest.state) ||
        (version !== undefined && version !== String(latest.version)),
    });
    const { events, next_after, done } = await readEventPage(parts.store, { run, after, limit });
    const answer = {
      head: String(
        await renderRunHead(await viewForPage(parts, run), {
          nowMs: parts.clock.now(),
          token: c.req.query('token') ?? '',
        }),
      ),
      events: String(await renderEvents(events)),
      next_after,
      version: run.version,
      done,
    };
    return c.json(answer, 200, pageHeaders);
  };
}

/** GET /runs/{runId}/artifacts/{artifactUid}?token=…: a file of the run. The page's token opens it. */
function handlePageFile(parts: PageParts): Handler<HttpEnv> {
  return async c => {
    const run = await readLinkedRun(parts, c);
    if (run === undefined)
      throw new RequestError('not_authorized', "this link has expired or is incomplete; open the run's page again");
    const uid = (c.req.param('artifactUid') ?? '').toLowerCase();
    const artifact = run.artifacts.find(({ type, data }) => type === 'FILE' && data.artifact_uid === uid);
    if (artifact === undefined) throw new RequestError('resource_not_found', 'the run has no file with this id');
    return await answerFile(c, parts.artifactFile(run.runId, uid), artifact);
  };
}

async function viewForPage({ store, environments, harnesses }: PageParts, run: StoredRun): Promise<ServedRun> {
  return viewRun(run, { sessionLink: '', environments, harnesses, usage: await store.readUsage(run.runId) });
}

/** Finds the run in the address if the token is valid for it. */
async function readLinkedRun(
  { store, links }: Pick<PageParts, 'store' | 'links'>,
  c: Context<HttpEnv>,
): Promise<StoredRun | undefined> {
  const runId = (c.req.param('runId') ?? '').toLowerCase();
  return isUuid(runId) && links.isValid(runId, c.req.query('token')) ? store.readRun(runId) : undefined;
}

function answerPage(c: Context<HttpEnv>, page: Html, status: 200 | 403 | 404 = 200): Response | Promise<Response> {
  return c.html(page, status, pageHeaders);
}

function keepNewest(events: readonly RunEvent[]): readonly RunEvent[] {
  let bytes = 0;
  const firstKept = events.findLastIndex(event => {
    bytes += JSON.stringify(event.data).length;
    return bytes > shownBytes;
  });
  return events.slice(Math.min(firstKept + 1, events.length - 1));
}
