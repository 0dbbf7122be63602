import { expect, test } from 'vitest';
import {
  AbortedError,
  ConnectionError,
  FollowTimeoutError,
  InternalServerError,
  PermissionDeniedError,
  type Run,
  RunLostError,
} from '../../../src/client/index.ts';
import { apiKey, collect, createClient, createRun, failureOf, runId } from '../fixtures.ts';
import {
  allFeatures,
  answerEmpty,
  answerJson,
  answerProblem,
  answerText,
  hang,
  type Reply,
  reset,
  startScriptedServer,
} from '../scripted-server.ts';

const queued = createRun('QUEUED');
const working = createRun('INPROGRESS', { started_at: '2030-01-01T00:00:01.000Z' });
const done = createRun('SUCCEEDED', { result: { text: 'fine', truncated: false } });

/** Answers like this project's server. */
const able = (run: Run, etag: string) => answerJson(run, { ...allFeatures, ETag: etag });
/** Answers like a server without features. */
const plain = (run: Run) => answerJson(run);
const unchanged = answerEmpty(304, allFeatures);
const states = (runs: readonly Run[]) => runs.map(run => run.state);

/** A held request that ends after `ms`, like a long poll. */
function after(ms: number, reply: Reply): Reply {
  return async (response, request) => {
    await new Promise(resolve => setTimeout(resolve, ms));
    await reply(response, request);
  };
}

test('a long poll may take longer than the limit of an attempt', async () => {
  await using server = await startScriptedServer([able(queued, '"1"'), after(900, able(done, '"2"'))]);
  const { client } = createClient(server.url, { timeoutMs: 500, totalTimeoutMs: 600 });
  expect((await client.runs.wait(runId)).state).toBe('SUCCEEDED');
  expect(server.requests).toHaveLength(2);
});

test('a server that announces wait but answers at once is polled plainly', async () => {
  const script = [able(queued, '"1"'), ...Array<Reply>(8).fill(unchanged), able(done, '"2"')];
  await using server = await startScriptedServer(script);
  const { client, clock } = createClient(server.url);
  await client.runs.wait(runId);
  const rests = clock.slept;
  expect(rests).toHaveLength(8);
  expect(Math.min(...rests)).toBeGreaterThan(1500);
  expect(rests.at(-1)).toBeGreaterThan(rests[0] ?? 0);
});

test('a server that ignores the condition and answers at once is polled plainly', async () => {
  await using server = await startScriptedServer([...Array<Reply>(5).fill(able(queued, '"1"')), able(done, '"2"')]);
  const { client, clock } = createClient(server.url);
  expect(states(await collect(client.runs.follow(runId)))).toEqual(['QUEUED', 'SUCCEEDED']);
  expect(Math.min(...clock.slept)).toBeGreaterThan(1500);
});

test('a short run is known at its end', async () => {
  await using server = await startScriptedServer([able(queued, '"1"'), able(working, '"2"'), able(done, '"3"')]);
  const { client, clock } = createClient(server.url);
  expect((await client.runs.wait(runId)).state).toBe('SUCCEEDED');
  expect(clock.slept).toEqual([]);
});

test('a run that changes at every poll is not polled without a pause', async () => {
  const script = [0, 1, 2, 3, 4, 5, 6].map(attempt => able({ ...working, attempt }, `"${attempt}"`));
  await using server = await startScriptedServer([...script, able(done, '"9"')]);
  const { client, clock } = createClient(server.url);
  expect(await collect(client.runs.follow(runId))).toHaveLength(8);
  expect(clock.slept).toHaveLength(3);
});

test('without wait, polls grow from 2 s to 15 s and restart with every change', async () => {
  await using server = await startScriptedServer([...Array<Reply>(9).fill(plain(queued)), plain(working), plain(done)]);
  const { client, clock } = createClient(server.url);
  expect(states(await collect(client.runs.follow(runId)))).toEqual(['QUEUED', 'INPROGRESS', 'SUCCEEDED']);
  const { slept } = clock;
  expect(slept[0]).toBeGreaterThanOrEqual(1600);
  expect(slept[0]).toBeLessThanOrEqual(2000);
  expect(slept[8]).toBeGreaterThanOrEqual(12_000);
  expect(Math.max(...slept)).toBeLessThanOrEqual(15_000);
  expect(slept[9]).toBeLessThanOrEqual(2000);
  expect(server.requests.every(({ headers }) => headers.prefer === undefined)).toBe(true);
});

