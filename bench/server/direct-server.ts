import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fetch } from '../../src/client/index.ts';
import { createLog, createServer, readServerConfig } from '../../src/server/index.ts';

export const key = 'bench-key-123456';
export const baseUrl = 'http://127.0.0.1';

export interface DirectServer extends AsyncDisposable {
  /** Reaches the server in this process, without a socket. */
  readonly fetch: Fetch;
}

/** The server with the `script` harness on a data folder of its own, which is gone with it. */
export async function openDirectServer(): Promise<DirectServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-run-bench-'));
  const settings = readServerConfig({
    env: { PATH: process.env.PATH, AGENT_RUN_API_KEY: key, AGENT_RUN_DATA: dataDir },
    cwd: dataDir,
  });
  const config = { ...settings, harnesses: { default: 'script', script: true, commands: {} } };
  const server = await createServer(config, { log: createLog(line => console.error(line), 'error') });
  await server.start();
  return {
    fetch: async (url, init) => server.fetch(new Request(url, init)),
    async [Symbol.asyncDispose]() {
      await server.stop({ drainSeconds: 0 });
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
