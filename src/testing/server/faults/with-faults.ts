/** Fetches that reach a server without a socket, and fail like those over one. */
import { answerUnlessAborted } from '../../../border/answers.ts';
import type { FaultPlan } from './fault-plan.ts';
import { createFetchFailure, type ServerFetch } from './faulty-connection.ts';
import { createFaultyFetch, type MetFault } from './faulty-fetch.ts';

export type FetchLike = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * A fetch with the faults of the plan in front of another one: the platform's, or that of a test server. The plan has
 * its own counts. Throws FaultPlanError.
 */
export function withFaults(
  fetch: FetchLike,
  faults: FaultPlan,
  { onMet }: { readonly onMet?: ((met: MetFault) => void) | undefined } = {},
): FetchLike {
  return createDirectFetch(createFaultyFetch(request => fetch(request), faults, { onMet }));
}

/**
 * Calls a server like Node's fetch: the call and the body reject as soon as the signal aborts, and every response has
 * a `Date`. Redirects are not followed. `refuses` is asked before each call, and true means that no server is
 * listening.
 */
export function createDirectFetch(serverFetch: ServerFetch, refuses: () => boolean = () => false): FetchLike {
  return async (input, init) => {
    if (refuses()) throw createFetchFailure('fetch failed', 'ECONNREFUSED');
    const request = new Request(input, init);
    const { signal } = request;
    signal.throwIfAborted();
    const answer = Promise.resolve(serverFetch(request));
    return finish(await answerUnlessAborted(answer, signal), signal);
  };
}

function finish(response: Response, signal: AbortSignal): Response {
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  if (!headers.has('date')) headers.set('Date', new Date().toUTCString());
  return new Response(response.body === null ? null : abortable(response.body, signal), {
    status,
    statusText,
    headers,
  });
}

/** The body, which fails with the signal's reason when it aborts. */
function abortable(body: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let stop = (): void => {};
  return new ReadableStream<Uint8Array>(
    {
      start(to) {
        stop = () => {
          to.error(signal.reason);
          reader.cancel(signal.reason).catch(() => {});
        };
        if (signal.aborted) stop();
        else signal.addEventListener('abort', stop, { once: true });
      },
      async pull(to) {
        const { value } = await reader.read();
        if (signal.aborted) return;
        if (value !== undefined) return to.enqueue(value);
        signal.removeEventListener('abort', stop);
        to.close();
      },
      cancel(reason) {
        signal.removeEventListener('abort', stop);
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
