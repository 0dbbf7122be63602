import { expect, test } from 'vitest';
import { AbortedError, AuthenticationError, ConnectionError, RunLostError } from '../../../src/client/index.ts';
import { collect, createClient, createRun, failureOf, runId } from '../fixtures.ts';
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

test('events arrive once and in order over long-poll pages, and end with the run', async () => {
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
    [0, 2, 2, 3].map(after => [`/agent/runs/${runId}/events?after=${after}`, after === 0 ? undefined : 'wait=25']),
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
])('%s between pages neither loses nor duplicates events', async (_name, trouble) => {
  await using server = await startScriptedServer([
    answerEvents([1, 2]),
    trouble,
    trouble,
    answerEvents([3], { done: true }),
  ]);
  expect(seqs(await collect(createClient(server.url).client.runs.events(runId)))).toEqual([1, 2, 3]);
});

test('a server that does not wait is not polled in a tight loop', async () => {
  await using server = await startScriptedServer([
    ...Array<Reply>(5).fill(answerEvents([])),
    answerEvents([1], { done: true }),
  ]);
  const { client, clock } = createClient(server.url);
  await collect(client.runs.events(runId));
  expect(Math.min(...clock.slept)).toBeGreaterThan(1500);
});

test('constant output is soon polled at most twice a second, and a full page is followed at once', async () => {
  const full = Array.from({ length: 1000 }, (_, index) => index + 1);
  await using server = await startScriptedServer([
    answerEvents(full),
    ...[1001, 1002, 1003, 1004].map(seq => answerEvents([seq])),
    answerEvents([1005], { done: true }),
  ]);
  const { client, clock } = createClient(server.url);
  expect(await collect(client.runs.events(runId))).toHaveLength(1005);
  expect(clock.slept).toHaveLength(1);
  expect(clock.slept[0]).toBeGreaterThan(400);
});

test.each([404, 405, 501])('a server without events (%i) gives one event per change of state', async status => {
  const missing = answerText(status, '404 page not found', { 'Content-Type': 'text/plain' });
  const script = [
    missing,
    ...Array<Reply>(2).fill(answerJson({ ...createRun('QUEUED'), status_message: null })),
    ...['INPROGRESS', 'INPROGRESS'].map(state =>
      answerJson({ ...createRun(state), status_message: { message: null } }),
    ),
    answerJson(createRun('FAILED', { status_message: { message: 'no such skill' } })),
  ];
  await using server = await startScriptedServer(script);
  let told = 0;
  const onStatesOnly = () => {
    told += 1;
  };
  const events = await collect(createClient(server.url).client.runs.events(runId, { onStatesOnly }));
  expect(events.map(({ seq, type, data }) => [seq, type, data])).toEqual([
    [0, 'state', { state: 'QUEUED' }],
    [0, 'state', { state: 'INPROGRESS' }],
    [0, 'state', { state: 'FAILED', message: 'no such skill' }],
  ]);
  expect(told).toBe(1);
});

test('a 404 from a proxy does not make the client give up events that the server has', async () => {
  await using server = await startScriptedServer([
    answerText(404, '<html>default backend</html>'),
    answerJson(createRun('INPROGRESS'), allFeatures),
    streamEvents([1], 'over'),
  ]);
  expect(seqs(await collect(createClient(server.url).client.runs.events(runId)))).toEqual([1, 2]);
});

/** A stream of the events with these numbers, then the given end. */
function streamEvents(numbers: readonly number[], end: 'over' | 'close' | 'break' | 'hold' = 'close'): Reply {
  return async response => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', ...allFeatures });
    response.write(': open\n\n');
    const print = (seq: number, type: string, data: object) =>
      response.write(`id: ${seq}\ndata: ${JSON.stringify({ seq, at: 'now', type, data })}\n\n`);
    for (const seq of numbers) print(seq, 'log', { stream: 'stdout', text: `${seq}` });
    if (end === 'over') print((numbers.at(-1) ?? 0) + 1, 'state', { state: 'SUCCEEDED' });
    if (end === 'break') await new Promise<void>(sent => response.write('id: 9', () => sent()));
    if (end === 'break') response.socket?.destroy();
    else if (end !== 'hold') response.end();
  };
}

test('a whole run is read over one connection', async () => {
  await using server = await startScriptedServer([streamEvents([1, 2, 3], 'over')]);
  expect(seqs(await collect(createClient(server.url).client.runs.events(runId)))).toEqual([1, 2, 3, 4]);
  expect(server.requests[0]?.headers.accept).toMatch(/^text\/event-stream/);
});

test.each(['close', 'break'] as const)('after a %s the stream is reopened after the last event', async end => {
  await using server = await startScriptedServer([
    streamEvents([1, 2], end),
    streamEvents([2, 3], end),
    reset,
    streamEvents([4], 'over'),
  ]);
  const { client, clock } = createClient(server.url);
  expect(seqs(await collect(client.runs.events(runId)))).toEqual([1, 2, 3, 4, 5]);
  expect(server.requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '2', '3', '3']);
  expect(Math.min(...clock.slept)).toBeGreaterThanOrEqual(250);
});