test('an unknown state counts as running, is yielded unchanged and logged once', async () => {
  const paused = createRun('PAUSED_FOR_REVIEW');
  await using server = await startScriptedServer([
    plain(paused),
    plain(paused),
    plain({ ...paused, attempt: 2 }),
    plain(done),
  ]);
  const { client, lines } = createClient(server.url);
  expect(states(await collect(client.runs.follow(runId)))).toEqual([
    'PAUSED_FOR_REVIEW',
    'PAUSED_FOR_REVIEW',
    'SUCCEEDED',
  ]);
  expect(lines.filter(line => line.startsWith('warn') && line.includes('PAUSED_FOR_REVIEW'))).toHaveLength(1);
});

test.each(['SUCCEEDED', 'FAILED', 'ERROR', 'CANCELLED'])(
  'wait returns the run that ended %s and calls onRun for every change',
  async state => {
    await using server = await startScriptedServer([plain(queued), plain(working), plain(createRun(state))]);
    const seen: string[] = [];
    const run = await createClient(server.url).client.runs.wait(runId, {
      async onRun({ state: now }) {
        seen.push(now);
      },
    });
    expect(run.state).toBe(state);
    expect(seen).toEqual(['QUEUED', 'INPROGRESS', state]);
  },
);

test('failures are tolerated any number of times between good answers, with one warning each time', async () => {
  const script = [
    plain(queued),
    ...Array<Reply>(12).fill(reset),
    plain(working),
    ...Array<Reply>(12).fill(reset),
    plain(done),
  ];
  await using server = await startScriptedServer(script);
  const { client, lines } = createClient(server.url);
  expect(states(await collect(client.runs.follow(runId)))).toEqual(['QUEUED', 'INPROGRESS', 'SUCCEEDED']);
  expect(lines.filter(line => line.startsWith('warn'))).toHaveLength(2);
});

test('five minutes without a good answer end following, with the last failure as the cause', async () => {
  const down = answerProblem(503, 'resource_unavailable');
  await using server = await startScriptedServer((response, request) =>
    (server.requests.length <= 3 ? plain(queued) : down)(response, request),
  );
  const { client, clock } = createClient(server.url);
  const error = await failureOf(client.runs.wait(runId));
  expect(error).toBeInstanceOf(ConnectionError);
  expect((error as Error).cause).toBeInstanceOf(InternalServerError);
  expect((error as Error).message).toContain('no good answer for 300 s');
  expect(clock.monotonicMs()).toBeGreaterThan(300_000);
  expect(clock.monotonicMs()).toBeLessThan(330_000);
});

test("a proxy's page is tolerated for five minutes, and no longer", async () => {
  await using server = await startScriptedServer(answerText(403, '<html>blocked</html>'));
  const { client, clock } = createClient(server.url);
  const error = await failureOf(client.runs.wait(runId));
  expect(error).toBeInstanceOf(ConnectionError);
  expect((error as Error).cause).toBeInstanceOf(PermissionDeniedError);
  expect(clock.monotonicMs()).toBeGreaterThan(300_000);
  expect(clock.monotonicMs()).toBeLessThan(330_000);
});

test('hours that the caller takes between two runs do not count as a failure', async () => {
  await using server = await startScriptedServer([plain(queued), reset, plain(done)]);
  const { client, clock } = createClient(server.url);
  const run = await client.runs.wait(runId, {
    onRun: ({ state }) => (state === 'QUEUED' ? clock.sleep(10_000_000) : undefined),
  });
  expect(run.state).toBe('SUCCEEDED');
});

test('a warning about a poll contains nothing from the response', async () => {
  const cut: Reply = response => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end('{"prompt": "a very private prompt", "sta');
  };
  await using server = await startScriptedServer([plain(queued), cut, plain(done)]);
  const { client, lines } = createClient(server.url);
  await client.runs.wait(runId);
  expect(lines.find(line => line.startsWith('warn'))).toMatch(/has truncated or invalid JSON.*still following/);
  expect(lines.join('\n')).not.toContain('private');
});

test('a process that slept through a poll polls once more before it gives up', async () => {
  for (const trouble of [reset, answerProblem(404, 'resource_not_found')]) {
    const sleepy: Reply = async (response, request) => {
      await clock.sleep(30_000);
      await trouble(response, request);
    };
    await using server = await startScriptedServer([sleepy, plain(done)]);
    const { client, clock } = createClient(server.url);
    expect((await client.runs.wait(runId, { toleranceMs: 3000 })).state).toBe('SUCCEEDED');
  }
});

