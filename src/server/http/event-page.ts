import type { EventPage, RunEvent } from '../../contract/events.ts';
import { sizes, utf8Bytes } from '../../contract/tables/sizes.ts';
import { isFinal } from '../../contract/tables/state.ts';
import type { RunStore, StoredRun } from '../store/store.ts';

interface PageRequest {
  readonly run: StoredRun;
  readonly after: number;
  readonly limit: number;
  readonly maxBytes?: number | undefined;
}

/** Reads a page of events, cut early if it is large. Read `run` before: `done` is true only if nothing can follow. */
export async function readEventPage(
  store: RunStore,
  { run, after, limit, maxBytes = sizes.pageBytes }: PageRequest,
): Promise<EventPage> {
  const hasMore = run.lastSeq > after;
  const events = hasMore ? cutPage(await store.readEvents(run.runId, after, limit), maxBytes) : [];
  const nextAfter = events.at(-1)?.seq ?? after;
  return { events, next_after: nextAfter, done: isFinal(run.state) && nextAfter >= run.lastSeq };
}

function cutPage(events: readonly RunEvent[], maxBytes: number): readonly RunEvent[] {
  let bytes = 0;
  for (const [index, event] of events.entries()) {
    bytes += utf8Bytes(JSON.stringify(event.data));
    if (bytes > maxBytes) return events.slice(0, Math.max(1, index));
  }
  return events;
}
