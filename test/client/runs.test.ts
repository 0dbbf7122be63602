import { expect, test } from 'vitest';
import {
  BadRequestError,
  FeatureUnavailableError,
  NotFoundError,
  UnexpectedResponseError,
} from '../../src/client/index.ts';
import { createClient, createRun, failureOf, runId } from './fixtures.ts';
import { allFeatures, answerJson, answerProblem, answerText, reset, startScriptedServer } from './scripted-server.ts';

test('cancel sends no body and gives the id; it is repeated, for twice does what once does', async () => {
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

test('"already over" is a success where the lost attempt is what cancelled the run', async () => {
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

test('a result is its whole text, byte for byte', async () => {
  const text = '  \r\n{"not": "parsed"}\n\ttab \u{1f600}\n\n';
  await using server = await startScriptedServer([
    answerText(200, text, { 'Content-Type': 'text/plain;charset=UTF-8' }),
    answerText(200, '<html>'),
  ]);
  const { client } = createClient(server.url);
  expect(await client.runs.result(runId)).toBe(text);
  expect(server.requests[0]?.headers.accept).toBe('text/plain');
  expect(await failureOf(client.runs.result(runId))).toBeInstanceOf(UnexpectedResponseError);
});

test.each([404, 405, 501])('a %i is a feature that the server lacks, unless it announces it', async status => {
  const reply = answerProblem(status, 'x');
  await using lacking = await startScriptedServer([reply, reply]);
  const { client } = createClient(lacking.url);
  expect(await failureOf(client.runs.result(runId))).toMatchObject({
    name: 'FeatureUnavailableError',
    feature: 'result',
  });
  expect(await failureOf(client.runs.renewLease(runId, 60))).toMatchObject({
    name: 'FeatureUnavailableError',
    feature: 'lease',
  });
  await using able = await startScriptedServer([answerProblem(status, 'x', {}, allFeatures)]);
  expect(await failureOf(createClient(able.url).client.runs.result(runId))).not.toBeInstanceOf(FeatureUnavailableError);
});

test('a run that is not there is a NotFoundError', async () => {
  await using server = await startScriptedServer([answerProblem(404, 'resource_not_found')]);
  expect(await failureOf(createClient(server.url).client.runs.retrieve(runId))).toBeInstanceOf(NotFoundError);
});

test.each(['', '.', '..'])('the run id %j is refused before anything is sent, as a rejection', async id => {
  await using server = await startScriptedServer([]);
  const { runs } = createClient(server.url).client;
  for (const call of [runs.retrieve(id), runs.cancel(id), runs.result(id), runs.renewLease(id, 60), runs.wait(id)])
    expect(await failureOf(call)).toMatchObject({ name: 'ConfigurationError' });
  expect(server.requests).toHaveLength(0);
});
