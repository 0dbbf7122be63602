/** Requests to a server, each of whose answers is kept as it came. */
import { apiPrefix } from '../../src/contract/tables/routes.ts';
import { finalStates } from '../../src/contract/tables/state.ts';
import type { Visit } from './answer-check.ts';

export type Json = Readonly<Record<string, unknown>>;

interface RequestParts {
  /** A text is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Without the key. */
  readonly isOpen?: boolean;
}

export class RecordedRequests {
  readonly visits: Visit[] = [];
  readonly #key: string;
  url: string;

  constructor({ url, key }: { readonly url: string; readonly key: string }) {
    this.url = url;
    this.#key = key;
  }

  async record(method: string, path: string, response: Response): Promise<Visit> {
    const contentType = response.headers.get('Content-Type') ?? '';
    const text = await response.text();
    const body: unknown = /^application\/(\w+\+)?json/.test(contentType) ? JSON.parse(text) : undefined;
    const visit = { method, path, status: response.status, contentType, body };
    this.visits.push(visit);
    return visit;
  }

  /** `target` is a path with its query, or an address of the server. */
  async send(
    method: string,
    target: string,
    { body, headers = {}, isOpen = false }: RequestParts = {},
  ): Promise<Visit & { readonly etag: string }> {
    const address = new URL(target, this.url);
    const response = await fetch(address, {
      method,
      redirect: 'manual',
      headers: {
        ...(isOpen ? {} : { Authorization: `Bearer ${this.#key}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const visit = await this.record(method, pathBelowPrefix(address), response);
    return { ...visit, etag: response.headers.get('ETag') ?? '' };
  }

  /** The JSON of an answer below the prefix. */
  async call(method: string, target: string, parts?: RequestParts): Promise<Json> {
    return (await this.send(method, `${apiPrefix}${target}`, parts)).body as Json;
  }

  /** The id of a new run. */
  async start(body: object): Promise<string> {
    return String((await this.call('POST', '/agent/runs', { body })).run_id);
  }

  /** A run when it has one of the states, by requests that wait for a change. */
  async until(runId: unknown, ...states: readonly string[]): Promise<Json> {
    let etag = '';
    for (;;) {
      const headers = { Prefer: 'wait=20', ...(etag === '' ? {} : { 'If-None-Match': etag }) };
      const answer = await this.send('GET', `${apiPrefix}/agent/runs/${runId}`, { headers });
      etag = answer.etag;
      const run = (answer.body ?? {}) as Json;
      if (states.includes(String(run.state))) return run;
    }
  }

  ended(runId: unknown): Promise<Json> {
    return this.until(runId, ...finalStates);
  }
}

export function pathBelowPrefix({ pathname }: URL): string {
  return pathname.startsWith(apiPrefix) ? pathname.slice(apiPrefix.length) : pathname;
}
