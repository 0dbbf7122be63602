/** Following with events: the stream says when to poll, and only the run says how it ended. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { AgentRuns, FollowTimeoutError, type Run, type RunEvent } from '../../../src/client/index.ts';
import { createTestServer } from '../../../src/testing/index.ts';
import { createHandClock } from '../../support/hand-clock.ts';
import { collect, createClient, createRun, failureOf, runId } from '../fixtures.ts';
import {
  type Arrived,
  allFeatures,
  answerEmpty,
  answerJson,
  answerProblem,
  type Reply,
  startScriptedServer,
} from '../scripted-server.ts';

const isEvents = (request: Arrived) => request.path.includes('/events');
const waits = (request: Arrived) => request.headers.prefer !== undefined;

/**
 * A run on a fake of this project's server, with a clock that the test moves. It holds long polls and streams
 * appended events.
 */
async function openRun() {
  const clock = createHandClock();
  const wakes = new Set<() => void>();
  const events: RunEvent[] = [];
  let run = createRun('QUEUED', { last_seq: 0 });
  let version = 1;
  const append = (type: string, data: object): void => {
    events.push({ seq: events.length + 1, at: 'now', type, data } as RunEvent);
    run = { ...run, last_seq: events.length };
    for (const wake of wakes) wake();
  };
  const move = (state: string): void => {
    run = { ...run, state };
    version += 1;
    append('state', { state });
  };
  const stream: Reply = response => {
    let sent = 0;
    response.writeHead(200, { 'Content-Type': 'text/event-stream', ...allFeatures });
    response.write(': open\n\n');
    const send = (): void => {
      for (const event of events.slice(sent)) response.write(`data: ${JSON.stringify(event)}\n\n`);
      sent = events.length;
      if (run.state === 'SUCCEEDED') response.end();
    };
    send();
    wakes.add(send);
    response.on('close', () => wakes.delete(send));
  };
  const look: Reply = async (response, request) => {
    const isKnown = () => request.headers['if-none-match'] === `"${version}"`;
    const seconds = Number(/wait=(\d+)/.exec(String(request.headers.prefer))?.[1] ?? 0);
    if (isKnown() && seconds > 0) {
      const moved = new Promise<void>(wake => wakes.add(() => isKnown() || wake()));
      await Promise.race([clock.sleep(seconds * 1000), moved]);
    }
    const headers = { ...allFeatures, ETag: `"${version}"` };
    await (isKnown() ? answerEmpty(304, headers) : answerJson(run, headers))(response, request);
  };
  let isDown = false;
  const answerLook: Reply = (response, request) =>
    (isDown ? answerProblem(503, 'resource_unavailable') : look)(response, request);
  const server = await startScriptedServer((response, request) =>
    (isEvents(request) ? stream : answerLook)(response, request),
  );
  const setDown = (down: boolean): void => {
    isDown = down;
  };
  move('QUEUED');
  /** Advances the clock second by second, with everything that each sets off. */
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      clock.advance(1000);
      for (let turns = 0; turns < 4; turns += 1) await setImmediate();
    }
  };
  return { server, clock, append, move, pass, setDown, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(wake => setTimeout(wake, 2));
}

test('a run of ten minutes is followed with its events in five requests', async () => {
  await using there = await openRun();
  const { client } = createClient(there.server.url, { clock: there.clock });
  const seen: unknown[] = [];
  const following = (async () => {
    const onEvent = ({ seq }: RunEvent): void => void seen.push(seq);
    for await (const { state } of client.runs.follow(runId, { onEvent })) seen.push(state);
  })();
  await until(() => seen.includes(1));
  await there.pass(1);
  there.move('INPROGRESS');
  await until(() => seen.includes('INPROGRESS'));
  for (let minute = 0; minute < 10; minute += 1) {
    await there.pass(59);
    there.append('log', { stream: 'stdout', text: 'a line\n' });
    await until(() => seen.includes(minute + 3));
  }
  there.move('SUCCEEDED');
  await following;
  expect(seen.filter(one => typeof one === 'number')).toEqual(Array.from({ length: 13 }, (_, index) => index + 1));
  expect(seen.slice(-2)).toEqual([13, 'SUCCEEDED']);
  // Two states and the end, the stream, and one regular look in between.
  expect(there.server.requests.filter(isEvents)).toHaveLength(1);
  expect(there.server.requests.filter(request => !isEvents(request))).toHaveLength(4);
});