test('the error for a run that was never seen quotes the server, as the address may be wrong', async () => {
  const missing = answerProblem(404, 'resource_not_found', { detail: 'there is no address /api/api/v1/agent/runs' });
  await using server = await startScriptedServer(missing);
  const error = await failureOf(createClient(server.url).client.runs.wait(runId, { notFoundGraceMs: 0 }));
  expect((error as Error).message).toMatch(/is not known to the server: GET .*there is no address \/api\/api\/v1/);
});

test('a run that is gone after ten good polls is lost, with its last state', async () => {
  await using server = await startScriptedServer([
    ...Array<Reply>(10).fill(plain(working)),
    answerProblem(404, 'resource_not_found'),
  ]);
  const error = await failureOf(createClient(server.url).client.runs.wait(runId));
  expect(error).toBeInstanceOf(RunLostError);
  expect(error).toMatchObject({
    state: 'INPROGRESS',
    message: `run ${runId} is no longer known to the server; last state INPROGRESS`,
  });
});

test.each([
  [queued, 'queue'],
  [createRun('CLAIMED'), 'queue'],
  [working, 'run'],
  [createRun('BLOCKED'), 'run'],
] as const)('the error for timeoutMs names the last state and the phase', async (run, phase) => {
  await using server = await startScriptedServer(plain(run));
  const { client, clock } = createClient(server.url);
  const error = await failureOf(client.runs.wait(runId, { timeoutMs: 60_000 }));
  expect(error).toBeInstanceOf(FollowTimeoutError);
  expect(error).toMatchObject({ runId, timeoutMs: 60_000, state: run.state, phase });
  expect(clock.monotonicMs()).toBeCloseTo(60_000, 0);
});

test('queueTimeoutMs and runTimeoutMs each count from when the phase was first seen', async () => {
  const script = (response: Parameters<Reply>[0], request: Parameters<Reply>[1]) =>
    plain(clock.monotonicMs() < 50_000 ? queued : working)(response, request);
  await using server = await startScriptedServer(script);
  const { client, clock } = createClient(server.url);
  const error = await failureOf(client.runs.wait(runId, { queueTimeoutMs: 60_000, runTimeoutMs: 30_000 }));
  expect(error).toMatchObject({ name: 'FollowTimeoutError', limit: 'run', timeoutMs: 30_000, phase: 'run' });
  expect(clock.monotonicMs()).toBeGreaterThan(80_000);
  expect(clock.monotonicMs()).toBeLessThan(100_000);
});

test('queueTimeoutMs ends following whatever runTimeoutMs is', async () => {
  await using server = await startScriptedServer(plain(createRun('PENDING')));
  const { client, clock } = createClient(server.url);
  const error = await failureOf(client.runs.wait(runId, { queueTimeoutMs: 20_000, runTimeoutMs: 5_000 }));
  expect(error).toMatchObject({ limit: 'queue', phase: 'queue', state: 'PENDING' });
  expect((error as Error).message).toContain('was still queued after 20000 ms');
  expect(clock.monotonicMs()).toBeCloseTo(20_000, 0);
});

test('a follow-up that queues a run again restarts queueTimeoutMs', async () => {
  const states = ['QUEUED', 'QUEUED', 'INPROGRESS', 'BLOCKED', 'QUEUED', 'QUEUED', 'SUCCEEDED'];
  await using server = await startScriptedServer(states.map(state => plain(createRun(state))));
  const { client, clock } = createClient(server.url);
  expect((await client.runs.wait(runId, { queueTimeoutMs: 6_000 })).state).toBe('SUCCEEDED');
  expect(clock.monotonicMs()).toBeGreaterThan(10_000);
});

test.each([
  ['by its time', { updated_at: 'later' }],
  ['by its events', { last_seq: 1 }],
  ['by its attempts', { attempt: 1 }],
] as const)('a run that shows activity %s does not stall', async (_name, sign) => {
  let looks = 0;
  await using server = await startScriptedServer((response, request) => {
    looks += 1;
    const moved = Object.fromEntries(Object.keys(sign).map(name => [name, name === 'updated_at' ? `${looks}` : looks]));
    return plain(clock.monotonicMs() > 600_000 ? done : { ...working, ...moved })(response, request);
  });
  const { client, clock } = createClient(server.url);
  expect((await client.runs.wait(runId, { stallTimeoutMs: 30_000 })).state).toBe('SUCCEEDED');
});

