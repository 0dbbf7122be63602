/** The server on a port, for a bench. With `no-flush`, commits do not wait for the disk. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createLog, createServer, listen, readServerConfig } from '../../src/server/index.ts';
import { key } from './direct-server.ts';
import { serveBench } from './server-process.ts';

if (process.argv.includes('no-flush')) {
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function execUnflushed(sql) {
    exec.call(this, sql.replace('synchronous = FULL', 'synchronous = OFF'));
  };
}
const dataDir = mkdtempSync(join(tmpdir(), 'agent-run-bench-'));
const settings = readServerConfig({
  env: { PATH: process.env.PATH, AGENT_RUN_API_KEY: key, AGENT_RUN_DATA: dataDir },
  cwd: dataDir,
});
const config = {
  ...settings,
  port: 0,
  harnesses: { default: 'script', script: true, commands: {} },
  // One run takes the place, and all others stay queued.
  limits: { ...settings.limits, concurrency: 1, grace_seconds: 0.2 },
};
const server = await createServer(config, { log: createLog(line => console.error(line), 'error') });
const listening = await listen(server, { ...config, ownsProcess: true });
await server.start();
serveBench(Number(new URL(listening.url).port), async () => {
  await server.stop({ drainSeconds: 0, beforeClose: () => listening.close(0) });
  rmSync(dataDir, { recursive: true, force: true });
});
