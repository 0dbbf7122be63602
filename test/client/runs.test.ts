import { expect, test } from 'vitest';
import {
  AgentRuns,
  BadRequestError,
  ConnectionError,
  FeatureUnavailableError,
  NotFoundError,
  type Run,
  UnexpectedResponseError,
} from '../../src/client/index.ts';
import { createTestServer } from '../../src/testing/index.ts';
import { createClient, createRun, failureOf, runId } from './fixtures.ts';
import {
  allFeatures,
  answerEmpty,
  answerJson,
  answerProblem,
  answerText,
  reset,
  startScriptedServer,
} from './scripted-server.ts';
import { createSkippingClock } from './skipping-clock.ts';

test('cancel sends no body, returns the id and is retried', async () => {
  await using server = await startScriptedServer([
    reset,
    answerProblem(409, 'conflict', { retryable: true }),
    answerJson(runId),
  ]);
  expect(await createClient(server.url).client.runs.cancel(runId)).toBe(runId);
  expect(server.requests.map(({ method, path, body }) => `${method} ${path} ${body}`)).toEqual(
    Array(3).fill(`POST /agent/runs/${runId}/cancel `),
  );
});

test('"already over" is a success if the lost attempt canceled the run', async () => {
  const over = answerProblem(400, 'invalid_request', { detail: 'the run is over' });
  await using cancelled = await startScriptedServer([reset, over, answerJson(createRun('CANCELLED'))]);
  expect(await createClient(cancelled.url).client.runs.cancel(runId)).toBe(runId);
  await using succeeded = await startScriptedServer([reset, over, answerJson(createRun('SUCCEEDED'))]);
  expect(await failureOf(createClient(succeeded.url).client.runs.cancel(runId))).toBeInstanceOf(BadRequestError);
  await using first = await startScriptedServer([over, answerJson(createRun('CANCELLED'))]);
  expect(await failureOf(createClient(first.url).client.runs.cancel(runId))).toBeInstanceOf(BadRequestError);
});

test('a lease is renewed in seconds', async () => {
  const lease = { lease_expires_at: '2030-01-01T00:05:00.000Z' };
  await using server = await startScriptedServer([answerProblem(503, 'x'), answerJson(lease)]);
  expect(await createClient(server.url).client.runs.renewLease(runId, 300)).toEqual(lease);
  expect(server.requests[1]).toMatchObject({
    method: 'PUT',
    path: `/agent/runs/${runId}/lease`,
    body: '{"lease_seconds":300}',
  });
});

test('a lease is released without a body, and again after a lost response', async () => {
  await using server = await startScriptedServer([reset, answerJson({}), answerJson({})]);
  const { runs } = createClient(server.url).client;
  expect(await runs.releaseLease(runId)).toBeUndefined();
  expect(await runs.releaseLease(runId)).toBeUndefined();
  expect(server.requests.map(({ method, path, body }) => `${method} ${path} ${body}`)).toEqual(
    Array(3).fill(`DELETE /agent/runs/${runId}/lease `),
  );
});

test('a result is its whole text, byte for byte', async () => {
  const text = '  \r\n{"not": "parsed"}\n\ttab \u{1f600}\n\n';
  await using server = await startScriptedServer([
    answerText(200, text, { ...allFeatures, 'Content-Type': 'text/plain;charset=UTF-8' }),
    answerText(200, '<html>'),
  ]);
  const { client } = createClient(server.url);
  expect(await client.runs.result(runId)).toBe(text);
  expect(server.requests[0]?.headers.accept).toBe('text/plain');
  expect(await failureOf(client.runs.result(runId))).toBeInstanceOf(UnexpectedResponseError);
});

