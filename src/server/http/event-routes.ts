import type { Context, Handler } from 'hono';
import { eventQuerySchema } from '../../contract/events.ts';
import { isFinal } from '../../contract/tables/state.ts';
import type { Handlers, HttpEnv } from './app.ts';
import { readEventPage } from './event-page.ts';
import { streamEvents } from './event-stream.ts';
import { prefersStream } from './media-preference.ts';
import { invalidRequest } from './problem-response.ts';
import { parseQuery } from './request-body.ts';
import { findRun } from './runs/run-routes.ts';
import { readWaitSeconds } from './runs/wait-preference.ts';

/**
 * GET /agent/runs/{runId}/events: a page of the log after `after`. With `Prefer: wait=N` it waits for new events.
 * With `Accept: text/event-stream` it streams the log from `Last-Event-ID`, otherwise from `after`.
 */
export function handleListEvents(parts: Handlers): Handler<HttpEnv> {
  return async c => {
    const found = await findRun(parts, c);
    const { after, limit } = parseQuery(eventQuerySchema, Object.fromEntries(new URL(c.req.url).searchParams));
    const { signal } = c.req.raw;
    const callerUid = c.get('caller').uid;
    if (prefersStream(c.req.header('Accept'))) {
      const stream = streamEvents(parts, { run: found, after: readLastEventId(c) ?? after, callerUid, signal });
      // X-Accel-Buffering: nginx and similar proxies would buffer the stream.
      return c.body(stream, 200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
    }
    const waitSeconds = readWaitSeconds(c.req.raw.headers);
    if (waitSeconds === undefined) return c.json(await readEventPage(parts.store, { run: found, after, limit }));
    const run = await parts.waiters.wait({
      run: found,
      callerUid,
      waitMs: waitSeconds * 1000,
      signal,
      isReady: latest => latest.lastSeq > after || isFinal(latest.state),
    });
    c.header('Preference-Applied', `wait=${waitSeconds}`);
    return c.json(await readEventPage(parts.store, { run, after, limit }));
  };
}

/** A reader reconnects with the number of its last event. */
function readLastEventId(c: Context<HttpEnv>): number | undefined {
  const text = c.req.header('Last-Event-ID')?.trim();
  if (text === undefined || text === '') return undefined;
  if (!/^\d{1,15}$/.test(text))
    throw invalidRequest([{ path: 'Last-Event-ID', message: 'must be the number of an event' }]);
  return Number(text);
}
