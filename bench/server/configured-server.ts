/** The server with settings of its own, in a process whose time and memory can be measured from outside. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog, createServer, listen, readServerConfig } from '../../src/server/index.ts';

export interface Spent {
  readonly cpuMs: number;
  readonly rssBytes: number;
  /** The most that the process has had so far. */
  readonly peakBytes: number;
}

export interface ConfiguredServer extends AsyncDisposable {
  readonly url: string;
  readonly key: string;
  /** What the process has used so far. */
  measure(): Promise<Spent>;
}

const key = 'bench-key-123456';

/** Starts a server with these settings of `agent-run.yaml` on a data folder that is removed with it. */
export async function startConfiguredServer(settings: Readonly<Record<string, unknown>>): Promise<ConfiguredServer> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-run-bench-'));
  const file = join(folder, 'agent-run.yaml');
  writeFileSync(file, JSON.stringify({ ...settings, port: 0, data: join(folder, 'data') }));
  const child = fork(import.meta.filename, [file], {
    env: { ...process.env, AGENT_RUN_API_KEY: key, BENCH_MODEL_KEY: key },
  });
  const next = async (): Promise<unknown> => (await once(child, 'message'))[0];
  return {
    url: (await next()) as string,
    key,
    async measure() {
      child.send('measure');
      return (await next()) as Spent;
    },
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function serve(file: string): Promise<void> {
  const config = readServerConfig({ env: process.env, flags: { config: file }, cwd: tmpdir() });
  const server = await createServer(config, { log: createLog(line => console.error(line), 'error') });
  const listening = await listen(server, config);
  await server.start();
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    const peakBytes = process.resourceUsage().maxRSS * 1024;
    process.send?.({ cpuMs: (user + system) / 1000, rssBytes: process.memoryUsage.rss(), peakBytes } satisfies Spent);
  });
  process.once('disconnect', () => void server.stop({ drainSeconds: 0, beforeClose: () => listening.close() }));
  process.send?.(listening.url);
}

if (import.meta.main) await serve(process.argv[2] ?? '');