test('a truncated result is retried, never returned as the whole', async () => {
  await using server = await createTestServer({ faults: [{ kind: 'truncate', bytes: 1000, route: 'readResult' }] });
  const clock = createSkippingClock();
  const client = new AgentRuns({ baseUrl: server.baseUrl, apiKey: server.apiKey, clock });
  const { run_id } = await client.runs.create({ prompt: '```sh\nseq -s ü 1 30000\n```' });
  await client.runs.wait(run_id);
  const whole = await client.runs.result(run_id);
  expect(whole.length).toBeGreaterThan(60_000);
  for (const bytes of [0, 1000]) {
    server.setFaults([{ kind: 'truncate', bytes, route: 'readResult', times: 'all' }]);
    expect(await failureOf(client.runs.result(run_id))).toMatchObject({ name: 'UnexpectedResponseError', cut: true });
  }
});

test('plain text from another service is not a result', async () => {
  await using server = await startScriptedServer([
    answerText(200, 'Down for maintenance', { 'Content-Type': 'text/plain' }),
  ]);
  const error = await failureOf(createClient(server.url).client.runs.result(runId));
  expect(error).toBeInstanceOf(UnexpectedResponseError);
  expect((error as Error).message).toContain('Down for maintenance');
});

test('an answer about another run is rejected', async () => {
  const text = { text: 'of another run', truncated: false };
  const other = (state: string) => answerJson(createRun(state, { run_id: 'another-run', result: text }));
  const over = answerProblem(400, 'invalid_request', { detail: 'the run is over' });
  await using server = await startScriptedServer([
    answerProblem(404, 'x'),
    other('SUCCEEDED'),
    answerJson('another-run'),
    reset,
    over,
    other('CANCELLED'),
    answerJson(runId.toUpperCase()),
  ]);
  const { client } = createClient(server.url);
  for (const ask of ['result', 'cancel', 'cancel'] as const)
    expect(await failureOf(client.runs[ask](runId))).toBeInstanceOf(UnexpectedResponseError);
  expect(await client.runs.cancel(runId)).toBe(runId.toUpperCase());
  expect(server.requests).toHaveLength(7);
});

test.each([404, 405, 501])('a %i is a missing feature unless the server announces it', async status => {
  const reply = answerProblem(status, 'x');
  await using lacking = await startScriptedServer([reply, answerJson(createRun('FAILED')), reply, reply]);
  const { client } = createClient(lacking.url);
  expect(await failureOf(client.runs.result(runId))).toMatchObject({
    name: 'FeatureUnavailableError',
    feature: 'result',
  });
  expect(await failureOf(client.runs.renewLease(runId, 60))).toMatchObject({
    name: 'FeatureUnavailableError',
    feature: 'lease',
  });
  expect(await failureOf(client.runs.releaseLease(runId))).toMatchObject({
    name: 'FeatureUnavailableError',
    feature: 'lease',
  });
  await using able = await startScriptedServer([answerProblem(status, 'x', {}, allFeatures)]);
  expect(await failureOf(createClient(able.url).client.runs.result(runId))).not.toBeInstanceOf(FeatureUnavailableError);
});

test('a run without a result on a server with full results gives no_result', async () => {
  await using server = await startScriptedServer([answerProblem(404, 'no_result', {}, allFeatures)]);
  const error = await failureOf(createClient(server.url).client.runs.result(runId));
  expect(error).toMatchObject({ name: 'NotFoundError', code: 'no_result' });
  expect(server.requests).toHaveLength(1);
});

test("a proxy's 404 for the result is retried on a server that announces results", async () => {
  const part = createRun('SUCCEEDED', { result: { text: 'the first', truncated: true } });
  await using server = await startScriptedServer([
    answerText(404, '<h1>Not found</h1>'),
    answerJson(part, allFeatures),
  ]);
  const error = await failureOf(createClient(server.url).client.runs.result(runId));
  expect(error).toMatchObject({ name: 'NotFoundError', isProxyResponse: true });
});

