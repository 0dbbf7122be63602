import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { AgentRuns } from '../../src/client/index.ts';
import { readServerConfig } from '../../src/server/index.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { fenced } from '../support/test-server.ts';
import { type CommandEnd, type RunningCommand, runCommand, startCommand } from './command.ts';

interface Serving extends RunningCommand {
  readonly url: string;
  /** The lines that it printed at its start. */
  readonly lines: readonly string[];
  stop(): Promise<CommandEnd>;
}

function createServeFolder(config = 'harnesses: { script: {} }\nlimits: { grace_seconds: 1 }\n'): string {
  const folder = createTempFolder();
  writeFileSync(join(folder, 'agent-run.yaml'), config);
  return folder;
}

/** `agent-run serve` in a folder, on a free port. */
async function serve(
  cwd: string,
  {
    flags = [],
    env = {},
  }: { readonly flags?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Serving> {
  const running = startCommand(['serve', '--port', '0', ...flags], { cwd, env });
  let text = '';
  running.child.stdout.on('data', (chunk: string) => {
    text += chunk;
  });
  await running.says('API key');
  const lines = text.trimEnd().split('\n');
  return {
    ...running,
    lines,
    url: lines[0]?.split(' ').at(-1) ?? '',
    stop() {
      running.child.kill('SIGTERM');
      return running.ended;
    },
  };
}

const keyIn = (lines: readonly string[]): string =>
  lines.flatMap(line => /^API key for other machines and CI \(not shown again\): (ar-\S+)$/.exec(line)?.[1] ?? [])[0] ??
  '';
const clientOf = ({ url }: Serving, apiKey: string) => new AgentRuns({ baseUrl: url, apiKey, logLevel: 'off' });

test.skipIf(process.platform === 'win32')("no program of the same user can open the server's debugger", async () => {
  const serving = await serve(createServeFolder());
  serving.child.kill('SIGUSR1');
  await fetch(serving.url);
  expect((await serving.stop()).stderr).toBe('Stopping\n');
});

test('only the first start shows a key, which works after every later start', async () => {
  const folder = createServeFolder();
  const first = await serve(folder);
  expect(first.lines).toEqual([
    expect.stringMatching(/^agent-run \d+\.\d+\.\d+ listens on http:\/\/127\.0\.0\.1:\d+$/),
    `data folder: ${join(folder, '.agent-run')}`,
    'harnesses: script',
    expect.stringMatching(/^API key for other machines and CI \(not shown again\): ar-\S{40,}$/),
    '',
    'In another terminal, in this folder:',
    "  npx agent-run run $'```sh\\necho hello\\n```'",
  ]);
  const key = keyIn(first.lines);
  await clientOf(first, key).runs.list();
  const { code, stderr } = await first.stop();
  expect([code, stderr]).toEqual([0, expect.not.stringContaining(key)]);

  const second = await serve(folder);
  expect(second.lines).toContain(
    'API key: shown at the first start. If you lost it, start the server with a key of your choice in AGENT_RUN_API_KEY.',
  );
  await clientOf(second, key).runs.list();
  expect(await second.stop()).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Stopping$/m) });

  const third = await serve(folder, { env: { AGENT_RUN_API_KEY: 'key-of-the-environment' } });
  expect(third.lines).toContain('API key: from AGENT_RUN_API_KEY; the key of the first start also works');
  await clientOf(third, key).runs.list();
});

test('behind a proxy it prints its own address and the public one', async () => {
  const env = { AGENT_RUN_PUBLIC_URL: 'https://agents.example.com' };
  const serving = await serve(createServeFolder(), { flags: ['--host', '0.0.0.0', '--behind-proxy'], env });
  expect(serving.lines[0]).toMatch(/listens on 0\.0\.0\.0:\d+, behind a proxy$/);
  expect(serving.lines[3]).toMatch(/^API key \(not shown again\): ar-\S{40,}$/);
  expect(serving.lines.at(-1)).toBe(
    'To use it, set AGENT_RUN_BASE_URL=https://agents.example.com and AGENT_RUN_API_KEY to the key.',
  );
});

