import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import {
  type AgentRunServer,
  createServer,
  type Log,
  listen,
  readServerConfig,
  type ServerConfig,
} from '../../src/server/index.ts';
import { createTempFolder } from '../support/temp-folder.ts';

async function create(more: Partial<ServerConfig>, log: Log = () => {}, clock = systemClock): Promise<AgentRunServer> {
  const settings = readServerConfig({ env: { PATH: process.env.PATH }, cwd: createTempFolder() });
  const server = await createServer({ ...settings, port: 0, ...more }, { log, clock });
  onTestFinished(() => server.stop({ drainSeconds: 0 }));
  return server;
}

test('a data folder is created with its parents', async () => {
  const dataDir = join(createTempFolder(), 'a', 'b');
  await expect(create({ dataDir })).resolves.toBeDefined();
});

test.skipIf(process.platform === 'win32')(
  'a data folder that others can open becomes private, a shared one is rejected',
  async () => {
    const dataDir = createTempFolder();
    chmodSync(dataDir, 0o755);
    await create({ dataDir });
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    const shared = createTempFolder();
    chmodSync(shared, 0o1777);
    await expect(create({ dataDir: shared })).rejects.toThrow(`${shared} is shared by all users of this machine`);
    expect(statSync(shared).mode & 0o777).toBe(0o777);
  },
);

test('an unusable data folder is reported with the obstacle', async () => {
  const folder = createTempFolder();
  writeFileSync(join(folder, 'file'), '');
  symlinkSync('nowhere', join(folder, 'link'));
  for (const [dataDir, why] of [
    [join(folder, 'file'), 'file is a file'],
    [join(folder, 'file', 'x'), 'file is a file'],
    [join(folder, 'link'), 'a broken link'],
  ] as const)
    await expect(create({ dataDir })).rejects.toThrow(
      new RegExp(`^the data folder ${dataDir} cannot be used: .*${why}; choose another folder with --data$`),
    );
});

test.runIf(process.platform === 'linux')('a data folder that cannot be created stops the start', async () => {
  await expect(create({ dataDir: '/proc/agent-run' })).rejects.toThrow('a folder cannot be created there');
});

test('a file that is not a database is reported by its path', async () => {
  const dataDir = join(createTempFolder(), 'data');
  mkdirSync(dataDir);
  const file = join(dataDir, 'agent-run.sqlite');
  writeFileSync(file, 'not a database, but long enough to be read as one. '.repeat(40));
  await expect(create({ dataDir })).rejects.toThrow(
    `the database ${file} cannot be used: it is not an agent-run database`,
  );
});

