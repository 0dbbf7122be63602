import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AgentRuns } from '../../../src/client/index.ts';
import { createTestServer, FaultPlanError, type TestServer, withFaults } from '../../../src/testing/index.ts';
import { findSleeps } from '../../support/processes.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

/** A folder for temporary files of one test. */
function ownTempFolder(): string {
  const folder = createTempFolder();
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  return folder;
}

function clientOf({ baseUrl, apiKey, fetch }: TestServer): AgentRuns {
  return new AgentRuns({ baseUrl, apiKey, fetch, logLevel: 'off' });
}

test('a client meets the planned faults, over a port and in process', async () => {
  await using server = await createTestServer({
    faults: [{ kind: 'answer', route: 'readRun', times: 2, status: 502 }],
  });
  const client = new AgentRuns({ baseUrl: server.baseUrl, apiKey: server.apiKey, logLevel: 'off' });
  const { run_id } = await client.runs.create({ prompt: '```sh\ntrue\n```' });
  expect((await client.runs.wait(run_id)).state).toBe('SUCCEEDED');
  expect(server.faultsMet.map(({ kind }) => kind)).toEqual(['answer', 'answer']);
  server.setFaults([{ kind: 'lost-answer', route: 'createRun' }]);
  const direct = client.withOptions({ fetch: server.fetch });
  const { response } = await direct.runs.create({ prompt: 'nothing' }).withResponse();
  expect(response.headers.get('idempotent-replayed')).toBe('true');
});

test('requests are recorded without credentials', async () => {
  await using server = await createTestServer({ listen: false });
  const client = clientOf(server);
  await client.runs.create({ prompt: 'a secret plan' }, { headers: { Cookie: 'session=s3cret' } });
  await client.runs.list({ limit: 3 });
  await client.get('/agent/elsewhere').catch(() => {});
  // The token of a link to a page opens the page.
  await server.fetch(new URL('/runs/some-run?token=s3cret&after=1', server.baseUrl));
  expect(server.requests.map(({ method, path, route }) => [method, path, route])).toEqual([
    ['POST', '/agent/runs', 'createRun'],
    ['GET', '/agent/runs?limit=3', 'listRuns'],
    ['GET', '/agent/elsewhere', undefined],
    ['GET', '/runs/some-run', undefined],
  ]);
  expect(server.requests[0]?.headers['idempotency-key']).toMatch(/^[\w-]{36}$/);
  expect(JSON.stringify(server.requests)).not.toMatch(new RegExp(`${server.apiKey}|s3cret|secret plan`));
});

test('a server without features looks like the public service under any fault', async () => {
  await using server = await createTestServer({ listen: false, features: 'none' });
  server.setFaults([{ kind: 'delay', ms: 1 }]);
  const client = clientOf(server);
  const { response, data } = await client.runs.create({ prompt: 'nothing' }).withResponse();
  expect(response.headers.has('agent-run-features')).toBe(false);
  expect(await client.runs.result(data.run_id).catch((error: Error) => error.name)).toBe('FeatureUnavailableError');
  await using some = await createTestServer({ listen: false, features: ['wait'] });
  const { headers } = await some.fetch(some.baseUrl, {});
  expect(headers.get('agent-run-features')).toBe('wait');
});

