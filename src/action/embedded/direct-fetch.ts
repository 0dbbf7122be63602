/** A fetch that reaches a server in this process, without a port. */
import { answerUnlessAborted, watchAnswer } from '../../border/answers.ts';

/** As a client calls it. */
export type DirectFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * Rejects as the platform's fetch does: with the reason of the signal as soon as that aborts, the body as well, and with a TypeError where
 * nobody listens any more, which `isClosed` is asked for before each call.
 */
export function createDirectFetch(
  serve: (request: Request) => Response | Promise<Response>,
  isClosed: () => boolean,
): DirectFetch {
  return async (url, init) => {
    if (isClosed()) throw new TypeError('fetch failed', { cause: new Error('the server inside the step is closed') });
    const request = new Request(url, init);
    // A request follows its signal weakly; the one that was given is held by the caller.
    const signal = init?.signal ?? request.signal;
    signal.throwIfAborted();
    const answer = Promise.resolve(serve(request));
    return watchAnswer(await answerUnlessAborted(answer, signal), { signal });
  };
}