test('a stream without an event is followed by a check whether the run is over', async () => {
  await using server = await startScriptedServer([streamEvents([]), answerEvents([], { done: true })]);
  expect(await collect(createClient(server.url).client.runs.events(runId, { after: 7 }))).toEqual([]);
  expect(server.requests[1]?.headers).toMatchObject({ accept: 'application/json' });
  expect(server.requests[1]?.headers.prefer).toBeUndefined();
});

test('pages replace streams that repeatedly bring nothing', async () => {
  await using server = await startScriptedServer([
    streamEvents([1]),
    streamEvents([]),
    answerEvents([]),
    streamEvents([]),
    answerEvents([2]),
    answerEvents([3], { done: true }),
  ]);
  expect(seqs(await collect(createClient(server.url).client.runs.events(runId)))).toEqual([1, 2, 3]);
  expect(server.requests.slice(4).map(({ headers }) => headers.prefer)).toEqual(['wait=25', 'wait=25']);
});

test('pages replace a stream whose headers do not arrive', async () => {
  await using server = await startScriptedServer([hang, answerEvents([1], { done: true })]);
  const { client } = createClient(server.url, { timeoutMs: 100 });
  expect(seqs(await collect(client.runs.events(runId)))).toEqual([1]);
  expect(server.requests.map(({ headers }) => [headers.accept?.split(',')[0], headers.prefer])).toEqual([
    ['text/event-stream', undefined],
    ['application/json', 'wait=25'],
  ]);
});

test('a 404 after good answers does not mean a server without events', async () => {
  const gone = answerProblem(404, 'resource_not_found');
  await using server = await startScriptedServer([streamEvents([1]), gone, ...Array<Reply>(20).fill(gone)]);
  const error = await failureOf(collect(createClient(server.url).client.runs.events(runId)));
  expect(error).toBeInstanceOf(RunLostError);
  expect(server.requests.every(({ path }) => path.includes('/events'))).toBe(true);
});

test('stopping early closes the connection, and so does the signal', async () => {
  let open = 0;
  const counting: Reply = (response, request) => {
    open += 1;
    response.on('close', () => {
      open -= 1;
    });
    return streamEvents([1, 2], 'hold')(response, request);
  };
  await using server = await startScriptedServer(counting);
  const { client } = createClient(server.url);
  for await (const _event of client.runs.events(runId)) break;
  const reading = collect(client.runs.events(runId, { signal: AbortSignal.timeout(500) }));
  expect(await failureOf(reading)).toBeInstanceOf(AbortedError);
  await expect.poll(() => open).toBe(0);
  expect(server.requests).toHaveLength(2);
});

test.each([-1, 1.5, Number.NaN])('after: %d is refused before anything is sent', async after => {
  await using server = await startScriptedServer([]);
  expect(await failureOf(collect(createClient(server.url).client.runs.events(runId, { after })))).toMatchObject({
    name: 'ConfigurationError',
    message: expect.stringContaining(`after must be a whole number, 0 or more, not ${after}`),
  });
  expect(server.requests).toHaveLength(0);
});

test('an unknown run on a server with events is lost', async () => {
  await using server = await startScriptedServer(answerProblem(404, 'resource_not_found', {}, allFeatures));
  expect(await failureOf(collect(createClient(server.url).client.runs.events(runId)))).toBeInstanceOf(RunLostError);
});

test('a revoked key ends reading at once, five minutes of failures end it with their cause', async () => {
  await using revoked = await startScriptedServer([answerEvents([1]), answerProblem(401, 'authentication_required')]);
  expect(await failureOf(collect(createClient(revoked.url).client.runs.events(runId)))).toBeInstanceOf(
    AuthenticationError,
  );
  await using down = await startScriptedServer(answerProblem(503, 'x'));
  const { client, clock } = createClient(down.url);
  expect(await failureOf(collect(client.runs.events(runId)))).toBeInstanceOf(ConnectionError);
  expect(clock.monotonicMs()).toBeGreaterThanOrEqual(300_000);
});

test('the signal ends a long poll', async () => {
  await using server = await startScriptedServer([answerEvents([1]), hang]);
  const signal = AbortSignal.timeout(80);
  expect(await failureOf(collect(createClient(server.url).client.runs.events(runId, { signal })))).toBeInstanceOf(
    AbortedError,
  );
});

test('unknown event types of a newer server are passed on', async () => {
  const strange = { seq: 1, at: '2030-01-01T00:00:00.000Z', type: 'hologram', data: { x: 1 } };
  await using server = await startScriptedServer([
    answerJson({ events: [strange], next_after: 1, done: true }, allFeatures),
  ]);
  expect(await collect(createClient(server.url).client.runs.events(runId))).toEqual([strange]);
});

test('a page without "done" is not an answer, and is tolerated for a limited time', async () => {
  await using server = await startScriptedServer(answerJson({ events: [] }, allFeatures));
  const { client } = createClient(server.url);
  const error = await failureOf(collect(client.runs.events(runId, { toleranceMs: 2000 })));
  expect(error).toBeInstanceOf(ConnectionError);
});