test("on a server without full results the run's own result is returned unless it is partial", async () => {
  const missing = answerProblem(404, 'resource_not_found');
  const withResult = (result: Run['result']) => answerJson(createRun('SUCCEEDED', { result }));
  await using server = await startScriptedServer([
    missing,
    withResult({ text: 'all of it', truncated: false }),
    missing,
    withResult({ text: 'the first', truncated: true }),
    missing,
    answerJson(createRun('INPROGRESS')),
    missing,
    withResult(null as never),
    missing,
    withResult({ text: null } as never),
    missing,
    withResult('words' as never),
    missing,
    missing,
  ]);
  const { runs } = createClient(server.url).client;
  expect(await runs.result(runId)).toBe('all of it');
  const cut = (await failureOf(runs.result(runId))) as Error;
  expect(cut).toBeInstanceOf(FeatureUnavailableError);
  expect(cut.message).toBe('this server does not offer "result", and the run itself has only the first part of it');
  for (let times = 0; times < 4; times += 1)
    expect(await failureOf(runs.result(runId))).toMatchObject({
      name: 'FeatureUnavailableError',
      message: expect.stringMatching(/has no result$/),
    });
  expect(await failureOf(runs.result(runId))).toBeInstanceOf(NotFoundError);
});

test('the reason of a cancel is its body, in retries too', async () => {
  await using server = await startScriptedServer([reset, answerJson(runId)]);
  const { runs } = createClient(server.url).client;
  expect(await runs.cancel(runId, { reason: 'superseded', headers: { 'X-A': 'b' } })).toBe(runId);
  for (const request of server.requests)
    expect(request).toMatchObject({ body: '{"reason":"superseded"}', headers: { 'x-a': 'b' } });
  expect(server.requests).toHaveLength(2);
});

test('a follow-up sends its message, and is retried after a lost response only with a key', async () => {
  await using server = await startScriptedServer([answerJson({}), answerJson({}), reset, reset, answerJson({ a: 1 })]);
  const { runs } = createClient(server.url).client;
  expect(await runs.followup(runId, { message: 'yes', mode: 'plan' })).toEqual({});
  expect(await runs.followup(runId, { message: 'yes' })).toEqual({});
  expect(await failureOf(runs.followup(runId, { message: 'yes' }))).toBeInstanceOf(ConnectionError);
  expect(await runs.followup(runId, { message: 'yes' }, { idempotencyKey: 'key-1' })).toEqual({ a: 1 });
  expect(server.requests[0]).toMatchObject({
    method: 'POST',
    path: `/agent/runs/${runId}/followups`,
    body: '{"message":"yes","mode":"plan"}',
  });
  expect(server.requests[4]?.headers).toMatchObject({ 'idempotency-key': 'key-1', 'x-retry-count': '1' });
});

test.each<[string, (client: AgentRuns) => PromiseLike<unknown>]>([
  ['a follow-up', c => c.runs.followup(runId, { message: 'yes' })],
  ['letting go of a lease', c => c.runs.releaseLease(runId)],
])('%s was not accepted if a page, a text or nothing answers', async (_name, call) => {
  const html = { 'Content-Type': 'text/html' };
  for (const reply of [
    answerText(200, '<html>Please log in', html),
    answerText(200, 'OK'),
    answerEmpty(200),
    answerEmpty(204),
  ]) {
    await using server = await startScriptedServer(reply);
    expect(await failureOf(call(createClient(server.url).client))).toBeInstanceOf(UnexpectedResponseError);
  }
});

test('an unknown run gives NotFoundError', async () => {
  await using server = await startScriptedServer([answerProblem(404, 'resource_not_found')]);
  expect(await failureOf(createClient(server.url).client.runs.retrieve(runId))).toBeInstanceOf(NotFoundError);
});

test.each(['', '.', '..', 'a/b', '../x'])('the run id %j rejects before anything is sent', async id => {
  await using server = await startScriptedServer([]);
  const { runs } = createClient(server.url).client;
  for (const call of [
    runs.retrieve(id),
    runs.cancel(id),
    runs.result(id),
    runs.renewLease(id, 60),
    runs.releaseLease(id),
    runs.wait(id),
  ])
    expect(await failureOf(call)).toMatchObject({ name: 'ConfigurationError' });
  expect(server.requests).toHaveLength(0);
});