test('a change that an event reports is read at once', async () => {
  await using there = await openRun();
  const { client } = createClient(there.server.url, { clock: there.clock });
  const seen: unknown[] = [];
  const onRun = ({ state }: Run): void => void seen.push(state);
  const following = client.runs.wait(runId, { onRun, onEvent: ({ seq }) => void seen.push(seq) });
  await until(() => seen.includes(1));
  there.move('INPROGRESS');
  await until(() => seen.includes('INPROGRESS'));
  there.move('SUCCEEDED');
  await following;
  expect(seen).toEqual(['QUEUED', 1, 2, 'INPROGRESS', 3, 'SUCCEEDED']);
});

test('events count as activity without extra polls, and a run without them stalls on time', async () => {
  await using there = await openRun();
  there.move('INPROGRESS');
  const { client } = createClient(there.server.url, { clock: there.clock });
  let last = 0;
  const onEvent = ({ seq }: RunEvent): void => {
    last = seq;
  };
  const following = failureOf(client.runs.wait(runId, { onEvent, stallTimeoutMs: 60_000 }));
  await until(() => last === 2);
  for (let events = 0; events < 8; events += 1) {
    await there.pass(30);
    there.append('log', { stream: 'stdout', text: 'a line\n' });
    await until(() => last === events + 3);
  }
  expect(there.server.requests.length).toBeLessThanOrEqual(2);
  const stalledFromMs = there.clock.monotonicMs();
  let error: unknown;
  void following.then(thrown => {
    error = thrown;
  });
  while (error === undefined && there.clock.monotonicMs() < stalledFromMs + 200_000) await there.pass(1);
  expect(error).toBeInstanceOf(FollowTimeoutError);
  expect(error).toMatchObject({ limit: 'stall', state: 'INPROGRESS' });
  expect(there.clock.monotonicMs() - stalledFromMs).toBeLessThan(75_000);
});

test('a failed poll is soon repeated, even if the stream is alive', async () => {
  await using there = await openRun();
  there.move('INPROGRESS');
  const { client } = createClient(there.server.url, { clock: there.clock });
  let last = 0;
  const onEvent = ({ seq }: RunEvent): void => {
    last = seq;
  };
  const following = client.runs.wait(runId, { onEvent });
  await until(() => last === 2);
  const looks = () => there.server.requests.filter(request => !isEvents(request)).length;
  const before = looks();
  there.setDown(true);
  while (looks() === before) await there.pass(1);
  await there.pass(30);
  expect(looks()).toBeGreaterThan(before + 1);
  there.setDown(false);
  there.move('SUCCEEDED');
  let isOver = false;
  void following.then(() => {
    isOver = true;
  });
  while (!isOver) await there.pass(1);
  expect((await following).state).toBe('SUCCEEDED');
});

test("a stream without the run's known events is trusted for at most a second", async () => {
  const clock = createHandClock();
  await using server = await startScriptedServer((response, request) =>
    (isEvents(request) ? holdStream([queued]) : able(createRun('QUEUED', { last_seq: 2 }), '"1"'))(response, request),
  );
  const { client } = createClient(server.url, { clock });
  const stopping = new AbortController();
  const following = failureOf(client.runs.wait(runId, { onEvent: () => {}, signal: stopping.signal }));
  while (!server.requests.some(waits) && clock.monotonicMs() < 30_000) {
    clock.advance(250);
    await new Promise(wake => setTimeout(wake, 25));
  }
  expect(server.requests.filter(waits)).toHaveLength(1);
  stopping.abort();
  await following;
});

/** Sends these events, then holds the connection. */
function holdStream(events: readonly (readonly [type: string, data: object])[]): Reply {
  return response => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', ...allFeatures });
    response.write(': open\n\n');
    for (const [index, [type, data]] of events.entries())
      response.write(`data: ${JSON.stringify({ seq: index + 1, at: 'now', type, data })}\n\n`);
  };
}

const queued = ['state', { state: 'QUEUED' }] as const;
const ended = ['state', { state: 'SUCCEEDED' }] as const;
const able = (run: Run, etag: string) => answerJson(run, { ...allFeatures, ETag: etag });