test('without a harness it says what to add, and that works', async () => {
  const folder = createServeFolder('limits: {}\n');
  const serving = await serve(folder);
  const from = serving.lines.findIndex(line => line.startsWith('Without a harness'));
  const lines = serving.lines.slice(from + 1, from + 5).join('\n');
  writeFileSync(join(folder, 'agent-run.yaml'), lines);
  expect(readServerConfig({ env: { ANTHROPIC_API_KEY: 'k' }, cwd: folder }).harnesses).toMatchObject({
    default: 'builtin',
  });
  expect(serving.lines.at(-1)).toBe('Set ANTHROPIC_API_KEY, then start the server again.');
});

test('a taken port exits with 2 and creates no key; the next start creates and shows it', async () => {
  const other = createServer();
  await new Promise<void>(open => other.listen(0, '127.0.0.1', open));
  onTestFinished(() => void other.close());
  const folder = createServeFolder();
  const port = String((other.address() as AddressInfo).port);
  const { code, stdout, stderr } = await runCommand(['serve', '--port', port], { cwd: folder });
  expect([code, stdout, stderr]).toEqual([
    2,
    '',
    `agent-run: port ${port} on 127.0.0.1 is in use; choose another with --port, or stop the program that uses it\n`,
  ]);
  const next = await serve(folder);
  await clientOf(next, keyIn(next.lines)).runs.list();
});

test('a second server on the same data folder exits with 2, and the first continues', async () => {
  const folder = createServeFolder();
  const first = await serve(folder);
  const { code, stdout, stderr } = await runCommand(['serve', '--port', '0'], { cwd: folder });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^agent-run: the data folder \S+ is in use by another server \(process \d+\); [^\n]+\n$/);
  await clientOf(first, keyIn(first.lines)).runs.list();
});

test('SIGTERM lets the current run end, and everything is written before the process ends', async () => {
  const folder = createServeFolder();
  const env = { AGENT_RUN_API_KEY: 'key-of-the-environment' };
  const serving = await serve(folder, { env });
  expect(serving.lines).toContain('API key: from AGENT_RUN_API_KEY');
  const client = clientOf(serving, env.AGENT_RUN_API_KEY);
  const go = join(folder, 'go');
  const { run_id: runId } = await client.runs.create({
    prompt: fenced(`until [ -e '${go}' ]; do sleep 0.05; done; echo done > "$AGENT_RUN_RESULT"`),
  });
  for await (const run of client.runs.follow(runId)) if (run.state === 'INPROGRESS') break;
  const ended = serving.stop();
  await serving.says('Draining');
  writeFileSync(go, '');
  const { code, stdout, stderr } = await ended;
  expect([code, stderr]).toEqual([0, expect.stringContaining('Draining: waiting up to 30 s for')]);
  expect(stdout + stderr).not.toContain(env.AGENT_RUN_API_KEY);
  const run = await clientOf(await serve(folder, { env }), env.AGENT_RUN_API_KEY).runs.retrieve(runId);
  expect([run.state, run.result?.text]).toEqual(['SUCCEEDED', 'done\n']);
});

test('a second ctrl-C ends the current run at once, as a retryable ERROR', async () => {
  const folder = createServeFolder();
  const env = { AGENT_RUN_API_KEY: 'key-of-the-environment' };
  const serving = await serve(folder, { env });
  const client = clientOf(serving, env.AGENT_RUN_API_KEY);
  const { run_id: runId } = await client.runs.create({ prompt: fenced('sleep 60') });
  for await (const run of client.runs.follow(runId)) if (run.state === 'INPROGRESS') break;
  serving.child.kill('SIGINT');
  await serving.says('Draining');
  const told = performance.now();
  serving.child.kill('SIGINT');
  expect((await serving.ended).code).toBe(0);
  expect(performance.now() - told).toBeLessThan(10_000);
  const run = await clientOf(await serve(folder, { env }), env.AGENT_RUN_API_KEY).runs.retrieve(runId);
  expect(run).toMatchObject({ state: 'ERROR', status_message: { retryable: true } });
});

