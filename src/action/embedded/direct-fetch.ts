/** A fetch that reaches a server in this process, without a port. */
import { answerUnlessAborted, watchAnswer } from '../../border/answers.ts';

export type DirectFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * Rejects like the platform's fetch:
 * - with the signal's reason as soon as it aborts, for the body too;
 * - with a TypeError if `isClosed` returns true, which is checked before each call.
 */
export function createDirectFetch(
  serve: (request: Request) => Response | Promise<Response>,
  isClosed: () => boolean,
): DirectFetch {
  return async (url, init) => {
    if (isClosed()) throw new TypeError('fetch failed', { cause: new Error('the server inside the step is closed') });
    const request = new Request(url, init);
    // A Request holds its signal weakly. The caller holds the given one.
    const signal = init?.signal ?? request.signal;
    signal.throwIfAborted();
    const answer = Promise.resolve(serve(request));
    return watchAnswer(await answerUnlessAborted(answer, signal), { signal });
  };
}
