/** How fast to poll. */

export const longPollSeconds = 25;

/** The minimum time between polls that bring news, after the first ones. */
const floorMs = 250;
/** So many polls with news are each followed by the next at once: the end of a short run is seen without delay. */
export const promptNews = 4;
/** `sizes.eventLimit`, without the rest of that table in the bundle. */
export const fullPageEvents = 1000;
/**
 * The minimum time between pages of events, so that an agent with constant output does not use up its key's rate
 * limit.
 */
const pageFloorMs = 500;
/** A long poll without news that ended sooner did not wait. Such a server gets plain polls. */
const promptMs = 1_000;
const firstPlainMs = 2_000;
const longestPlainMs = 15_000;

interface Poll {
  readonly serverWaits: boolean;
  readonly tookMs: number;
  /** Polls that brought news so far, with this one. */
  readonly newsPolls: number;
  /** Consecutive polls without news. */
  readonly quietPolls: number;
}

/** How long to wait before the next poll of a run, in ms. */
export function restMs(poll: Poll & { readonly hasNews: boolean }, random = Math.random): number {
  if (poll.serverWaits && poll.hasNews) return afterNews(poll, floorMs);
  return quietRestMs(poll, random);
}

/** How long to wait before the next page of events, in ms. After a full page, more events are ready. */
export function pageRestMs(poll: Poll & { readonly news: number }, random = Math.random): number {
  if (poll.news >= fullPageEvents) return 0;
  if (poll.serverWaits && poll.news > 0) return afterNews(poll, pageFloorMs);
  return quietRestMs(poll, random);
}

/** How long to wait before reopening a stream, in ms. The jitter spreads out clients that lost the same server. */
export function streamRestMs(random = Math.random): number {
  return floorMs * (1 + random());
}

function afterNews({ newsPolls, tookMs }: Poll, leastMs: number): number {
  return newsPolls <= promptNews ? 0 : Math.max(0, leastMs - tookMs);
}

/** 0 after a long poll that waited. Otherwise 2 s growing to 15 s, minus up to a fifth as jitter. */
function quietRestMs(poll: Poll, random: () => number): number {
  if (poll.serverWaits && poll.tookMs >= promptMs) return 0;
  return Math.min(firstPlainMs * 1.5 ** poll.quietPolls, longestPlainMs) * (0.8 + 0.2 * random());
}