/** An uncaught background error when the process gets SIGUSR2. */
const faulty = `--import data:text/javascript,${encodeURIComponent(
  'process.on("SIGUSR2", () => { Promise.reject(new Error("boom in the background")); });',
)}`;

test('an uncaught error closes the server in order, with exit code 1 and no stack', async () => {
  const folder = createServeFolder();
  const serving = await serve(folder, { env: { NODE_OPTIONS: faulty } });
  const client = clientOf(serving, keyIn(serving.lines));
  const { run_id: runId } = await client.runs.create({ prompt: fenced('sleep 60') });
  for await (const run of client.runs.follow(runId)) if (run.state === 'INPROGRESS') break;
  serving.child.kill('SIGUSR2');
  const { code, stderr } = await serving.ended;
  expect(code).toBe(1);
  expect(stderr).toContain('agent-run: Unexpected error, stopping the server: boom in the background\n');
  expect(stderr).not.toMatch(/^ +at /m);
  // Anything that the next start repairs was not written before the end.
  const next = await serve(folder);
  expect((await clientOf(next, keyIn(serving.lines)).runs.retrieve(runId)).state).toBe('ERROR');
  expect((await next.stop()).stderr).not.toContain('ended runs and processes of an earlier server');
});

const openssl = ['/usr/bin/openssl', '/usr/local/bin/openssl', '/opt/homebrew/bin/openssl'].find(existsSync);

test.skipIf(openssl === undefined)('with a certificate it serves https, and SIGHUP loads a new one', async () => {
  const folder = createServeFolder();
  makeCertificate(folder, 'first');
  const serving = await serve(folder, { flags: ['--tls-cert', 'cert.pem', '--tls-key', 'key.pem'] });
  const port = Number(new URL(serving.url).port);
  expect(new URL(serving.url).protocol).toBe('https:');
  expect(await readSubject(port)).toBe('first');
  const key = readFileSync(join(folder, 'key.pem'));
  writeFileSync(join(folder, 'key.pem'), 'broken');
  serving.child.kill('SIGHUP');
  await serving.says('cannot reload certificate and key, keeping the old ones');
  writeFileSync(join(folder, 'key.pem'), key);
  expect(await readSubject(port)).toBe('first');
  makeCertificate(folder, 'second');
  serving.child.kill('SIGHUP');
  await serving.says('reloaded certificate and key');
  expect(await readSubject(port)).toBe('second');
  expect((await serving.stop()).code).toBe(0);
});

test.skipIf(openssl === undefined)('the key of another certificate is named, and no port is opened', async () => {
  const folder = createServeFolder();
  makeCertificate(folder, 'first');
  renameSync(join(folder, 'key.pem'), join(folder, 'first.pem'));
  makeCertificate(folder, 'second');
  const flags = ['--port', '0', '--tls-cert', 'cert.pem', '--tls-key', 'first.pem'];
  const { code, stdout, stderr } = await runCommand(['serve', ...flags], { cwd: folder });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(
    /^agent-run: the key \S+first\.pem does not belong to the certificate \S+cert\.pem; [^\n]+\n$/,
  );
});

function makeCertificate(cwd: string, name: string): void {
  const files = ['-keyout', 'key.pem', '-out', 'cert.pem'];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync(openssl ?? '', ['req', ...kind, ...files, '-subj', `/CN=${name}`], { cwd, stdio: 'ignore' });
}

function readSubject(port: number): Promise<unknown> {
  return new Promise((found, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      found(socket.getPeerCertificate().subject.CN);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}