/** A data folder with the database and artifacts of many runs. */
async function fillDataFolder(): Promise<{ readonly dataDir: string; readonly file: string }> {
  const dataDir = join(createTempFolder(), 'data');
  const server = await create({ dataDir });
  await server.start();
  const headers = { Authorization: `Bearer ${server.madeKey}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ prompt: 'x'.repeat(20_000) });
  for (let count = 0; count < 20; count += 1)
    await server.fetch(new Request('http://server/api/v1/agent/runs', { method: 'POST', headers, body }));
  await server.stop({ drainSeconds: 0 });
  mkdirSync(join(dataDir, 'artifacts'), { recursive: true });
  return { dataDir, file: join(dataDir, 'agent-run.sqlite') };
}

test('a damaged database is reported with its path and a remedy', async () => {
  const { dataDir, file } = await fillDataFolder();
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xa5, 4096));
  const started = create({ dataDir }).then(server => server.start());
  await expect(started).rejects.toThrow(
    `the database ${file} cannot be used: it is damaged; stop the server and restore a copy`,
  );
});

test.each(['empty', 'missing'])('an %s database in a folder with runs causes a warning', async how => {
  const { dataDir, file } = await fillDataFolder();
  if (how === 'empty') writeFileSync(file, '');
  else rmSync(file);
  const lines: string[] = [];
  await create({ dataDir }, (level, message) => {
    if (message.includes('database')) lines.push(`${level} ${message}`);
  });
  expect(lines).toEqual([expect.stringMatching(/^warn the database is missing or empty.*; to get them back, stop/)]);
});

test('only a started server creates a key', async () => {
  const dataDir = join(createTempFolder(), 'data');
  const first = await create({ dataDir });
  expect(first.madeKey).toBeUndefined();
  await first.stop({ drainSeconds: 0 });
  const second = await create({ dataDir });
  await second.start();
  expect(await statusWith(second, second.madeKey)).toBe(200);
  await second.stop({ drainSeconds: 0 });
  const third = await create({ dataDir });
  await third.start();
  expect([third.madeKey, await statusWith(third, second.madeKey)]).toEqual([undefined, 200]);
});

test.each([
  ['0.0.0.0', undefined, true],
  ['0.0.0.0', 'https://agents.example.com', false],
  ['127.0.0.1', undefined, false],
])('on %s with public URL %s, a warning of local links is logged: %s', async (host, publicUrl, warns) => {
  const lines: string[] = [];
  const config = { dataDir: join(createTempFolder(), 'data'), host, publicUrl };
  const server = await create(config, (level, message) => lines.push(`${level} ${message}`));
  const listening = await listen(server, { host, port: 0 });
  onTestFinished(() => listening.close(0));
  await server.start();
  expect(lines.some(line => line.startsWith('warn public_url is not set'))).toBe(warns);
});

test('an invalid certificate is reported by its path', async () => {
  const file = join(createTempFolder(), 'cert.pem');
  writeFileSync(file, 'x');
  const server = await create({ dataDir: join(createTempFolder(), 'data') });
  const open = (cert: string) => listen(server, { host: '127.0.0.1', port: 0, tls: { cert, key: file } });
  await expect(open(file)).rejects.toThrow(`${file} is not a certificate in PEM form`);
  await expect(open(`${file}.gone`)).rejects.toThrow(`the TLS certificate ${file}.gone cannot be read`);
});

async function statusWith(server: AgentRunServer, key: string | undefined): Promise<number> {
  const headers = { Authorization: `Bearer ${key}` };
  const response = await server.fetch(new Request('http://127.0.0.1/api/v1/agent/runs', { headers }));
  return response.status;
}

test('a workspace and a data folder that overlap, even by a link, are rejected', async () => {
  const folder = createTempFolder();
  const work = join(folder, 'work');
  mkdirSync(work);
  symlinkSync(work, join(folder, 'link'));
  for (const [workspace, dataDir] of [
    [work, join(work, 'a', 'b')],
    [work, work],
    [join(folder, 'link'), join(work, 'data')],
    [work, folder],
  ] as const)
    await expect(create({ workspace, dataDir })).rejects.toThrow(
      /^workspace: .*choose a folder outside the workspace with --data/,
    );
  expect(readdirSync(work)).toEqual([]);
  await expect(create({ workspace: work, dataDir: join(folder, 'work-data') })).resolves.toBeDefined();
});

test('a harmful schema neither ends the server nor delays other requests', async () => {
  const harnesses = { default: 'script', script: true, commands: {} };
  const server = await create({ dataDir: join(createTempFolder(), 'data'), harnesses });
  await server.start();
  const createRun = async (output_schema: object) => {
    const headers = { Authorization: `Bearer ${server.madeKey}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ prompt: '```sh\necho x\n```', config: { output_schema } });
    const answer = await server.fetch(
      new Request('http://server/api/v1/agent/runs', { method: 'POST', headers, body }),
    );
    return { status: answer.status, text: await answer.text() };
  };
  const refused = await createRun({ $async: true, type: 'object' });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('config.output_schema is not a usable JSON Schema: \\"$async\\"');
  const heavy = { allOf: Array.from({ length: 4900 }, (_, index) => ({ pattern: `a${index}` })) };
  const creating = createRun(heavy);
  let longestMs = 0;
  let isDone = false;
  void creating.then(() => {
    isDone = true;
  });
  while (!isDone) {
    const began = performance.now();
    await server.fetch(new Request('http://server/healthz'));
    await new Promise(resolve => setTimeout(resolve, 5));
    longestMs = Math.max(longestMs, performance.now() - began);
  }
  expect([200, 400]).toContain((await creating).status);
  expect(longestMs).toBeLessThan(1800);
});