test('stopping ends hanging requests and runs, removes the data, and closes the port', async () => {
  const folder = ownTempFolder();
  const server = await createTestServer({ faults: [{ kind: 'hang', path: '/agent/runs' }] });
  const client = new AgentRuns({ baseUrl: server.baseUrl, apiKey: server.apiKey, logLevel: 'off', maxRetries: 0 });
  const hanging = client.runs.list().catch((error: Error) => error.name);
  const inProcess = server.fetch(`${server.baseUrl}/agent/runs/x`);
  expect((await inProcess).status).toBe(401);
  while (server.faultsMet.length === 0) await new Promise(wake => setTimeout(wake, 5));
  const seconds = `60.${process.pid}`;
  const { run_id } = await client.runs.create({ prompt: `\`\`\`sh\nsleep ${seconds} & echo up; wait\n\`\`\`` });
  for await (const event of client.runs.events(run_id)) if (event.type === 'log') break;
  await expect.poll(() => findSleeps(seconds)).toHaveLength(1);
  expect(readdirSync(folder)).toHaveLength(1);
  await server.stop();
  await server.stop();
  expect(await hanging).toBe('ConnectionError');
  expect(readdirSync(folder)).toEqual([]);
  expect(findSleeps(seconds)).toEqual([]);
  await expect(server.fetch(server.baseUrl)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  await expect(fetch(server.baseUrl)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});

test.each([
  ['process.exit()', 'process.exit(3)', 3],
  ['an error that nobody catches', "throw new Error('a test failed')", 1],
])('a program that ends by %s without stopping its servers leaves no data', async (_how, end, code) => {
  const folder = createTempFolder();
  const program = `
    import { createTestServer } from ${JSON.stringify(new URL('../../../src/testing/index.ts', import.meta.url).href)};
    import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
    const [first] = await Promise.all([createTestServer({ listen: false }), createTestServer({ listen: false })]);
    console.log(readdirSync(process.env.TMPDIR).length, process.listenerCount('exit'));
    await first.stop();
    console.log(readdirSync(process.env.TMPDIR).length);
    ${end}
  `;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    env: { PATH: process.env.PATH, TMPDIR: folder },
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: code, stdout: '2 1\n1\n' });
  expect(readdirSync(folder)).toEqual([]);
});

test('only the last requests and faults are kept, so a server can live for long', async () => {
  await using server = await createTestServer({
    listen: false,
    faults: [{ kind: 'answer', path: '/*', times: 'all', status: 404 }],
  });
  for (let count = 0; count < 10_002; count += 1) await server.fetch(`${server.baseUrl}/count/${count}`);
  expect(server.requests).toHaveLength(10_000);
  expect(server.requests[0]?.path).toBe('/count/2');
  expect(server.requests.at(-1)?.path).toBe('/count/10001');
  expect(server.faultsMet).toHaveLength(10_000);
});

test('the log is quiet by default', async () => {
  const lines: string[] = [];
  await using server = await createTestServer({ listen: false, log: line => void lines.push(line) });
  await server.fetch(server.baseUrl);
  expect(lines.join('\n')).toContain('debug request');
});

test('another harness can replace script', async () => {
  await using server = await createTestServer({
    listen: false,
    harnesses: { default: 'mine', script: false, commands: { mine: { argv: ['cat'], env: {} } } },
  });
  const client = clientOf(server);
  const { run_id } = await client.runs.create({ prompt: 'say this' });
  expect((await client.runs.wait(run_id)).result?.text).toContain('say this');
});

test('a connection closed after its response is not reused', async () => {
  await using server = await createTestServer({ faults: [{ kind: 'close-after', path: '/*' }] });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const closed: unknown[] = [];
  const portOf = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const request = get(`${server.baseUrl}/agent/runs`, { agent }, response => {
        expect(response.headers.connection).toBe('keep-alive');
        const port = request.socket?.localPort;
        request.socket?.once('close', () => closed.push(port));
        response.resume().on('end', () => resolve(port));
      });
      request.on('error', reject);
    });
  const first = await portOf();
  await expect.poll(() => closed).toEqual([first]);
  const second = await portOf();
  await new Promise(wake => setTimeout(wake, 30));
  expect(second).not.toBe(first);
  expect(await portOf()).toBe(second);
  agent.destroy();
});

test('withFaults wraps any fetch, and each plan has its own counts', async () => {
  await using server = await createTestServer();
  const met: string[] = [];
  const note = { onMet: ({ kind }: { kind: string }) => void met.push(kind) };
  const [one, other] = [
    withFaults(fetch, [{ kind: 'reset' }], note),
    withFaults(server.fetch, [{ kind: 'answer', status: 599 }], note),
  ];
  await expect(one(server.baseUrl)).rejects.toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } });
  expect((await one(new URL(server.baseUrl))).status).toBe(401);
  expect((await other(new Request(server.baseUrl))).status).toBe(599);
  expect(met).toEqual(['reset', 'answer']);
});

