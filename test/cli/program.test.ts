import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { version } from '../../src/base/version.ts';
import { findClosedPort } from '../client/scripted-server.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { runCommand } from './command.ts';

const bin = resolve(import.meta.dirname, '../../bin');
const { refuseNode } = (await import(join(bin, 'node-version.js'))) as {
  refuseNode(version: string, path: string): string | undefined;
};

test.for(['22.18.0', '22.21.1', '23.6.0', '24.0.0', '26.1.0-nightly', '100.0.0'])('Node %s is taken', taken => {
  expect(refuseNode(taken, '/usr/bin/node')).toBeUndefined();
});

test.for(['14.0.0', '20.20.2', '22.17.9', '23.5.0', '9.18.0'])('Node %s is refused in one sentence', old => {
  expect(refuseNode(old, '/usr/bin/node')).toBe(
    `agent-run needs Node 22.18 or newer (of Node 23, 23.6), and /usr/bin/node is Node ${old}`,
  );
});

const oldNode = (process.env.PATH ?? '')
  .split(delimiter)
  .map(folder => join(folder, 'node'))
  .find(node => {
    const { stdout } = spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' });
    return typeof stdout === 'string' && stdout !== '' && refuseNode(stdout.trim(), node) !== undefined;
  });

test.skipIf(oldNode === undefined)('a Node that is too old says so, with exit code 2 and no stack', () => {
  const { status, stdout, stderr } = spawnSync(oldNode ?? '', [join(bin, 'agent-run.js'), 'list'], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^agent-run needs Node [^\n]+\n$/);
});

test.skipIf(process.platform === 'win32')(
  'the program starts by its own name, whatever folder it is called from',
  () => {
    expect(statSync(join(bin, 'agent-run.js')).mode & 0o111).toBe(0o111);
    const folder = createTempFolder();
    const path = [join(process.execPath, '..'), process.env.PATH].join(delimiter);
    const said = execFileSync(join(bin, 'agent-run.js'), ['--version'], { cwd: folder, env: { PATH: path } });
    expect(said.toString()).toBe(`agent-run ${version}\n`);
  },
);

test('nothing to do: the help on stderr, and exit code 2', async () => {
  const { code, stdout, stderr } = await runCommand([]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('agent-run COMMAND [flags]');
});

test('help that was asked for is no fault', async () => {
  const { code, stdout, stderr } = await runCommand(['run', '--help']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('agent-run run [PROMPT] [flags]');
});

test('a slip: one sentence on stderr, and exit code 2', async () => {
  const { code, stdout, stderr } = await runCommand(['list', '--state', 'FALED']);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^agent-run: --state takes [^\n]+ did you mean "FAILED"\?\n$/);
});

test('a server that is not there: exit code 3, and the address is named', async () => {
  const { code, stdout, stderr } = await runCommand(
    ['run', 'x', '--base-url', `http://127.0.0.1:${await findClosedPort()}`],
    {
      env: { AGENT_RUN_API_KEY: 'some-key' },
    },
  );
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toMatch(
    /^agent-run: the server cannot be reached: [^\n]*127\.0\.0\.1[^\n]*connection refused[^\n]*\n$/,
  );
});

test.for([404, 200, 302])('a page of another program with status %d: exit code 3', async status => {
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
  const { code, stderr } = await runCommand(['get', 'some-run', '--base-url', url, '--api-key', 'some-key']);
  expect([code, stderr]).toEqual([3, expect.stringContaining('there is no agent-run server at this address')]);
  expect(stderr).not.toContain('\x1b');
  expect(stderr).not.toContain('some-key');
});