test('a run without activity stalls, even with long polls', async () => {
  await using server = await startScriptedServer((response, request) =>
    (request.headers['if-none-match'] === '"1"' ? unchanged : able(working, '"1"'))(response, request),
  );
  const { client, clock } = createClient(server.url);
  const error = await failureOf(client.runs.wait(runId, { stallTimeoutMs: 120_000 }));
  expect(error).toMatchObject({ limit: 'stall', timeoutMs: 120_000, state: 'INPROGRESS' });
  expect((error as Error).message).toContain('has shown no activity for 120000 ms');
  expect(clock.monotonicMs()).toBeCloseTo(120_000, -3);
});

test('log lines alone count as activity', async () => {
  let seq = 0;
  await using server = await startScriptedServer((response, request) => {
    seq += 1;
    if (clock.monotonicMs() > 400_000) return able(done, '"2"')(response, request);
    const run = { ...working, last_seq: seq };
    return (request.headers['if-none-match'] === '"1"' ? unchanged : able(run, '"1"'))(response, request);
  });
  const { client, clock } = createClient(server.url);
  expect((await client.runs.wait(runId, { stallTimeoutMs: 60_000 })).state).toBe('SUCCEEDED');
});

test('a stalled run is found even if every other poll fails', async () => {
  let looks = 0;
  await using server = await startScriptedServer((response, request) => {
    looks += 1;
    return (looks % 2 === 0 ? answerProblem(500, 'internal_error') : plain(working))(response, request);
  });
  const { client, clock } = createClient(server.url);
  const error = await failureOf(client.runs.wait(runId, { stallTimeoutMs: 60_000, timeoutMs: 3_600_000 }));
  expect(error).toMatchObject({ limit: 'stall' });
  expect(clock.monotonicMs()).toBeLessThan(300_000);
});

test('a hostile state is harmless in errors, and no error contains the key', async () => {
  const hostile = `X\u001b[2J\n::error::hi ${apiKey} \u202e`;
  await using server = await startScriptedServer(plain(createRun(hostile)));
  const { client, lines } = createClient(server.url);
  const error = (await failureOf(client.runs.wait(runId, { timeoutMs: 10_000 }))) as FollowTimeoutError;
  for (const text of [error.message, error.state ?? '', ...lines]) {
    expect(text).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
    expect(text).not.toContain(apiKey);
  }
  expect(error.message).toContain('::error::hi ***');
});

test('a caller slower than the time limit still gets the success', async () => {
  await using server = await startScriptedServer([plain(working), plain(done)]);
  const { client, clock } = createClient(server.url);
  const run = await client.runs.wait(runId, {
    timeoutMs: 60_000,
    stallTimeoutMs: 60_000,
    onRun: ({ state }) => (state === 'INPROGRESS' ? clock.sleep(100_000) : undefined),
  });
  expect(run.state).toBe('SUCCEEDED');
});

test('notFoundGraceMs waits for a missing run no longer than toleranceMs', async () => {
  await using server = await startScriptedServer(answerProblem(404, 'resource_not_found'));
  const { client, clock } = createClient(server.url);
  const error = await failureOf(client.runs.wait(runId, { notFoundGraceMs: Number.POSITIVE_INFINITY }));
  expect(error).toBeInstanceOf(RunLostError);
  expect(clock.monotonicMs()).toBeLessThan(330_000);
});

test.each([
  ...['timeoutMs', 'queueTimeoutMs', 'runTimeoutMs', 'stallTimeoutMs', 'toleranceMs', 'eventsGraceMs'].map(
    name => [name, 0] as const,
  ),
  ['eventsGraceMs', -1],
  ['toleranceMs', Number.NaN],
  ['stallTimeoutMs', Number.NaN],
] as const)('%s of %d is refused before anything is sent', async (name, value) => {
  await using server = await startScriptedServer([]);
  expect(await failureOf(createClient(server.url).client.runs.wait(runId, { [name]: value }))).toMatchObject({
    name: 'ConfigurationError',
    message: expect.stringContaining(`${name} must be a number of milliseconds above 0, not ${value}`),
  });
  expect(server.requests).toHaveLength(0);
});

