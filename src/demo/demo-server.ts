import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { createLog, createServer, listen, readServerConfig } from '../server/index.ts';
import { createShop, shopRepository } from './shop.ts';

export interface DemoServer {
  readonly url: string;
  readonly key: string;
  /** The server's configuration, as a file to start from. */
  readonly configFile: string;
  /** The folder of the agents' project. It exists if there are agents. */
  readonly shop: string;
  close(): Promise<void>;
}

interface DemoServerOptions {
  readonly clone: string;
  /** Harnesses in addition to `script`, as they are in the file. */
  readonly agents: Readonly<Record<string, object>>;
  /** Variables that they name, and where agents are installed. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Name of this clone on the demo's server, for `skill_spec`. */
export const demoRepository = 'octo-org/agent-run';
/** The shortest lease of the demo, so that a killed step can be watched. */
export const demoLeaseSeconds = 2;

/**
 * A whole server in a temporary folder: SQLite, a free loopback port, a new key, the `script` harness and agents, and
 * this clone as a repository with skills.
 */
export async function startDemoServer(options: DemoServerOptions): Promise<DemoServer> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-run-demo-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    return await startIn(folder, options, remove);
  } catch (error) {
    await remove();
    throw error;
  }
}

async function startIn(
  folder: string,
  { clone, agents, env }: DemoServerOptions,
  remove: () => Promise<void>,
): Promise<DemoServer> {
  const configFile = join(folder, 'agent-run.yaml');
  const shop = join(folder, 'shop');
  const hasShop = Object.keys(agents).length > 0;
  if (hasShop) await createShop(shop);
  await writeFile(
    configFile,
    stringify({
      data: join(folder, 'data'),
      port: 0,
      harnesses: { default: 'script', script: {}, ...agents },
      skills: { repositories: { [demoRepository]: clone, ...(hasShop ? { [shopRepository]: shop } : {}) } },
      limits: { min_lease_seconds: demoLeaseSeconds, grace_seconds: 1 },
    }),
  );
  const key = `ar-${randomBytes(32).toString('base64url')}`;
  const { PATH, LANG, LC_ALL, USER, LOGNAME } = process.env;
  const config = readServerConfig({
    env: { ...env, PATH, LANG, LC_ALL, USER, LOGNAME, AGENT_RUN_API_KEY: key },
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
    shop,
    async close() {
      await server.stop({ drainSeconds: 0, beforeClose: () => listening.close() });
      await remove();
    },
  };
}
