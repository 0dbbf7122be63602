import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { version } from '../../src/base/process/version.ts';
import {
  allFeatures,
  answerProblem,
  answerText,
  findClosedPort,
  startScriptedServer,
} from '../client/scripted-server.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { runCommand } from './command.ts';

const bin = resolve(import.meta.dirname, '../../bin');
const { refuseNode } = (await import(join(bin, 'node-version.js'))) as {
  refuseNode(version: string, path: string, isClone: boolean): string | undefined;
};

test.for(['22.18.0', '22.21.1', '23.6.0', '24.0.0', '26.1.0-nightly', '100.0.0'])('Node %s is accepted', taken => {
  expect(refuseNode(taken, '/usr/bin/node', false)).toBeUndefined();
});

test.for(['14.0.0', '20.20.2', '22.17.9', '23.5.0', '9.18.0'])(
  'Node %s is refused, with the remedy for a clone and for an installed package',
  old => {
    const sentence = `agent-run needs Node 22.18 or newer (for Node 23: 23.6 or newer), but /usr/bin/node is Node ${old}. `;
    expect(refuseNode(old, '/usr/bin/node', false)).toBe(
      `${sentence}Install Node 24 from https://nodejs.org, then run the command again.`,
    );
    expect(refuseNode(old, '/usr/bin/node', true)).toBe(
      `${sentence}Run \`npm ci\`, then \`npx agent-run\` or \`npm start\`: they use the Node that \`npm ci\` installs.`,
    );
  },
);

const oldNode = (process.env.PATH ?? '')
  .split(delimiter)
  .map(folder => join(folder, 'node'))
  .find(node => {
    const { stdout } = spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' });
    return typeof stdout === 'string' && stdout !== '' && refuseNode(stdout.trim(), node, true) !== undefined;
  });