test('timeoutMs ends polls of a silent server within 2 s', async () => {
  // The shortest of several times, because other work only makes them longer.
  let tookMs = Number.POSITIVE_INFINITY;
  let error: unknown;
  for (let tries = 0; tries < 4 && tookMs > 3_400; tries += 1) {
    await using server = await startScriptedServer([able(queued, '"1"'), hang, hang]);
    const { client } = createClient(server.url);
    const began = performance.now();
    error = await failureOf(client.runs.wait(runId, { timeoutMs: 100 }));
    tookMs = Math.min(tookMs, performance.now() - began);
  }
  expect(error).toMatchObject({
    name: 'FollowTimeoutError',
    state: 'QUEUED',
    message: expect.stringContaining('waiting to start when last seen; every request since then has failed'),
  });
  expect(tookMs).toBeLessThan(3_400);
});

/** A process that was suspended for a minute during this wait. */
const slept =
  (clock: { sleep(ms: number): Promise<void> }, reply: Reply): Reply =>
  async (response, request) => {
    await clock.sleep(60_000);
    await reply(response, request);
  };

test.each<[string, readonly Reply[]]>([
  ['the last poll before it', [reset]],
  ['a poll that was answered', [unchanged]],
])('a process that slept past a limit, through %s, polls once more', async (_what, replies) => {
  await using server = await startScriptedServer((response, request) => {
    const at = server.requests.length - 1;
    const reply = at === 0 ? able(queued, '"1"') : replies[at - 1];
    return (at > 0 && reply !== undefined ? slept(clock, reply) : (reply ?? able(done, '"2"')))(response, request);
  });
  const { client, clock } = createClient(server.url);
  expect((await client.runs.wait(runId, { timeoutMs: 3000 })).state).toBe('SUCCEEDED');
  expect(server.requests).toHaveLength(replies.length + 2);
});

test('a last look that found the run open is not repeated, however long it took', async () => {
  await using server = await startScriptedServer((response, request) =>
    slept(clock, able(queued, '"1"'))(response, request),
  );
  const { client, clock } = createClient(server.url);
  expect(await failureOf(client.runs.wait(runId, { timeoutMs: 3000 }))).toBeInstanceOf(FollowTimeoutError);
  expect(server.requests).toHaveLength(2);
});

test('the error for a run that was never seen names no state', async () => {
  await using server = await startScriptedServer(answerProblem(503, 'resource_unavailable'));
  const error = await failureOf(createClient(server.url).client.runs.wait(runId, { timeoutMs: 20_000 }));
  expect(error).toMatchObject({
    name: 'FollowTimeoutError',
    state: undefined,
    phase: undefined,
    message: expect.stringContaining(`run ${runId} could not be read for 20000 ms: GET /agent/runs/${runId}: 503`),
    cause: { status: 503 },
  });
});

test('options that change after the call have no effect', async () => {
  await using server = await startScriptedServer(plain(queued));
  const { client } = createClient(server.url);
  const seen: string[] = [];
  const options = { timeoutMs: 20_000, onRun: (run: { state: string }) => void seen.push(run.state) };
  const waiting = failureOf(client.runs.wait(runId, options));
  const following = client.runs.follow(runId, options);
  Object.assign(options, { timeoutMs: 1, onRun: undefined });
  expect(await waiting).toMatchObject({ timeoutMs: 20_000 });
  expect(seen).toEqual(['QUEUED']);
  expect(
    await failureOf(
      (async () => {
        for await (const _ of following);
      })(),
    ),
  ).toMatchObject({ timeoutMs: 20_000 });
});

test('the signal ends following during a poll and between two', async () => {
  await using server = await startScriptedServer([plain(queued), hang]);
  const controller = new AbortController();
  const { client } = createClient(server.url);
  const following = client.runs.wait(runId, { signal: controller.signal });
  setTimeout(() => controller.abort(), 80);
  expect(await failureOf(following)).toBeInstanceOf(AbortedError);

  await using calm = await startScriptedServer(plain(queued));
  const between = new AbortController();
  const other = createClient(calm.url).client.runs.wait(runId, {
    signal: between.signal,
    onRun: () => between.abort(),
  });
  expect(await failureOf(other)).toBeInstanceOf(AbortedError);
  expect(calm.requests).toHaveLength(1);
});

test('stopping early ends the polls', async () => {
  await using server = await startScriptedServer(plain(queued));
  for await (const run of createClient(server.url).client.runs.follow(runId)) {
    expect(run.state).toBe('QUEUED');
    break;
  }
  await new Promise(resolve => setTimeout(resolve, 30));
  expect(server.requests).toHaveLength(1);
});