const agent = 'harnesses: { builtin: { model: m, endpoint: { url: "http://127.0.0.1:1", api: openai-chat } } }';

test.each([
  [
    'a low memory limit',
    `${agent}\nlimits: { memory_mb: 1999 }`,
    {},
    [/^limits\.memory_mb is 1999.*; raise it to at least 2000/],
  ],
  [
    'variables to pass on that are not set',
    'harnesses: { own: { command: [cat], env: [MY_URL] } }\nenvironments:\n  shop:\n    env: [MY_URL, NPM_TOKEN, ghp_a1]\n',
    { MY_URL: 'set', NPM_TOKEN: ' ' },
    [
      /yaml:4:5: environments\.shop\.env: the variable NPM_TOKEN is not set, so the environment shop runs without it$/,
      /:4:5: environments\.shop\.env\.2: the value \(not shown\) is not the name of a variable(?!.*ghp_)/,
    ],
  ],
  [
    'an endpoint in a variable that is not read',
    'harnesses: { claude: { model: m } }',
    { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' },
    [/^ANTHROPIC_BASE_URL is set, but .*; set endpoint\.url \(and endpoint\.key\) of the harness claude$/],
  ],
])('the start warns of %s', async (_name, file, env, warnings) => {
  const folder = createTempFolder();
  writeFileSync(join(folder, 'agent-run.yaml'), file);
  const config = readServerConfig({ env: { PATH: process.env.PATH, ...env }, cwd: folder });
  const logged: string[] = [];
  const server = await create({ ...config, dataDir: join(folder, 'data') }, (level, message) => {
    if (level === 'warn' && !message.includes('needs the program claude')) logged.push(message);
  });
  await server.start();
  expect(logged).toEqual(warnings.map(warning => expect.stringMatching(warning)));
});

test.each([-3_600_000, 3_600_000])(
  'a clock that is set by %i ms during a run does not change how long it took',
  async ms => {
    let aheadMs = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
    const harnesses = { default: 'script', script: true, commands: {} };
    const server = await create({ dataDir: join(createTempFolder(), 'data'), harnesses }, undefined, clock);
    await server.start();
    const call = async (path: string, body?: object) => {
      const headers = { Authorization: `Bearer ${server.madeKey}`, 'Content-Type': 'application/json' };
      const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      const answer = await server.fetch(new Request(`http://server/api/v1/agent/runs${path}`, { headers, ...sent }));
      return (await answer.json()) as { readonly run_id: string; readonly state: string; readonly run_time?: string };
    };
    const { run_id } = await call('', { prompt: '```sh\nsleep 0.5\n```' });
    await expect.poll(async () => (await call(`/${run_id}`)).state).toBe('INPROGRESS');
    aheadMs = ms;
    await expect.poll(async () => (await call(`/${run_id}`)).state).toBe('SUCCEEDED');
    const seconds = Number(/^PT([\d.]+)S$/.exec((await call(`/${run_id}`)).run_time ?? '')?.[1]);
    expect([seconds >= 0.5, seconds < 60]).toEqual([true, true]);
  },
);

test('a server is not ready before its start', async () => {
  const server = await create({ dataDir: join(createTempFolder(), 'data') });
  const ask = async () => {
    const answer = await server.fetch(new Request('http://server/readyz'));
    return [answer.status, await answer.json()];
  };
  expect(await ask()).toEqual([503, { status: 'not ready', reason: 'the server is starting' }]);
  await server.start();
  expect(await ask()).toEqual([200, { status: 'ok' }]);
});
