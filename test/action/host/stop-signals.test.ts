import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { isAlive } from '../../support/processes.ts';

const source = pathToFileURL(resolve(import.meta.dirname, '../../../src/action/host/stop-signals.ts')).href;
const listening = `import { listenForStop } from ${JSON.stringify(source)}; const stop = listenForStop();`;
/** Continues after its first stop signal. */
const stubborn = `${listening} stop.onStop(() => console.log('stopping')); setInterval(() => {}, 1000); console.log('ready');`;

/** Starts a program, with a promise that waits for a text in its log. */
function start(code: string): {
  child: ChildProcess;
  said: (text: string) => Promise<void>;
  ended: Promise<unknown[]>;
} {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let log = '';
  const more = new EventTarget();
  child.stdout.on('data', chunk => {
    log += chunk;
    more.dispatchEvent(new Event('more'));
  });
  const said = async (text: string) => {
    while (!log.includes(text)) await once(more, 'more');
  };
  return { child, said, ended: once(child, 'close') };
}

test.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'the first %s is reported, and the second ends the process with the usual exit code',
  async signal => {
    const { child, said, ended } = start(stubborn);
    await said('ready');
    child.kill(signal);
    await said('stopping');
    child.kill(signal);
    expect(await ended).toEqual([null, signal]);
  },
);

test.skipIf(process.platform === 'win32')('a second signal of another kind ends the process too', async () => {
  const { child, said, ended } = start(stubborn);
  await said('ready');
  child.kill('SIGINT');
  await said('stopping');
  child.kill('SIGTERM');
  expect(await ended).toEqual([null, 'SIGTERM']);
});

test.skipIf(process.platform === 'win32')('a signal before the first listener is reported to it', async () => {
  const { said, ended } = start(
    `${listening} process.kill(process.pid, 'SIGINT'); setTimeout(() => stop.onStop(() => console.log('stopping')), 50);`,
  );
  await said('stopping');
  expect(await ended).toEqual([0, null]);
});

test.skipIf(process.platform === 'win32')('after listening stopped, a signal ends the process', async () => {
  const { child, said, ended } = start(
    `${listening} stop.onStop(() => console.log('stopping'))(); setInterval(() => {}, 1000); console.log('ready');`,
  );
  await said('ready');
  child.kill('SIGTERM');
  expect(await ended).toEqual([null, 'SIGTERM']);
});

test('a process that only listens ends by itself', async () => {
  expect(await start(listening).ended).toEqual([0, null]);
});

test.skipIf(process.platform === 'win32')('a vanished runner counts as its two signals', async () => {
  // The shell starts the step and is killed.
  const program = `console.log('pid', process.pid); ${stubborn.replace('listenForStop()', 'listenForStop({ insistMs: 100 })')}`;
  const shell = spawn('sh', ['-c', '"$0" --input-type=module -e "$1" & wait', process.execPath, program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let log = '';
  shell.stdout.on('data', chunk => {
    log += chunk;
  });
  onTestFinished(() => {
    const pid = /pid (\d+)/.exec(log)?.[1];
    if (pid !== undefined && isAlive(Number(pid))) process.kill(Number(pid), 'SIGKILL');
  });
  while (!log.includes('ready')) await once(shell.stdout, 'data');
  shell.kill('SIGKILL');
  while (!log.includes('stopping')) await once(shell.stdout, 'data');
  // The pipe closes with the last process that holds it.
  await once(shell.stdout, 'end');
});
