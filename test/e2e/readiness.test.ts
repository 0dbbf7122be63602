/** What `/readyz` says of a served process: while it starts, when it is told to end at once, and when its disk is full. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serve, spawnServe } from '../support/served.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { waitUntil } from '../support/wait-until.ts';

const onLinux = test.skipIf(process.platform !== 'linux');

const ask = async (url: string) => {
  const answer = await fetch(`${url}/readyz`);
  const { reason } = (await answer.json()) as { readonly reason?: string };
  return { status: answer.status, reason };
};

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('a server that is told to end as soon as its port is open ends well', async () => {
  const port = await findFreePort();
  const child = spawnServe(createTempFolder(), String(port));
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await waitUntil(
    async () =>
      await fetch(`http://127.0.0.1:${port}/healthz`).then(
        () => true,
        () => false,
      ),
  );
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

onLinux('a server whose database cannot grow is not ready, says why, and is ready again when it can', async () => {
  const folder = createTempFolder();
  const { process: child, url } = await serve(folder);
  expect(await ask(url)).toMatchObject({ status: 200 });
  const { size } = statSync(join(folder, 'data', 'agent-run.sqlite-wal'));
  const setLimit = (bytes: string) => execFileSync('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:`]);
  setLimit(String(size));
  await waitUntil(async () => (await ask(url)).status === 503);
  expect((await ask(url)).reason).toMatch(/^cannot write to the data folder: Error: /);
  setLimit('unlimited');
  await waitUntil(async () => (await ask(url)).status === 200);
});

const mounting = (data: string) =>
  `exec unshare -rm sh -c 'mount -t tmpfs -o size=12m,mode=700 none "${data}" && exec "$0" "$@"' "$0" "$@"`;
const canMount = (() => {
  try {
    execFileSync('sh', ['-c', mounting('/tmp'), 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn('skipped: no small file system can be mounted here, so that no disk can be filled');
    return false;
  }
})();

test.skipIf(!canMount)('a server whose disk is full is not ready, says why, and is ready again', async () => {
  const folder = createTempFolder();
  const data = join(folder, 'data');
  mkdirSync(data);
  const { process: child, url } = await serve(folder, undefined, '0', { shell: mounting(data) });
  expect(await ask(url)).toMatchObject({ status: 200 });
  const filler = join(`/proc/${child.pid}/root`, data, 'filler');
  writeFileSync(filler, Buffer.alloc(8 * 1024 * 1024));
  await waitUntil(async () => (await ask(url)).status === 503);
  expect((await ask(url)).reason).toBe('the disk of the data folder is full: less than 8 MiB is free');
  rmSync(filler);
  await waitUntil(async () => (await ask(url)).status === 200);
});
