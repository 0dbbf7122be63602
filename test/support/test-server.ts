import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { AgentRuns } from '../../src/client/index.ts';
import type { Run } from '../../src/contract/run.ts';
import { isFinal } from '../../src/contract/tables/state.ts';
import {
  type AgentRunServer,
  createServer,
  type Listening,
  listen,
  readServerConfig,
  type ServerConfig,
} from '../../src/server/index.ts';
import { createTempFolder } from './temp-folder.ts';

export const serverKey = 'key-of-the-test-server';

export interface TestServer {
  readonly url: string;
  readonly key: string;
  readonly dataDir: string;
  readonly server: AgentRunServer;
  readonly listening: Listening;
  readonly client: AgentRuns;
  stop(): Promise<void>;
}

type TestSettings = Partial<Omit<ServerConfig, 'limits'>> & { readonly limits?: Partial<ServerConfig['limits']> };

/** The real server on a free loopback port, with the `script` harness. Stopped after the test. */
export async function openTestServer({
  dataDir = join(createTempFolder(), 'data'),
  ...more
}: TestSettings = {}): Promise<TestServer> {
  const settings = readServerConfig({
    env: { PATH: process.env.PATH, AGENT_RUN_API_KEY: serverKey },
    cwd: createTempFolder(),
  });
  const config: ServerConfig = {
    ...settings,
    dataDir,
    port: 0,
    harnesses: { default: 'script', script: true, commands: {} },
    ...more,
    limits: { ...settings.limits, min_lease_seconds: 0.5, grace_seconds: 0.5, drain_seconds: 5, ...more.limits },
  };
  const server = await createServer(config, { log: () => {} });
  const listening = await listen(server, config);
  await server.start();
  const stop = () => server.stop({ drainSeconds: 0, beforeClose: () => listening.close(200) });
  onTestFinished(stop);
  return {
    url: listening.url,
    key: serverKey,
    dataDir,
    server,
    listening,
    client: new AgentRuns({ baseUrl: listening.url, apiKey: serverKey, logLevel: 'off' }),
    stop,
  };
}

/** A prompt with one fenced block for each text. */
export function fenced(...blocks: readonly string[]): string {
  return blocks.map(block => `\`\`\`bash\n${block}\n\`\`\``).join('\n\n');
}

/** Polls the run until it is over, without holding a lease, like a mere observer. */
export async function watchToEnd(client: AgentRuns, runId: string): Promise<Run> {
  for (;;) {
    const run = await client.runs.retrieve(runId);
    if (isFinal(run.state)) return run;
    await new Promise(wake => setTimeout(wake, 100));
  }
}