test('a final state in a stream is confirmed by the run, with retries if that lags', async () => {
  const looks = [able(createRun('QUEUED'), '"1"'), answerEmpty(304, allFeatures), able(createRun('SUCCEEDED'), '"2"')];
  await using server = await startScriptedServer((response, request) =>
    (isEvents(request) ? holdStream([queued, ended]) : (looks.shift() ?? answerEmpty(418)))(response, request),
  );
  const { client } = createClient(server.url);
  const states: string[] = [];
  const run = await client.runs.wait(runId, { onEvent: () => {}, onRun: ({ state }) => void states.push(state) });
  expect(run.state).toBe('SUCCEEDED');
  expect(states).toEqual(['QUEUED', 'SUCCEEDED']);
  expect(server.requests.filter(request => !isEvents(request)).map(waits)).toEqual([false, true, true]);
});

test.each<[string, Reply]>([
  ['that is refused', answerProblem(403, 'not_authorized', {}, allFeatures)],
  ['of a run that is said to be unknown', answerProblem(404, 'resource_not_found', {}, allFeatures)],
  ['of something else', answerJson({ ok: true }, allFeatures)],
  ['that says only comments', holdStream([])],
])('a stream %s does not change the polls', async (_name, stream) => {
  const looks = [
    able(createRun('QUEUED'), '"1"'),
    able(createRun('INPROGRESS'), '"2"'),
    able(createRun('SUCCEEDED'), '"3"'),
  ];
  await using server = await startScriptedServer((response, request) => {
    if (isEvents(request)) return stream(response, request);
    return (looks.shift() ?? answerEmpty(418))(response, request);
  });
  const { client } = createClient(server.url);
  const following = client.runs.follow(runId, { onEvent: () => {}, eventsGraceMs: 50 });
  expect((await collect(following)).map(({ state }) => state)).toEqual(['QUEUED', 'INPROGRESS', 'SUCCEEDED']);
});

test('a server without events is not asked for them, and onStatesOnly is called once', async () => {
  const script = ['QUEUED', 'INPROGRESS', 'SUCCEEDED'].map(state => answerJson(createRun(state)));
  await using server = await startScriptedServer(script);
  let told = 0;
  const onStatesOnly = (): void => {
    told += 1;
  };
  const { client } = createClient(server.url);
  expect((await client.runs.wait(runId, { onEvent: () => {}, onStatesOnly })).state).toBe('SUCCEEDED');
  expect(told).toBe(1);
  expect(server.requests.some(isEvents)).toBe(false);
});

test('an error from onStatesOnly, thrown or rejected, ends following', async () => {
  await using server = await startScriptedServer((response, request) =>
    (isEvents(request) ? answerProblem(404, 'resource_not_found') : answerJson(createRun('SUCCEEDED')))(
      response,
      request,
    ),
  );
  const { runs } = createClient(server.url).client;
  const fault = new Error('a fault of the caller');
  const onStatesOnly = async (): Promise<void> => {
    await setImmediate();
    throw fault;
  };
  expect(await failureOf(runs.wait(runId, { onEvent: () => {}, onStatesOnly }))).toBe(fault);
  expect(await failureOf(collect(runs.events(runId, { onStatesOnly })))).toBe(fault);
});

/** An ended run with its two events. */
const over: Reply = (response, request) =>
  (isEvents(request) ? holdStream([queued, ended]) : able(createRun('SUCCEEDED', { last_seq: 2 }), '"1"'))(
    response,
    request,
  );

test('onEvent gets one event at a time, and its error ends following', async () => {
  await using server = await startScriptedServer(over);
  const { client } = createClient(server.url);
  const steps: string[] = [];
  const onEvent = async ({ seq }: RunEvent): Promise<void> => {
    steps.push(`begin ${seq}`);
    await new Promise(wake => setTimeout(wake, 20));
    steps.push(`end ${seq}`);
  };
  await client.runs.wait(runId, { onEvent });
  expect(steps).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
  const fault = new Error('a fault of the caller');
  const failing = client.runs.wait(runId, {
    onEvent: () => {
      throw fault;
    },
  });
  expect(await failureOf(failing)).toBe(fault);
});

