import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { createLog, createServer, listen, readServerConfig } from '../server/index.ts';

export interface DemoServer {
  readonly url: string;
  readonly key: string;
  /** What the demo's server was told, as a file for one's own. */
  readonly configFile: string;
  close(): Promise<void>;
}

/** How this clone is called by the demo's server; `skill_spec` names it. */
export const demoRepository = 'octo-org/agent-run';
/** The shortest lease of the demo, so that a killed step can be watched. */
export const demoLeaseSeconds = 2;

/** A whole server in a temporary folder: SQLite, a free loopback port, a fresh key, the `script` harness, and this clone as the one repository with skills. */
export async function startDemoServer(clone: string): Promise<DemoServer> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-run-demo-'));
  const configFile = join(folder, 'agent-run.yaml');
  await writeFile(
    configFile,
    stringify({
      data: join(folder, 'data'),
      port: 0,
      harnesses: { default: 'script', script: {} },
      skills: { repositories: { [demoRepository]: clone } },
      limits: { min_lease_seconds: demoLeaseSeconds, grace_seconds: 1 },
    }),
  );
  const key = `ar-${randomBytes(32).toString('base64url')}`;
  const { PATH, LANG, LC_ALL, USER, LOGNAME } = process.env;
  const config = readServerConfig({
    env: { PATH, LANG, LC_ALL, USER, LOGNAME, AGENT_RUN_API_KEY: key },
    flags: { config: configFile },
    cwd: folder,
  });
  const server = await createServer(config, { log: createLog(line => console.error(line), 'error') });
  const listening = await listen(server, config);
  await server.start();
  return {
    url: listening.url,
    key,
    configFile,
    async close() {
      await server.stop({ drainSeconds: 0, beforeClose: () => listening.close() });
      await rm(folder, { recursive: true, force: true });
    },
  };
}
