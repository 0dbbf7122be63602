import { expect, test } from 'vitest';
import {
  AbortedError,
  AuthenticationError,
  ConnectionError,
  FeatureUnavailableError,
  RunLostError,
} from '../../../src/client/index.ts';
import { collect, createClient, failureOf, runId } from '../fixtures.ts';
import {
  allFeatures,
  answerJson,
  answerProblem,
  answerText,
  hang,
  type Reply,
  reset,
  startScriptedServer,
} from '../scripted-server.ts';

function answerEvents(seqs: readonly number[], more: object = {}): Reply {
  const events = seqs.map(seq => ({
    seq,
    at: '2030-01-01T00:00:00.000Z',
    type: 'log',
    data: { stream: 'stdout', text: `${seq}` },
  }));
  return answerJson({ events, next_after: seqs.at(-1) ?? 0, done: false, ...more }, allFeatures);
}

const seqs = (events: readonly { readonly seq: number }[]) => events.map(({ seq }) => seq);

test('events come in order and once, over pages that wait, and end with the run', async () => {
  await using server = await startScriptedServer([
    answerEvents([1, 2]),
    answerEvents([]),
    answerEvents([2, 3]),
    answerEvents([4], { done: true }),
  ]);
  const events = await collect(createClient(server.url).client.runs.events(runId));
  expect(seqs(events)).toEqual([1, 2, 3, 4]);
  expect(events[0]).toMatchObject({ type: 'log', data: { text: '1' } });
  expect(server.requests.map(({ path, headers }) => [path, headers.prefer])).toEqual(
    [0, 2, 2, 3].map(after => [`/agent/runs/${runId}/events?after=${after}`, 'wait=25']),
  );
});

test('after resumes where an earlier reader stopped', async () => {
  await using server = await startScriptedServer([answerEvents([8, 9], { done: true })]);
  expect(seqs(await collect(createClient(server.url).client.runs.events(runId, { after: 8 })))).toEqual([9]);
  expect(server.requests[0]?.path).toContain('after=8');
});

test.each<[string, Reply]>([
  ['a reset', reset],
  ['503', answerProblem(503, 'x')],
  ['a page of a proxy', answerText(200, '<html>')],
  ['a 404 of a proxy', answerText(404, 'no such backend')],
  ['a document without events', answerJson({ ok: true })],
])('%s between pages loses and doubles nothing', async (_name, trouble) => {
  await using server = await startScriptedServer([
    answerEvents([1, 2]),
    trouble,
    trouble,
    answerEvents([3], { done: true }),
  ]);
  expect(seqs(await collect(createClient(server.url).client.runs.events(runId)))).toEqual([1, 2, 3]);
});

test('a server that does not wait is not asked in a hot loop', async () => {
  await using server = await startScriptedServer([
    ...Array<Reply>(5).fill(answerEvents([])),
    answerEvents([1], { done: true }),
  ]);
  const { client, clock } = createClient(server.url);
  await collect(client.runs.events(runId));
  expect(Math.min(...clock.slept)).toBeGreaterThan(1500);
});

test('an agent that prints all the time is asked at most twice a second, and a full page is followed at once', async () => {
  const full = Array.from({ length: 1000 }, (_, index) => index + 1);
  await using server = await startScriptedServer([
    answerEvents(full),
    answerEvents([1001]),
    answerEvents([1002], { done: true }),
  ]);
  const { client, clock } = createClient(server.url);
  expect(await collect(client.runs.events(runId))).toHaveLength(1002);
  expect(clock.slept).toHaveLength(1);
  expect(clock.slept[0]).toBeGreaterThan(400);
});

test.each([404, 405, 501])('a server without events (%i) is a FeatureUnavailableError at once', async status => {
  await using server = await startScriptedServer([
    answerText(status, '404 page not found', { 'Content-Type': 'text/plain' }),
  ]);
  const error = await failureOf(collect(createClient(server.url).client.runs.events(runId)));
  expect(error).toBeInstanceOf(FeatureUnavailableError);
  expect(error).toMatchObject({ feature: 'events' });
});

test('a run that a server with events does not know is lost', async () => {
  await using server = await startScriptedServer(answerProblem(404, 'resource_not_found', {}, allFeatures));
  expect(await failureOf(collect(createClient(server.url).client.runs.events(runId)))).toBeInstanceOf(RunLostError);
});

test('a revoked key ends it at once, five minutes of failures end it with their cause', async () => {
  await using revoked = await startScriptedServer([answerEvents([1]), answerProblem(401, 'authentication_required')]);
  expect(await failureOf(collect(createClient(revoked.url).client.runs.events(runId)))).toBeInstanceOf(
    AuthenticationError,
  );
  await using down = await startScriptedServer(answerProblem(503, 'x'));
  const { client, clock } = createClient(down.url);
  expect(await failureOf(collect(client.runs.events(runId)))).toBeInstanceOf(ConnectionError);
  expect(clock.monotonicMs()).toBeGreaterThanOrEqual(300_000);
});

test('the signal ends a page that waits', async () => {
  await using server = await startScriptedServer([answerEvents([1]), hang]);
  const signal = AbortSignal.timeout(80);
  expect(await failureOf(collect(createClient(server.url).client.runs.events(runId, { signal })))).toBeInstanceOf(
    AbortedError,
  );
});

test('types of event that a newer server sends pass through', async () => {
  const strange = { seq: 1, at: '2030-01-01T00:00:00.000Z', type: 'hologram', data: { x: 1 } };
  await using server = await startScriptedServer([
    answerJson({ events: [strange], next_after: 1, done: true }, allFeatures),
  ]);
  expect(await collect(createClient(server.url).client.runs.events(runId))).toEqual([strange]);
});