test('an error from onEvent ends following a run that still works', async () => {
  const fault = new Error('a fault of the caller');
  await using server = await startScriptedServer((response, request) =>
    (isEvents(request) ? holdStream([queued]) : able(createRun('QUEUED'), '"1"'))(response, request),
  );
  const following = createClient(server.url).client.runs.wait(runId, { onEvent: () => Promise.reject(fault) });
  expect(await failureOf(following)).toBe(fault);
});

test('the time of onEvent does not count as a delay of the last events', async () => {
  await using server = await createTestServer();
  const warnings: string[] = [];
  const client = new AgentRuns({
    baseUrl: server.baseUrl,
    apiKey: server.apiKey,
    logger: { warn: line => void warnings.push(line) },
  });
  const { run_id } = await client.runs.create({ prompt: '```sh\necho one; sleep 0.2; echo two\n```' });
  for (const _when of ['while it works', 'when it is over']) {
    const seqs: number[] = [];
    const onEvent = async ({ seq }: RunEvent) => {
      await new Promise(wake => setTimeout(wake, 250));
      seqs.push(seq);
    };
    const run = await client.runs.wait(run_id, { eventsGraceMs: 500, onEvent });
    expect(seqs).toEqual(Array.from({ length: run.last_seq ?? 0 }, (_, index) => index + 1));
  }
  expect(warnings).toEqual([]);
});

test('a missing event gives a warning, even if onEvent was slow with earlier ones', async () => {
  await using server = await startScriptedServer((response, request) =>
    (isEvents(request) ? holdStream([queued]) : able(createRun('FAILED', { last_seq: 2 }), '"1"'))(response, request),
  );
  const { client, lines } = createClient(server.url);
  const onEvent = () => new Promise<void>(wake => setTimeout(wake, 200));
  expect((await client.runs.wait(runId, { eventsGraceMs: 50, onEvent })).state).toBe('FAILED');
  expect(lines.filter(line => line.includes('not all of its events arrived in time'))).toHaveLength(1);
});

test('an onEvent that never settles delays the end until the signal aborts', async () => {
  await using server = await startScriptedServer(over);
  const { client } = createClient(server.url);
  const stopping = new AbortController();
  const given = Promise.withResolvers<void>();
  const onEvent = (): Promise<void> => {
    given.resolve();
    return new Promise(() => {});
  };
  let isBack = false;
  const following = client.runs.wait(runId, { onEvent, eventsGraceMs: 200, signal: stopping.signal }).finally(() => {
    isBack = true;
  });
  await given.promise;
  await new Promise(wake => setTimeout(wake, 500));
  expect(isBack).toBe(false);
  stopping.abort();
  expect((await following).state).toBe('SUCCEEDED');
});

const never = () => new Promise<void>(() => {});

test.each(['timeoutMs', 'runTimeoutMs', 'stallTimeoutMs'])(
  'an onEvent that never settles delays the end only by the grace after %s, with a warning',
  async name => {
    await using server = await startScriptedServer(over);
    const { client, lines } = createClient(server.url, { clock: systemClock });
    const beganMs = performance.now();
    const run = await client.runs.wait(runId, { [name]: 300, eventsGraceMs: 400, onEvent: never });
    expect(run.state).toBe('SUCCEEDED');
    expect(performance.now() - beganMs).toBeGreaterThan(600);
    expect(performance.now() - beganMs).toBeLessThan(15_000);
    expect(lines.filter(line => line.startsWith('warn'))).toEqual([
      expect.stringContaining('onEvent was too slow to receive all of its events'),
    ]);
  },
);

const blocked = ['state', { state: 'BLOCKED' }] as const;

test('an onEvent that waits for the BLOCKED run does not deadlock', async () => {
  const looks = [able(createRun('BLOCKED', { last_seq: 2 }), '"1"')];
  await using server = await startScriptedServer((response, request) => {
    if (isEvents(request)) return holdStream([queued, blocked, ended])(response, request);
    return (looks.shift() ?? able(createRun('SUCCEEDED', { last_seq: 3 }), '"2"'))(response, request);
  });
  const { client, lines } = createClient(server.url);
  const answered = Promise.withResolvers<void>();
  const seqs: number[] = [];
  const run = await client.runs.wait(runId, {
    eventsGraceMs: 600,
    onRun: ({ state }) => (state === 'BLOCKED' ? answered.resolve() : undefined),
    onEvent: async ({ seq }) => {
      await answered.promise;
      seqs.push(seq);
    },
  });
  expect(run.state).toBe('SUCCEEDED');
  expect(seqs).toEqual([1, 2, 3]);
  expect(lines.filter(line => line.startsWith('warn'))).toEqual([]);
});

