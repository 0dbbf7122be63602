/** A `fetch` that answers creates and lists as test/vectors/create-settling.json says. */
import type { Fetch } from '../../src/client/options/options.ts';

export type ScriptedAnswer =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** A text, or a document that is sent as JSON. */
      readonly body?: unknown;
    }
  | { readonly fault: 'refused' | 'reset' | 'cut' }
  /** A list of runs, each with the members of the shared run that it does not replace. */
  | { readonly runs: readonly object[]; readonly page_info?: object };

/** An answer, or the name of a shared one. */
export type NamedAnswer = string | ScriptedAnswer;

export interface SharedAnswers {
  readonly answers: Readonly<Record<string, ScriptedAnswer>>;
  readonly run: object;
}

interface Script {
  /** The k-th create gets the k-th answer, and later ones the last. */
  readonly creates: readonly NamedAnswer[];
  readonly lists: readonly NamedAnswer[];
  readonly shared: SharedAnswers;
}

/** `sent` has the requests in short: method, `limit` and `cursor`, idempotency key. */
export function createScriptedFetch({ creates, lists, shared }: Script): { fetch: Fetch; sent: readonly string[] } {
  const sent: string[] = [];
  const left = { POST: [...creates], GET: [...lists] };
  const fetch: Fetch = async (url, { method, headers }) => {
    sent.push(describeRequest(new URL(url), String(method), new Headers(headers).get('idempotency-key')));
    const answers = left[method === 'POST' ? 'POST' : 'GET'];
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    const known = typeof answer === 'string' ? shared.answers[answer] : answer;
    if (known === undefined) throw new Error(`there is no answer ${JSON.stringify(answer)} to ${sent.at(-1)}`);
    return respond(known, shared.run);
  };
  return { fetch, sent };
}

function describeRequest({ pathname, searchParams }: URL, method: string, key: string | null): string {
  if (pathname !== '/api/v1/agent/runs') throw new Error(`no answer for ${pathname}`);
  const query = [...searchParams].filter(([name]) => ['limit', 'cursor'].includes(name)).map(pair => pair.join('='));
  return [method, ...query, ...(key === null ? [] : [key])].join(' ');
}

const listHeaders = { 'Content-Type': 'application/json', Date: 'Mon, 01 Jan 2029 00:01:00 GMT' };

/** Throws what Node's fetch throws. */
export function respond(answer: ScriptedAnswer, run: object = {}): Response {
  if ('runs' in answer) {
    const { runs, page_info = { has_next_page: false } } = answer;
    return Response.json({ runs: runs.map(own => ({ ...run, ...own })), page_info }, { headers: listHeaders });
  }
  if (!('fault' in answer)) {
    const { status, headers, body } = answer;
    if (typeof body === 'object') return Response.json(body, { status, ...(headers === undefined ? {} : { headers }) });
    // A text would add a content type.
    const bytes = body === undefined ? null : new TextEncoder().encode(String(body));
    return new Response(bytes, { status, headers: { ...headers } });
  }
  if (answer.fault === 'refused') throw failFetch({ code: 'ECONNREFUSED', syscall: 'connect' });
  if (answer.fault === 'reset') throw failFetch({ code: 'ECONNRESET', syscall: 'read' });
  const cut = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"run_id": "1", '));
      controller.error(failFetch({ code: 'UND_ERR_SOCKET' }));
    },
  });
  return new Response(cut, { headers: { 'Content-Type': 'application/json' } });
}

function failFetch(cause: object): TypeError {
  return new TypeError('fetch failed', { cause });
}
