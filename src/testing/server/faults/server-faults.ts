/** Faults of the service itself: its data, its features, its clock. */
import { headerNames, readFeatures, type ServerFeature } from '../../../contract/tables/headers.ts';
import { runStates } from '../../../contract/tables/state.ts';
import { answerMissing, changeJson, changeRequest, changeResponse } from '../rewriting.ts';
import type { Target } from './fault-aim.ts';

type Ask = (request: Request) => Promise<Response>;

/** The server without the features, as if it did not know them. */
export async function askWithoutFeatures(
  off: ReadonlySet<ServerFeature>,
  { request, target, ask }: { readonly request: Request; readonly target: Target; readonly ask: Ask },
): Promise<Response> {
  const answer = await askLess(off, { request, target, ask });
  const left = [...readFeatures(answer.headers)].filter(word => !off.has(word as ServerFeature));
  const headers: Record<string, string | undefined> = {
    [headerNames.features]: left.length === 0 ? undefined : left.join(', '),
  };
  if (off.has('idempotency')) headers[headerNames.idempotentReplayed] = undefined;
  if (off.has('wait')) Object.assign(headers, { ETag: undefined, [headerNames.preferenceApplied]: undefined });
  return changeResponse(answer, { headers });
}

const featureOfRoute = {
  listEvents: 'events',
  readResult: 'result',
  renewLease: 'lease',
  releaseLease: 'lease',
} as const;

async function askLess(
  off: ReadonlySet<ServerFeature>,
  { request, target, ask }: { readonly request: Request; readonly target: Target; readonly ask: Ask },
): Promise<Response> {
  for (const [route, feature] of Object.entries(featureOfRoute)) {
    if (target.route === route && off.has(feature)) return await answerMissing(request, ask, 'address');
  }
  const headers = new Headers(request.headers);
  if (off.has('idempotency')) headers.delete(headerNames.idempotencyKey);
  if (off.has('wait')) for (const name of [headerNames.prefer, 'If-None-Match']) headers.delete(name);
  const changeMember = (name: string, value: unknown): unknown => (name === 'lease_seconds' ? undefined : value);
  const isCreate = target.route === 'createRun' || target.route === 'createRunOldPath';
  return await ask(
    await changeRequest(request, { headers, changeJson: isCreate && off.has('lease') ? changeMember : undefined }),
  );
}

/** The server with its clock `ms` ahead. */
export async function askWithSkew(request: Request, ms: number, ask: Ask): Promise<Response> {
  const url = new URL(request.url);
  for (const name of ['created_after', 'created_before', 'updated_after']) {
    const given = Date.parse(url.searchParams.get(name) ?? '');
    if (!Number.isNaN(given)) url.searchParams.set(name, new Date(given - ms).toISOString());
  }
  const answer = await ask(url.href === request.url ? request : await changeRequest(request, { url }));
  const shiftTime = (name: string, value: unknown): unknown =>
    /(^|_)at$/.test(name) && typeof value === 'string' && !Number.isNaN(Date.parse(value))
      ? new Date(Date.parse(value) + ms).toISOString()
      : value;
  const date = Date.parse(answer.headers.get('date') ?? '');
  const now = Number.isNaN(date) ? Date.now() : date;
  return changeResponse(await changeJson(answer, shiftTime), { headers: { Date: new Date(now + ms).toUTCString() } });
}

/** Decides which reads of new runs find nothing. */
export class LaggingCopy {
  readonly #looksMax: number;
  readonly #lagMs: number;
  readonly #runs = new Map<string, { looks: number; readonly sinceMs: number }>();

  constructor({ looks, ms }: { readonly looks?: number | undefined; readonly ms?: number | undefined }) {
    this.#looksMax = looks ?? Number.POSITIVE_INFINITY;
    this.#lagMs = ms ?? Number.POSITIVE_INFINITY;
  }

  /** Whether this request about a run comes too early. */
  isTooEarly({ method, runId }: Target): boolean {
    if (runId === undefined || method !== 'GET') return false;
    const run = this.#note(runId);
    run.looks += 1;
    return run.looks <= this.#looksMax && performance.now() - run.sinceMs < this.#lagMs;
  }

  /** Starts the time of a run when its create is answered. */
  async noteCreated(response: Response): Promise<Response> {
    const text = await response.text();
    const runId = /"run_id":"([^"]+)"/.exec(text)?.[1];
    if (runId !== undefined) this.#note(runId);
    return changeResponse(response, { body: text });
  }

  #note(runId: string): { looks: number; readonly sinceMs: number } {
    const run = this.#runs.get(runId) ?? { looks: 0, sinceMs: performance.now() };
    this.#runs.set(runId, run);
    return run;
  }
}

/** A response that does not come from the server. */
export function createAnswer(fault: {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
}): Response {
  const { status, body } = fault;
  const headers = new Headers(fault.headers);
  if (body === undefined) return new Response(null, { status, headers });
  const isText = typeof body === 'string';
  if (!headers.has('content-type')) headers.set('Content-Type', isText ? 'text/html' : 'application/json');
  return new Response(isText ? body : JSON.stringify(body), { status, headers });
}

/** The response with another state for its run, or for each of its runs. */
export async function changeState(response: Response, state: string): Promise<Response> {
  let isChanged = false;
  const changed = await changeJson(response, (name, value) => {
    if (name !== 'state' || !runStates.some(known => known === value)) return value;
    isChanged = true;
    return state;
  });
  // Another state is another version. Otherwise a client that waits for changes would never see the true one.
  const etag = response.headers.get('etag');
  return isChanged && etag !== null
    ? changeResponse(changed, { headers: { ETag: etag.replace(/"$/, `-${state.length}"`) } })
    : changed;
}