test('an onEvent that never settles delays a BLOCKED run only until a time limit', async () => {
  await using server = await startScriptedServer((response, request) => {
    const isNew = request.headers['if-none-match'] === undefined;
    const look = isNew ? able(createRun('BLOCKED', { last_seq: 2 }), '"1"') : answerEmpty(304, allFeatures);
    return (isEvents(request) ? holdStream([queued, blocked]) : look)(response, request);
  });
  const { client } = createClient(server.url, { clock: systemClock });
  const beganMs = performance.now();
  const error = await failureOf(client.runs.wait(runId, { timeoutMs: 200, eventsGraceMs: 60_000, onEvent: never }));
  expect(error).toMatchObject({ name: 'FollowTimeoutError', state: 'BLOCKED' });
  expect(performance.now() - beganMs).toBeLessThan(15_000);
});

test('an abort while waiting for the last events does not discard the end', async () => {
  await using server = await startScriptedServer((response, request) =>
    (isEvents(request) ? holdStream([queued]) : able(createRun('FAILED', { last_seq: 2 }), '"1"'))(response, request),
  );
  const { client } = createClient(server.url);
  const stopping = new AbortController();
  const onEvent = (): void => stopping.abort();
  expect((await client.runs.wait(runId, { onEvent, signal: stopping.signal })).state).toBe('FAILED');
});

test('stopping early delivers no more events and closes the connection', async () => {
  let open = 0;
  await using server = await startScriptedServer((response, request) => {
    if (!isEvents(request)) return able(createRun('INPROGRESS'), '"1"')(response, request);
    open += 1;
    response.on('close', () => {
      open -= 1;
    });
    return holdStream([queued])(response, request);
  });
  const { client } = createClient(server.url);
  let count = 0;
  const onEvent = (): void => {
    count += 1;
  };
  for await (const _run of client.runs.follow(runId, { onEvent })) {
    await until(() => count === 1);
    break;
  }
  await until(() => open === 0);
  expect(count).toBe(1);
});

test.each([
  ['delivers nothing', { kind: 'silent-stream', times: 'all' }],
  ['is held back by a proxy', { kind: 'buffered-stream', times: 'all' }],
] as const)('all events of an ended run arrive from pages if its stream %s', async (_what, fault) => {
  await using server = await createTestServer({ faults: [fault] });
  const warnings: string[] = [];
  const note = (line: string) => void warnings.push(line);
  const client = new AgentRuns({
    baseUrl: server.baseUrl,
    apiKey: server.apiKey,
    logger: { warn: note, error: note },
  });
  const { run_id } = await client.runs.create({ prompt: '```sh\necho hello\n```' });
  const seqs: number[] = [];
  const run = await client.runs.wait(run_id, { eventsGraceMs: 800, onEvent: ({ seq }) => void seqs.push(seq) });
  expect(run.state).toBe('SUCCEEDED');
  expect(seqs).toEqual(Array.from({ length: run.last_seq ?? 0 }, (_, index) => index + 1));
  expect(warnings).toEqual([]);
});

test('missing events give a warning, and a slow onEvent still gets each event once', async () => {
  await using server = await createTestServer({ faults: [{ kind: 'hang', route: 'listEvents', times: 'all' }] });
  const warnings: string[] = [];
  const client = new AgentRuns({
    baseUrl: server.baseUrl,
    apiKey: server.apiKey,
    logger: { warn: line => void warnings.push(line) },
  });
  const { run_id } = await client.runs.create({ prompt: '```sh\necho hello\n```' });
  await client.runs.wait(run_id, { eventsGraceMs: 100, onEvent: () => {} });
  expect(warnings.join()).toContain('not all of its events arrived in time');
  server.setFaults([]);
  const seqs: number[] = [];
  const slow = async ({ seq }: RunEvent) => {
    seqs.push(seq);
    await new Promise(wake => setTimeout(wake, 60));
  };
  await client.runs.wait(run_id, { eventsGraceMs: 20, onEvent: slow });
  expect(new Set(seqs).size).toBe(seqs.length);
});
