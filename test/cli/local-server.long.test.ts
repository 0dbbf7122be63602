import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockDataFolder } from '../../src/server/store/data-lock.ts';
import { findClosedPort } from '../client/scripted-server.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { runCommand, startCommand } from './command.ts';

const isWindows = process.platform === 'win32';

const someKey = `ar-${'k'.repeat(43)}`;

/** The file of a running server, or of a stopped one if `isGone`. */
function writeLocal(text: string, mode = 0o600, isGone = false) {
  const cwd = createTempFolder();
  mkdirSync(join(cwd, '.agent-run'));
  const path = join(cwd, '.agent-run/local-server');
  writeFileSync(path, text);
  chmodSync(path, mode);
  if (!isGone) onTestFinished(lockDataFolder(join(cwd, '.agent-run')).release);
  return { cwd, path };
}

test('a command finds the server of its folder, and no trace of it after it stopped', async () => {
  const cwd = createTempFolder();
  writeFileSync(join(cwd, 'agent-run.yaml'), 'harnesses: { script: {} }\n');
  const serving = startCommand(['serve', '--port', '0'], { cwd });
  await serving.says('In another terminal, in this folder:');
  const path = join(cwd, '.agent-run/local-server');
  if (!isWindows) expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await runCommand(['run', '```sh\necho hi\n```'], { cwd })).toMatchObject({ code: 0, stdout: 'hi\n' });
  const [url = '', key = ''] = readFileSync(path, 'utf8').split('\n');
  serving.child.kill('SIGTERM');
  await serving.ended;
  expect(existsSync(path)).toBe(false);
  // The key expires with the server.
  const again = startCommand(['serve', '--port', new URL(url).port], { cwd });
  await again.says('In another terminal');
  const args = ['list', '--base-url', url, '--api-key', key];
  expect(await runCommand(args, { cwd })).toMatchObject({ code: 3, stdout: '' });
});

test('a run that prints the file shows the key in no event and no result', async () => {
  const cwd = createTempFolder();
  writeFileSync(join(cwd, 'agent-run.yaml'), 'harnesses: { script: {} }\n');
  const serving = startCommand(['serve', '--port', '0'], { cwd });
  await serving.says('In another terminal, in this folder:');
  const path = join(cwd, '.agent-run/local-server');
  const key = readFileSync(path, 'utf8').split('\n')[1] ?? '';
  const prompt = `\`\`\`sh\ncat '${path}' | tee "$AGENT_RUN_RESULT"\n\`\`\``;
  const { code, stdout, stderr } = await runCommand(['run', prompt], { cwd });
  const logs = await runCommand(['logs', 'last'], { cwd });
  expect([code, stdout]).toEqual([0, expect.stringContaining('***')]);
  expect(stdout + stderr + logs.stdout).not.toContain(key);
});

test.for([
  ['on every address, behind a proxy', ['--host', '0.0.0.0', '--behind-proxy'], {}],
  ['behind a proxy', ['--behind-proxy'], {}],
  ['with an address for others', [], { AGENT_RUN_PUBLIC_URL: 'https://agents.example.com' }],
] as const)('a server %s leaves no key', async ([, flags, env]) => {
  const cwd = createTempFolder();
  writeFileSync(join(cwd, 'agent-run.yaml'), 'harnesses: { script: {} }\n');
  const serving = startCommand(['serve', '--port', '0', ...flags], { cwd, env });
  await serving.says('and AGENT_RUN_API_KEY to the key.');
  expect(existsSync(join(cwd, '.agent-run/local-server'))).toBe(false);
  serving.child.kill('SIGTERM');
  await serving.ended;
});

test('a found server gets its own key, never AGENT_RUN_API_KEY', async () => {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"runs":[],"page_info":{}}');
  });
  await new Promise<void>(open => server.listen(0, '127.0.0.1', open));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { cwd } = writeLocal(`${url}\n${someKey}\n`);
  await runCommand(['list'], { cwd, env: { AGENT_RUN_API_KEY: 'precious' } });
  expect(keys.length).toBeGreaterThan(0);
  expect(new Set(keys)).toEqual(new Set([`Bearer ${someKey}`]));
});

test('without a server the error names the folder and what set it', async () => {
  const folder = createTempFolder();
  const { code, stderr } = await runCommand(['list'], { cwd: folder, env: { AGENT_RUN_DATA: 'data' } });
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(`${join(folder, 'data')} (AGENT_RUN_DATA) holds no server address`),
  ]);
});

test('a configured address overrides a found one', async () => {
  const { cwd } = writeLocal('broken');
  const env = { AGENT_RUN_BASE_URL: `http://127.0.0.1:${await findClosedPort()}`, AGENT_RUN_API_KEY: 'some-key' };
  expect((await runCommand(['list'], { cwd, env })).stderr).toContain('No server answers at');
});

test('the file of a killed server gives an error with the address and its source', async () => {
  const { cwd, path } = writeLocal(`http://127.0.0.1:${await findClosedPort()}\n${someKey}\n`);
  const { code, stderr } = await runCommand(['list'], { cwd });
  expect(code).toBe(3);
  expect(stderr).toContain(`Trying again. The address is from ${path}.\n`);
  expect(stderr).toMatch(
    /No server answers at 127\.0\.0\.1:\d+ \(connection refused\)\. Start one with `npx agent-run serve`/,
  );
});

test.skipIf(isWindows).for([
  ['that others can read', 'http://127.0.0.1:1\nk\n', 0o644, 'is not used'],
  ['with the address of another machine', 'http://192.0.2.1:1\nk\n', 0o600, 'is not used'],
  ['without a key', 'http://127.0.0.1:1\n', 0o600, 'is not used'],
] as const)('a file %s is not used', async ([, text, mode, words]) => {
  const { cwd } = writeLocal(text, mode);
  const { code, stderr } = await runCommand(['list'], { cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
});
