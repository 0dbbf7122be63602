import type { Handler } from 'hono';
import { type EventPage, eventQuerySchema, type RunEvent } from '../../contract/events.ts';
import { sizes, utf8Bytes } from '../../contract/sizes.ts';
import { isFinal } from '../../contract/state.ts';
import type { RunStore, StoredRun } from '../store/store.ts';
import type { Handlers, HttpEnv } from './app.ts';
import { parseWith } from './request-body.ts';
import { findRun } from './run-routes.ts';
import { readWaitSeconds, waitForRun } from './wait.ts';

/** GET /agent/runs/{runId}/events: a page of the log after `after`; with `Prefer: wait=N` it waits until there is something new. */
export function handleListEvents(parts: Handlers): Handler<HttpEnv> {
  return async c => {
    const found = await findRun(parts, c);
    const { after, limit } = parseWith(eventQuerySchema, Object.fromEntries(new URL(c.req.url).searchParams));
    const waitSeconds = readWaitSeconds(c.req.raw.headers);
    const run = await waitForRun({
      ...parts,
      run: found,
      // Only who waits holds the lease; a look does not.
      callerUid: waitSeconds === undefined ? undefined : c.get('caller').uid,
      waitSeconds: waitSeconds ?? 0,
      signal: AbortSignal.any([parts.stopping, c.req.raw.signal]),
      isReady: latest => latest.lastSeq > after || isFinal(latest.state),
    });
    if (waitSeconds !== undefined) c.header('Preference-Applied', `wait=${waitSeconds}`);
    return c.json(await readEventPage(parts.store, { run, after, limit }));
  };
}

/** A page of events, cut early when it grows too large. `run` must have been read before: `done` is true only when nothing can follow. */
export async function readEventPage(
  store: RunStore,
  { run, after, limit }: { readonly run: StoredRun; readonly after: number; readonly limit: number },
): Promise<EventPage> {
  const events = cutPage(await store.readEvents(run.runId, after, limit));
  const nextAfter = events.at(-1)?.seq ?? after;
  return { events, next_after: nextAfter, done: isFinal(run.state) && nextAfter >= run.lastSeq };
}

function cutPage(events: readonly RunEvent[]): readonly RunEvent[] {
  let bytes = 0;
  for (const [index, event] of events.entries()) {
    bytes += event.type === 'log' ? utf8Bytes(event.data.text) : utf8Bytes(JSON.stringify(event.data));
    if (bytes > sizes.pageBytes) return events.slice(0, Math.max(1, index));
  }
  return events;
}
