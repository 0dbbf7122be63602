import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EventPage } from '../../../src/contract/events.ts';
import type { Run } from '../../../src/contract/run.ts';
import { isFinal } from '../../../src/contract/tables/state.ts';
import { createTestServer, type FaultPlan, type TestServer } from '../../../src/testing/index.ts';

interface Reached {
  readonly response: Response;
  readonly text: string;
  /** The error of the body. Undefined if it is complete. */
  readonly broken: Error | undefined;
  readonly headMs: number;
  readonly bodyMs: number;
}

describe.each(['over a port', 'in process'])('%s', way => {
  let server: TestServer;
  let runId: string;

  beforeAll(async () => {
    server = await createTestServer({ listen: way === 'over a port' });
    runId = await startRun('```sh\necho one\n```');
    while (!isFinal((await read<Run>(`/agent/runs/${runId}`)).state)) await new Promise(wake => setTimeout(wake, 50));
  });
  beforeEach(() => server.setFaults([]));
  afterAll(() => server.stop());

  /** Asks the server like any program. */
  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const reach = way === 'over a port' ? fetch : server.fetch;
    const headers = { Authorization: `Bearer ${server.apiKey}`, ...(init.headers as Record<string, string>) };
    return await reach(`${server.baseUrl}${path}`, { ...init, headers });
  }

  async function askTo(path = `/agent/runs/${runId}`, init: RequestInit = {}): Promise<Reached> {
    const began = performance.now();
    const response = await ask(path, init);
    const headMs = performance.now() - began;
    const decoder = new TextDecoder();
    let text = '';
    let broken: Error | undefined;
    try {
      for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
    } catch (error) {
      broken = error as Error;
    }
    return { response, text, broken, headMs, bodyMs: performance.now() - began };
  }

  async function read<T>(path: string, init: RequestInit = {}): Promise<T> {
    return (await (await ask(path, init)).json()) as T;
  }

  async function startRun(prompt: string, headers: Record<string, string> = {}): Promise<string> {
    const body = JSON.stringify({ prompt });
    const json = { 'Content-Type': 'application/json', ...headers };
    return (await read<Run>('/agent/runs', { method: 'POST', headers: json, body })).run_id;
  }

  async function countRuns(): Promise<number> {
    return (await read<{ runs: unknown[] }>('/agent/runs?limit=500')).runs.length;
  }

  async function failureOf(promise: Promise<unknown>): Promise<Error> {
    return await promise.then(
      () => Promise.reject(new Error('it did not fail')),
      (error: Error) => error,
    );
  }

  const stream = { headers: { Accept: 'text/event-stream' } };
  const brokenHead = { name: 'TypeError', message: 'fetch failed', cause: { code: 'ECONNRESET' } };
  const brokenBody = { name: 'TypeError', message: 'terminated', cause: { code: 'ECONNRESET' } };
  const setFaults = (...faults: FaultPlan) => server.setFaults(faults);

  test('a given response replaces the server’s, from the k-th matching request on', async () => {
    setFaults({
      kind: 'answer',
      route: 'readRun',
      nth: 2,
      times: 2,
      status: 503,
      headers: { 'Retry-After': '3' },
      body: '<h1>busy</h1>',
    });
    await askTo('/agent/runs');
    const answers = [await askTo(), await askTo(), await askTo(), await askTo()];
    expect(answers.map(({ response }) => response.status)).toEqual([200, 503, 503, 200]);
    expect(answers[1]?.text).toBe('<h1>busy</h1>');
    expect(answers[1]?.response.headers.get('retry-after')).toBe('3');
    expect(answers[1]?.response.headers.get('content-type')).toBe('text/html');
  });

  test('a given response may be JSON, a redirect or empty', async () => {
    setFaults(
      { kind: 'answer', status: 409, body: { retryable: true } },
      { kind: 'answer', nth: 2, status: 302, headers: { Location: 'https://login.example.com/' } },
      { kind: 'answer', nth: 3, status: 204 },
    );
    const conflict = await askTo();
    expect(conflict.response.headers.get('content-type')).toBe('application/json');
    expect(conflict.text).toBe('{"retryable":true}');
    expect((await askTo(undefined, { redirect: 'manual' })).response.status).toBe(302);
    expect((await askTo()).response.status).toBe(204);
  });

  test('a reset before the server sees the request has no effect there', async () => {
    const before = await countRuns();
    setFaults({ kind: 'reset', method: 'post' });
    expect(await failureOf(startRun('nothing'))).toMatchObject(brokenHead);
    expect(await countRuns()).toBe(before);
  });

  test('a lost response leaves the run behind', async () => {
    const before = await countRuns();
    setFaults({ kind: 'lost-answer', route: 'createRun' });
    expect(await failureOf(startRun('nothing'))).toMatchObject(brokenHead);
    expect(await countRuns()).toBe(before + 1);
  });

  test('a body is cut at a byte, and the part before arrives', async () => {
    const whole = await askTo();
    setFaults({ kind: 'cut-body', bytes: 10 }, { kind: 'cut-body', nth: 2 });
    const cut = await askTo();
    expect(cut.response.status).toBe(200);
    // Content-Length tells a caller that the body was cut.
    expect(cut.response.headers.get('content-length')).toBe(String(whole.text.length));
    expect(cut.text).toBe(`{"run_id":`);
    expect(cut.broken).toMatchObject(brokenBody);
    const half = await askTo();
    expect(half.broken).toMatchObject(brokenBody);
    expect(half.text.length).toBeGreaterThan(200);
  });

  test('a truncated body is a complete response', async () => {
    setFaults({ kind: 'truncate', bytes: 20 });
    const { text, broken } = await askTo();
    expect(text).toHaveLength(20);
    expect(broken).toBeUndefined();
  });

  test('an empty body keeps status and type', async () => {
    setFaults({ kind: 'empty-body' });
    const { response, text } = await askTo();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(text).toBe('');
  });

  test('a wrong type is sent with the right body', async () => {
    setFaults({ kind: 'wrong-type' }, { kind: 'wrong-type', nth: 2, type: 'text/plain' });
    const page = await askTo();
    expect(page.response.headers.get('content-type')).toBe('text/html');
    expect(JSON.parse(page.text)).toMatchObject({ run_id: runId });
    expect((await askTo()).response.headers.get('content-type')).toBe('text/plain');
  });

  test('a delay comes before or after the server acts', async () => {
    setFaults({ kind: 'delay', ms: 150 }, { kind: 'delay', nth: 2, ms: 150, when: 'after' });
    expect((await askTo()).headMs).toBeGreaterThan(140);
    expect((await askTo()).headMs).toBeGreaterThan(140);
    // Far more than a busy machine needs.
    setFaults({ kind: 'delay', nth: 2, ms: 60_000 }, { kind: 'delay', nth: 2, ms: 60_000, when: 'after' });
    expect((await askTo()).headMs).toBeLessThan(10_000);
  });

  test('a hanging request gets no response until the caller leaves, even if the server acted', async () => {
    const before = await countRuns();
    setFaults({ kind: 'hang', method: 'POST' }, { kind: 'hang', method: 'POST', nth: 2, when: 'after' });
    const post = () =>
      ask('/agent/runs', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"prompt":"nothing"}',
        signal: AbortSignal.timeout(500),
      });
    expect(await failureOf(post())).toMatchObject({ name: 'TimeoutError' });
    expect(await countRuns()).toBe(before);
    expect(await failureOf(post())).toMatchObject({ name: 'TimeoutError' });
    expect(await countRuns()).toBe(before + 1);
  });

  test('a slow body drips after its headers', async () => {
    const pieces = 4;
    const bytes = Math.ceil((await askTo()).text.length / pieces);
    setFaults({ kind: 'slow-body', bytes, ms: 100 });
    const { text, headMs, bodyMs } = await askTo();
    expect(JSON.parse(text)).toMatchObject({ run_id: runId });
    // Between the two on a machine of any speed.
    expect(bodyMs - headMs).toBeGreaterThan((pieces - 1) * 100 - 20);
  });

  test('an unknown state is another version of the run', async () => {
    const truth = await askTo();
    setFaults({ kind: 'unknown-state', state: 'NAPPING' });
    const strange = await askTo();
    expect(JSON.parse(strange.text)).toEqual({ ...JSON.parse(truth.text), state: 'NAPPING' });
    expect(strange.response.headers.get('etag')).not.toBe(truth.response.headers.get('etag'));
    expect((await askTo()).text).toBe(truth.text);
  });

  test('a deleted run is gone from that request on, and others are not', async () => {
    const other = await startRun('nothing');
    setFaults({ kind: 'deleted-run', route: 'readRun', nth: 2 });
    expect((await askTo()).response.status).toBe(200);
    for (const path of [`/agent/runs/${runId}`, `/agent/runs/${runId}/events`, `/agent/runs/${runId}`]) {
      const { response, text } = await askTo(path);
      expect(response.status).toBe(404);
      expect(JSON.parse(text)).toMatchObject({
        detail: `this server has no run "${runId}"`,
        instance: `/api/v1${path}`,
      });
    }
    expect((await askTo(`/agent/runs/${other}`)).response.status).toBe(200);
  });

  test('a stale replica does not find a run for some reads, or for some time after its create', async () => {
    setFaults({ kind: 'lagging-copy', looks: 2 });
    const looks = [await askTo(), await askTo(), await askTo()];
    expect(looks.map(({ response }) => response.status)).toEqual([404, 404, 200]);
    setFaults({ kind: 'lagging-copy', ms: 1000 });
    const fresh = `/agent/runs/${await startRun('nothing')}`;
    expect((await askTo(fresh)).response.status).toBe(404);
    await expect.poll(async () => (await askTo(fresh)).response.status).toBe(200);
  });

  test('a clock that is ahead shows in Date, in every time and in filters by time', async () => {
    const truth = await read<Run>(`/agent/runs/${runId}`);
    const events = await read<EventPage>(`/agent/runs/${runId}/events`);
    const hourMs = 3_600_000;
    setFaults({ kind: 'clock-skew', ms: hourMs });
    const { response, text } = await askTo();
    expect(Date.parse(response.headers.get('date') ?? '') - Date.now()).toBeGreaterThan(hourMs - 5_000);
    const skewed = JSON.parse(text) as Run;
    for (const name of ['created_at', 'started_at', 'finished_at'] as const)
      expect(Date.parse(skewed[name] ?? '') - Date.parse(truth[name] ?? '')).toBe(hourMs);
    const after = await read<{ runs: Run[] }>(`/agent/runs?created_after=${skewed.created_at}&limit=500`);
    expect(after.runs.map(run => run.run_id)).toContain(runId);
    const later = new Date(Date.parse(skewed.created_at) + hourMs).toISOString();
    expect((await read<{ runs: Run[] }>(`/agent/runs?created_after=${later}`)).runs).toEqual([]);
    const streamed = (await askTo(`/agent/runs/${runId}/events`, stream)).text;
    expect(streamed).toContain(new Date(Date.parse(events.events[0]?.at ?? '') + hourMs).toISOString());
  });

  test('a disabled feature is neither announced nor available', async () => {
    const off = { 'Idempotency-Key': 'the-same' };
    const first = await startRun('nothing', off);
    expect(await startRun('nothing', off)).toBe(first);
    setFaults({ kind: 'feature-off', feature: 'idempotency' });
    expect(await startRun('nothing', off)).not.toBe(first);
    expect((await askTo()).response.headers.get('agent-run-features')).toBe('wait, events, lease, result');

    const etag = (await askTo()).response.headers.get('etag') ?? '';
    setFaults({ kind: 'feature-off', feature: 'wait' });
    const asked = await askTo(undefined, { headers: { 'If-None-Match': etag, Prefer: 'wait=1' } });
    expect(asked.response.status).toBe(200);
    expect(asked.response.headers.get('etag')).toBeNull();

    setFaults({ kind: 'feature-off', feature: 'all' });
    const bare = await askTo(`/agent/runs/${runId}/events`);
    expect(bare.response.status).toBe(404);
    expect(bare.response.headers.get('agent-run-features')).toBeNull();
    expect(JSON.parse(bare.text)).toMatchObject({ detail: `no route matches /api/v1/agent/runs/${runId}/events` });
    expect((await askTo(`/agent/runs/${runId}/result`)).response.status).toBe(404);
    const lease = { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: '{"lease_seconds": 60}' };
    expect((await askTo(`/agent/runs/${runId}/lease`, lease)).response.status).toBe(404);
    const body = '{"prompt":"```sh\\nsleep 5\\n```","lease_seconds":60}';
    const { run_id } = await read<Run>('/agent/runs', { ...lease, method: 'POST', body });
    expect(await read<Run>(`/agent/runs/${run_id}`)).not.toHaveProperty('lease_expires_at');
  });

  test('an event stream breaks after a number of whole events', async () => {
    setFaults({ kind: 'break-stream', events: 2 });
    const events = `/agent/runs/${runId}/events`;
    expect((await askTo(events)).text).toContain('"done":true');
    const { text, broken } = await askTo(events, stream);
    expect([...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data).seq)).toEqual([1, 2]);
    expect(broken).toMatchObject(brokenBody);
    setFaults({ kind: 'break-stream', events: 0 }, { kind: 'break-stream', nth: 2, events: 1_000 });
    expect(await askTo(events, stream)).toMatchObject({
      text: expect.not.stringContaining('data:'),
      broken: brokenBody,
    });
    expect(await askTo(events, stream)).toMatchObject({
      text: expect.stringContaining('SUCCEEDED'),
      broken: undefined,
    });
  });

  test('an event stream breaks without waiting for the next event', async () => {
    const going = await startRun('```sh\necho one; sleep 60\n```');
    setFaults({ kind: 'break-stream', events: 1 });
    const { broken, bodyMs } = await askTo(`/agent/runs/${going}/events`, stream);
    expect(broken).toMatchObject(brokenBody);
    expect(bodyMs).toBeLessThan(15_000);
  });

  test('an event stream is silent after its headers', async () => {
    setFaults({ kind: 'silent-stream' });
    const { response, text, broken } = await askTo(`/agent/runs/${runId}/events`, {
      ...stream,
      signal: AbortSignal.timeout(500),
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(text).toBe('');
    expect(broken).toMatchObject({ name: 'TimeoutError' });
  });

  test('an event stream buffered by a proxy arrives when it has ended', async () => {
    const slow = await startRun('```sh\necho one; sleep 1; echo two\n```');
    setFaults({ kind: 'buffered-stream' });
    const { text, headMs } = await askTo(`/agent/runs/${slow}/events`, stream);
    expect(headMs).toBeGreaterThan(400);
    expect(text).toContain('SUCCEEDED');
  });

  test('an HTML page replaces an event stream, and JSON responses continue', async () => {
    setFaults({ kind: 'answer', stream: true, status: 200, body: '<h1>log in</h1>' });
    expect((await askTo(`/agent/runs/${runId}/events`)).text).toContain('"done":true');
    expect((await askTo(`/agent/runs/${runId}/events`, stream)).text).toBe('<h1>log in</h1>');
  });

  test('several faults of one request all act, and each is recorded', async () => {
    const before = server.faultsMet.length;
    setFaults(
      { kind: 'cut-body', bytes: 5, path: '/agent/*/' },
      { kind: 'delay', ms: 100 },
      { kind: 'cut-body', bytes: 5, path: '/agent/runs/*' },
      { kind: 'answer', status: 502, body: 'bad gateway' },
    );
    const { response, text, broken, headMs } = await askTo();
    expect([response.status, text, broken?.message]).toEqual([502, 'bad g', 'terminated']);
    expect(headMs).toBeGreaterThan(90);
    const path = `/agent/runs/${runId}`;
    expect(server.faultsMet.slice(before)).toEqual([
      { fault: 3, kind: 'answer', method: 'GET', path },
      { fault: 2, kind: 'cut-body', method: 'GET', path },
      { fault: 1, kind: 'delay', method: 'GET', path },
    ]);
  });
});
