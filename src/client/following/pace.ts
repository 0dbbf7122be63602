/** How fast to poll. Pure. */

/** What one long poll asks for. */
export const longPollSeconds = 25;

/** Between two polls that bring news, however fast the server answers. */
const floorMs = 250;
/** `sizes.eventLimit`, without the rest of that table in the bundle. */
export const fullPageEvents = 1000;
/** The same between pages of events: an agent that prints all the time must not use up its key's rate. */
const pageFloorMs = 500;
/** A long poll without news that ended sooner did not wait: such a server is polled plainly. */
const promptMs = 1_000;
const firstPlainMs = 2_000;
const longestPlainMs = 15_000;

/** How the last poll went. */
interface Poll {
  readonly serverWaits: boolean;
  readonly tookMs: number;
  /** Polls without news in a row. */
  readonly quietPolls: number;
}

/** How long to rest before the next poll of a run, in ms. */
export function restMs(poll: Poll & { readonly hasNews: boolean }, random = Math.random): number {
  if (poll.serverWaits && poll.hasNews) return Math.max(0, floorMs - poll.tookMs);
  return quietRestMs(poll, random);
}

/** How long to rest before the next page of events, in ms. A full page has more right behind it. */
export function pageRestMs(poll: Poll & { readonly news: number }, random = Math.random): number {
  if (poll.news >= fullPageEvents) return 0;
  if (poll.serverWaits && poll.news > 0) return Math.max(0, pageFloorMs - poll.tookMs);
  return quietRestMs(poll, random);
}

/** Before a stream is taken up again: those that one server has left do not come back together. */
export function streamRestMs(random = Math.random): number {
  return floorMs * (1 + random());
}

/** None after a long poll that waited; else 2 s growing to 15 s, up to a fifth shorter so that many clients do not come together. */
function quietRestMs(poll: Poll, random: () => number): number {
  if (poll.serverWaits && poll.tookMs >= promptMs) return 0;
  return Math.min(firstPlainMs * 1.5 ** poll.quietPolls, longestPlainMs) * (0.8 + 0.2 * random());
}
