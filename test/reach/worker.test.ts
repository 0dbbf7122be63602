/** The packed client, bundled, in a worker as Cloudflare runs them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterAll, expect, onTestFinished } from 'vitest';
import { openTestServer } from '../support/test-server.ts';
import { expectedReport } from './exercise.ts';
import { prepareExercise, testOn, workerd } from './runtime.ts';

const prepared = await prepareExercise();
afterAll(() => prepared[Symbol.dispose]());

const worker = `export default {
  async fetch(request) {
    return Response.json(await exercise(await request.json()));
  },
};`;
/** The worker may reach this machine alone. */
const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "2026-11-01",
      globalOutbound = "loopback",
    )),
    (name = "loopback", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);`;

/** Address of a worker that is gone after the test. */
async function startWorker(): Promise<string> {
  writeFileSync(join(prepared.folder, 'worker.js'), await prepared.bundle(worker));
  writeFileSync(join(prepared.folder, 'worker.capnp'), config);
  const child = spawn(workerd.path, ['serve', '--control-fd=3', 'worker.capnp'], {
    cwd: prepared.folder,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const said: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const lines = createInterface({ input: child.stdio[3] as Readable });
  const [line] = await Promise.race([
    once(lines, 'line'),
    ended.then(() => {
      throw new Error(`workerd ended: ${said.join('')}`);
    }),
  ]);
  return `http://127.0.0.1:${JSON.parse(String(line)).port}`;
}

testOn(workerd, 'the packed client works in a worker', async () => {
  const { url, key } = await openTestServer();
  const response = await fetch(await startWorker(), {
    method: 'POST',
    body: JSON.stringify({ baseUrl: url, apiKey: key }),
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  expect(JSON.parse(text)).toEqual(expectedReport);
});
