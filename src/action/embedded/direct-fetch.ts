/** A fetch that reaches a server in this process, without a port. */

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
    const aborted = Promise.withResolvers<never>();
    const stop = (): void => aborted.reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    try {
      return followSignal(await Promise.race([answer, aborted.promise]), signal);
    } catch (error) {
      // An answer that comes all the same has no reader.
      answer.then(late => late.body?.cancel()).catch(() => {});
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  };
}

/** The same answer, whose body fails with the signal's reason when that aborts, and is then given up at its source. */
function followSignal(response: Response, signal: AbortSignal): Response {
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(new TransformStream(), { signal }), { status, statusText, headers });
}