test.skipIf(oldNode === undefined)('an old Node exits with 2 and a sentence, without a stack', () => {
  const { status, stdout, stderr } = spawnSync(oldNode ?? '', [join(bin, 'agent-run.js'), 'list'], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^agent-run needs Node [^\n]+`npm ci`[^\n]+\n$/);
  const folder = createTempFolder();
  cpSync(bin, join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const installed = spawnSync(oldNode ?? '', [join(folder, 'bin/agent-run.js')], { encoding: 'utf8' });
  expect([installed.status, installed.stderr]).toEqual([
    2,
    expect.stringMatching(/^agent-run needs Node [^\n]+ Install Node 24 from [^\n]+\n$/),
  ]);
});

test.skipIf(process.platform === 'win32')('the program starts by its name from any folder', () => {
  expect(statSync(join(bin, 'agent-run.js')).mode & 0o111).toBe(0o111);
  const folder = createTempFolder();
  const path = [join(process.execPath, '..'), process.env.PATH].join(delimiter);
  const said = execFileSync(join(bin, 'agent-run.js'), ['--version'], { cwd: folder, env: { PATH: path } });
  expect(said.toString()).toBe(`agent-run ${version}\n`);
});

test('no command prints the help on stderr and exits with 2', async () => {
  const { code, stdout, stderr } = await runCommand([]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('agent-run COMMAND [flags]');
});

test('help exits with 0', async () => {
  const { code, stdout, stderr } = await runCommand(['run', '--help']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('agent-run run [PROMPT] [flags]');
});

test('a usage error is one sentence on stderr and exits with 2', async () => {
  const { code, stdout, stderr } = await runCommand(['list', '--state', 'FALED']);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^agent-run: --state must be [^\n]+ Did you mean "FAILED"\?\n$/);
});

test('an unreachable server exits with 3 and is named', async () => {
  const { code, stdout, stderr } = await runCommand(
    ['run', 'x', '--base-url', `http://127.0.0.1:${await findClosedPort()}`],
    {
      env: { AGENT_RUN_API_KEY: 'some-key' },
    },
  );
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toMatch(
    /^Cannot reach 127\.0\.0\.1:\d+\. Trying again\.\nagent-run: No run was started\. No server answers at 127\.0\.0\.1:\d+ \(connection refused\)\. [^\n]*\n$/,
  );
});

test('a server that takes no new runs: "not started", exit code 3, and one notice of the retries', async () => {
  const headers = { ...allFeatures, 'retry-after-ms': '1' };
  await using server = await startScriptedServer(
    answerProblem(503, 'resource_unavailable', { detail: 'it takes no new runs' }, headers),
  );
  const args = ['run', '--no-wait', 'hi', '--base-url', server.url, '--api-key', 'some-key'];
  const { code, stdout, stderr } = await runCommand(args);
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toMatch(
    /^The server answered 503\. Trying again\.\nagent-run: No run was started\. The server cannot do this now: [^\n]*it takes no new runs\n$/,
  );
});

test('a conflict is reported at once with its reason', async () => {
  const detail = 'the run R1 of this conversation is not over';
  const headers = { ...allFeatures, 'retry-after-ms': '1' };
  await using server = await startScriptedServer(answerProblem(409, 'conflict', { detail, retryable: true }, headers));
  const args = ['run', '--no-wait', 'hi', '--base-url', server.url, '--api-key', 'some-key'];
  const { stderr } = await runCommand(args);
  expect(stderr.split('\n')[0]).toBe(`The server answered 409: ${detail}. Trying again.`);
});

test.for([['list'], ['get', 'some-run'], ['cancel', 'some-run'], ['logs', 'some-run']])(
  '%s reports at once that no server is on this machine',
  async args => {
    const began = performance.now();
    const url = `http://127.0.0.1:${await findClosedPort()}`;
    const { code, stderr } = await runCommand([...args, '--base-url', url, '--api-key', 'some-key']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('agent-run: No server answers at 127.0.0.1:')]);
    // Retries would take half a minute.
    expect(performance.now() - began).toBeLessThan(10_000);
  },
);

test.for<[readonly string[], Record<string, string>, string]>([
  [
    ['list'],
    {},
    'No server found: AGENT_RUN_BASE_URL is not set, and FOLDER holds no server address. Start one in this folder with `npx agent-run serve`, or set AGENT_RUN_BASE_URL and AGENT_RUN_API_KEY.',
  ],
  [
    ['list', '--base-url', 'https://a.example.com'],
    {},
    'the API key for https://a.example.com/api/v1 is missing: give --api-key, or set AGENT_RUN_API_KEY',
  ],
  [
    ['list', '--base-url', 'https://a.example.com'],
    { AGENT_RUN_BASE_URL: 'https://own.example.com/runs', AGENT_RUN_API_KEY: 'some-key' },
    'the API key for https://a.example.com/api/v1 is missing: the key in AGENT_RUN_API_KEY belongs to https://own.example.com; give --api-key',
  ],
  [['list', '--base-url', 'a', '--api-key', 'k'], {}, '--base-url must be a URL that starts with https:// or http://'],
  [
    ['list', '--base-url', 'http://a.example.com', '--api-key', 'k'],
    {},
    '--base-url: the API key would be sent to a.example.com over plain HTTP. Use https, or allow it with --allow-http',
  ],
])("a missing setting is named as the command's own: %j", async ([args, env, sentence]) => {
  const cwd = createTempFolder();
  expect(await runCommand(args, { env, cwd })).toEqual({
    code: 2,
    stdout: '',
    stderr: `agent-run: ${sentence.replace('FOLDER', join(cwd, '.agent-run'))}\n`,
  });
});

test.for<[number, string]>([
  [400, 'cancel'],
  [403, 'get'],
  [401, 'list'],
])("a page with status %d is not the server's answer, for %s: exit code 3", async ([status, name]) => {
  await using server = await startScriptedServer(answerText(status, '<html>blocked by WAF</html>'));
  const words = name === 'list' ? [name] : [name, 'some-run'];
  const { code, stderr } = await runCommand([...words, '--base-url', server.url, '--api-key', 'some-key']);
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(/^agent-run: Something in front of the server, such as a proxy, answered instead: /),
  ]);
});

test.for<[number, string]>([
  [404, 'get'],
  [200, 'get'],
  [302, 'get'],
  [404, 'run'],
  [405, 'run'],
  [501, 'run'],
])('a page of another program with status %d, for %s: exit code 3', async ([status, name]) => {
  const web = createServer((_request, response) =>
    response
      .writeHead(status, { 'Content-Type': 'text/html', Location: '/login' })
      .end('<h1>\x1b]0;owned\x07hello</h1>'),
  );
  await new Promise<void>(open => web.listen(0, '127.0.0.1', open));
  onTestFinished(() => {
    web.close();
    web.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  const { code, stderr } = await runCommand([name, 'some-run', '--base-url', url, '--api-key', 'some-key']);
  expect([code, stderr]).toEqual([3, expect.stringContaining('No agent-run server answers at this address')]);
  expect(stderr).not.toContain('\x1b');
  expect(stderr).not.toContain('some-key');
});

test.for<[readonly string[], Record<string, string>, boolean]>([
  [['list'], {}, false],
  [['list'], { FORCE_COLOR: '1' }, true],
  [['list', '--no-color'], { FORCE_COLOR: '1' }, false],
])('%j with %j: whether an error is red', async ([args, env, isRed]) => {
  const { stderr } = await runCommand(args, { env, cwd: createTempFolder() });
  expect(stderr.startsWith('\x1b[31magent-run: No server found:')).toBe(isRed);
});
