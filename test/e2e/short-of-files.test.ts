/** A server that has no open files left: by a limit that is set while it runs, and by connections of strangers. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../support/served.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { fenced } from '../support/test-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const onLinux = test.skipIf(process.platform !== 'linux');

const countOpen = (pid: number) => readdirSync(`/proc/${pid}/fd`).length;
const setLimit = (pid: number, limit: number) => execFileSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:`]);

onLinux('runs that cannot be started for want of open files stay QUEUED, say so, and succeed later', async () => {
  const { process: child, client } = await serve(createTempFolder());
  const pid = child.pid ?? 0;
  await client.runs.list();
  setLimit(pid, countOpen(pid) + 2);
  const created: string[] = [];
  for (let count = 0; count < 8; count += 1) {
    const { run_id } = await client.runs.create({ prompt: fenced('echo done') });
    created.push(run_id);
  }
  const read = async () => await Promise.all(created.map(id => client.runs.retrieve(id)));
  await waitUntil(async () => (await read()).some(run => run.status_message !== undefined));
  const waiting = await read();
  const told = waiting.find(run => run.status_message !== undefined);
  expect(told?.status_message?.message).toMatch(/^the server is short of open files.*EMFILE.*\. It will try again$/);
  expect(waiting.filter(run => run.state !== 'QUEUED' && run.state !== 'INPROGRESS')).toEqual([]);
  setLimit(pid, 4096);
  for (const id of created) expect((await client.runs.wait(id)).state).toBe('SUCCEEDED');
});

onLinux(
  'a run whose agent has run when open files run short ends when there are some, and its agent is not run again',
  async () => {
    const folder = createTempFolder();
    const { process: child, client } = await serve(folder);
    const pid = child.pid ?? 0;
    const [starts, go] = [join(folder, 'starts'), join(folder, 'go')];
    const { run_id } = await client.runs.create({
      prompt: fenced(`echo started >>${starts}; until [ -e ${go} ]; do sleep 0.05; done; echo done`),
    });
    await waitUntil(() => existsSync(starts));
    setLimit(pid, 3);
    writeFileSync(go, '');
    await setTimeout(2000);
    setLimit(pid, 4096);
    expect((await client.runs.wait(run_id)).state).toBe('SUCCEEDED');
    expect(readFileSync(starts, 'utf8')).toBe('started\n');
  },
);

onLinux('connections that say nothing keep nobody out and take no files from runs', async () => {
  const {
    process: child,
    url,
    client,
  } = await serve(createTempFolder(), undefined, '0', { shell: 'ulimit -n 300; exec "$0" "$@"' });
  const { hostname, port } = new URL(url);
  for (let count = 0; count < 400; count += 1) {
    const socket = net.connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    await once(socket, 'connect');
    // Half of them begin a request.
    if (count % 2 === 0) socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
  }
  await waitUntil(() => countOpen(child.pid ?? 0) < 200);
  const created = await Promise.all(
    Array.from({ length: 20 }, () => client.runs.create({ prompt: fenced('echo done') })),
  );
  for (const { run_id } of created) expect((await client.runs.wait(run_id)).state).toBe('SUCCEEDED');
});