test('a fetch without a socket rejects with its signal’s reason, at once and within a body', async () => {
  await using server = await createTestServer({ listen: false });
  const reason = new Error('enough');
  await expect(server.fetch(server.baseUrl, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  server.setFaults([{ kind: 'slow-body', bytes: 1, ms: 20 }]);
  const controller = new AbortController();
  const response = await server.fetch(server.baseUrl, { signal: controller.signal });
  setTimeout(() => controller.abort(reason), 50);
  await expect(response.text()).rejects.toBe(reason);
});

test('a server that cannot start leaves no port, no folder and no program', async () => {
  const folder = ownTempFolder();
  const portsBefore = openPorts();
  const starting = createTestServer({
    harnesses: { default: 'mine', script: false, commands: { mine: { argv: ['no-such-program'], env: {} } } },
    // The missing program is reported when the server starts, which then fails.
    log: line => {
      if (line.includes('no-such-program')) throw new Error('the log is full');
    },
  });
  await expect(starting).rejects.toThrow('the log is full');
  expect(readdirSync(folder)).toEqual([]);
  expect(openPorts()).toBe(portsBefore);
});

function openPorts(): number {
  return process.getActiveResourcesInfo().filter(name => name === 'TCPServerWrap').length;
}

const wrongOptions: readonly (readonly [unknown, string])[] = [
  [null, 'the options of createTestServer must be an object, not null'],
  [[], 'the options of createTestServer must be an object, not \\[\\]'],
  [{ fault: [] }, 'fault is not an option of createTestServer\\. Options: .*. Did you mean "faults"\\?'],
  [{ feature: 'none' }, 'feature is not an option of createTestServer\\. Options: .*. Did you mean "features"\\?'],
  [{ faults: null }, 'faults must be a list of faults'],
  [{ features: 'nothing' }, 'features must be "none", or a list of idempotency, wait, .*'],
  [{ features: 'nome' }, 'features must be "none", or a list of .*, not "nome". Did you mean "none"\\?'],
  [{ features: null }, 'features must be "none", or a list of'],
  [{ features: ['waits'] }, 'features\\[0\\] must be one of idempotency, .*, not "waits". Did you mean "wait"\\?'],
  [{ listen: 'no' }, 'listen must be true or false, not "no"'],
  [{ log: true }, 'log must be a function, not true'],
  [{ limits: 5 }, 'limits must be an object'],
  [{ limits: { concurency: 1 } }, 'limits.concurency is not a limit\\. Limits: .*. Did you mean "concurrency"\\?'],
  [{ limits: { concurrency: '1' } }, 'limits.concurrency must be a number from 0'],
  [{ harnesses: 'script' }, 'harnesses must be an object with default, script and commands'],
  [{ harnesses: { script: true } }, 'harnesses must be an object with default, script and commands'],
  [
    { harnesses: { default: 'mine', script: false, commands: { mine: { command: ['cat'] } } } },
    'harnesses.commands.mine must be an object with argv, a list of strings, and env',
  ],
];

test.each(wrongOptions)(
  'the options %j are refused with a sentence that names the member',
  async (options, sentence) => {
    const folder = ownTempFolder();
    const refusal = await createTestServer(options as never).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(TypeError);
    expect((refusal as Error).message).toMatch(new RegExp(`^${sentence}`));
    expect(readdirSync(folder)).toEqual([]);
  },
);

test('an option that is undefined counts as not given', async () => {
  const nothing = { faults: undefined, features: undefined, harnesses: undefined, limits: { concurrency: undefined } };
  await using server = await createTestServer({ ...nothing, listen: false, log: undefined } as never);
  const { run_id } = await clientOf(server).runs.create({ prompt: '```sh\ntrue\n```' });
  expect((await clientOf(server).runs.wait(run_id)).state).toBe('SUCCEEDED');
});

const wrongPlans: readonly (readonly [unknown, string])[] = [
  [{}, 'faults must be a list of faults'],
  [['reset'], 'faults[0] must be an object with a kind'],
  [[{ kind: 'resett' }], 'faults[0].kind is "resett"; it must be one of .*. Did you mean "reset"\\?'],
  [[{ kind: 'reset' }, {}], 'faults[1].kind is missing'],
  [
    [{ kind: 'reset', route: 'readRuns' }],
    'faults[0].route must be one of .*, not "readRuns". Did you mean "readRun"\\?',
  ],
  [[{ kind: 'reset', nht: 2 }], 'faults[0].nht is not a member of reset. Members: .*. Did you mean "nth"\\?'],
  [[{ kind: 'reset', nth: 0 }], 'faults[0].nth must be a whole number from 1'],
  [[{ kind: 'reset', times: 'every' }], 'faults[0].times must be a whole number from 1, or "all"'],
  [[{ kind: 'answer' }], 'faults[0].status is missing; answer needs it'],
  [[{ kind: 'answer', status: 100 }], 'faults[0].status must be a status from 200 to 599'],
  [[{ kind: 'answer', status: 204, body: '' }], 'faults[0].body: a response with status 204 has no body'],
  [[{ kind: 'answer', status: 200, headers: { 'a b': 'c' } }], 'faults[0].headers must be an object of headers'],
  [[{ kind: 'delay', ms: -1 }], 'faults[0].ms must be milliseconds from 0'],
  [[{ kind: 'delay', ms: 1, when: 'later' }], 'faults[0].when must be one of before, after'],
  [[{ kind: 'feature-off', feature: 'waits' }], 'faults[0].feature must be one of .*. Did you mean "wait"\\?'],
  [[{ kind: 'clock-skew', ms: 5, nth: 2 }], 'faults[0].nth is not a member of clock-skew. Members: ms'],
  [[{ kind: 'lagging-copy' }], 'faults[0]: lagging-copy takes either looks or ms'],
  [[{ kind: 'break-stream', events: 1, stream: false }], 'faults[0].stream is not a member of break-stream'],
];

test.each(wrongPlans)('the plan %j is refused with a sentence that names the member', async (plan, sentence) => {
  const folder = ownTempFolder();
  const escaped = sentence.replace(/[[\]{}]/g, '\\$&');
  const refusal = await createTestServer({ faults: plan as never }).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(FaultPlanError);
  expect((refusal as Error).message).toMatch(new RegExp(escaped));
  expect(readdirSync(folder)).toEqual([]);
});

test.each(['slow-body', 'delay'] as const)(
  'a server that is stopped in the middle of a %s says nothing',
  async kind => {
    const said: unknown[] = [];
    const spies = (['error', 'warn', 'log'] as const).map(name =>
      vi.spyOn(console, name).mockImplementation((...words) => void said.push(words)),
    );
    onTestFinished(() => {
      for (const spy of spies) spy.mockRestore();
    });
    const fault = kind === 'delay' ? { kind, ms: 60_000 } : { kind, bytes: 5, ms: 100 };
    const server = await createTestServer({ faults: [{ ...fault, route: 'listRuns', times: 'all' }] });
    const { baseUrl, apiKey } = server;
    const client = new AgentRuns({ baseUrl, apiKey, logLevel: 'off', maxRetries: 0, timeoutMs: 300 });
    await expect(client.runs.list()).rejects.toThrow('no complete answer');
    const waiting = client.withOptions({ timeoutMs: 5_000 }).runs.list();
    waiting.catch(() => {});
    await new Promise(resolve => setTimeout(resolve, 200));
    await server.stop();
    await new Promise(resolve => setTimeout(resolve, 200));
    expect(said).toEqual([]);
  },
);
