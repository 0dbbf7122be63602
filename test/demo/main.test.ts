import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTempFolder } from '../support/temp-folder.ts';

const program = resolve(import.meta.dirname, '../../bin/start.js');

/** The demo as a process of its own that keeps its folders in `folder`. */
function startDemo(...args: readonly string[]) {
  const folder = createTempFolder();
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string; left: readonly string[] }>(end =>
    child.once('close', code => end({ code, stdout, stderr, left: readdirSync(folder) })),
  );
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  const says = async (text: string) => {
    while (!stdout.includes(text)) await Promise.race([new Promise(wake => setTimeout(wake, 20)), ended]);
  };
  return { child, ended, says };
}

const slow = ['--prompt', '```sh\necho ready\nsleep 60\n```'] as const;

test.for(['SIGINT', 'SIGTERM'] as const)('%s in the middle of a step leaves no folder behind', async signal => {
  const { child, ended, says } = startDemo(...slow);
  await says('│ ready');
  child.kill(signal);
  expect(await ended).toMatchObject({ code: 130, stderr: '', left: [] });
});

test('SIGINT while everything is being opened leaves no folder behind either', async () => {
  const { child, ended, says } = startDemo(...slow);
  await says('== One step');
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 130, stderr: '', left: [] });
});

test('a reader that goes away (`| head`) ends the demo without a stack and without a folder left behind', async () => {
  const { child, ended, says } = startDemo('--prompt', '```sh\necho ready\nsleep 1\necho more\nsleep 60\n```');
  await says('│ ready');
  child.stdout.destroy();
  expect(await ended).toMatchObject({ code: 130, stderr: '', left: [] });
});

test.for([
  ['--prompt', ''],
  ['--prompt', ' \n'],
  ['--skill', 'foo'],
])('%s %j is refused before anything is started, with exit code 2', async args => {
  const { code, stdout, stderr, left } = await startDemo(...args).ended;
  expect([code, stdout, left]).toEqual([2, '', []]);
  expect(stderr).toMatch(/^(--prompt is empty|"foo" is no skill)[^\n]+\n\nnpm start -- /);
});

test('a step without a summary has no section for one', async () => {
  const { code, stdout } = await startDemo('--prompt', 'no block in it').ended;
  expect(code).toBe(1);
  expect(stdout).not.toMatch(/== Job summary ==\s+(==|$)/);
});
