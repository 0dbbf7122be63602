import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type EmbeddedOptions, type EmbeddedServer, openEmbedded } from '../../../src/action/embedded/embedded.ts';
import { AgentRuns, type CreateRunBody, type Run } from '../../../src/client/index.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

export interface Opened {
  readonly server: EmbeddedServer;
  readonly client: AgentRuns;
  readonly workspace: string;
  readonly tempDir: string;
  readonly warnings: readonly string[];
  /** Follows a new run to its end. */
  work(body: CreateRunBody): Promise<Run>;
}

/** Opens a step's server with its own workspace and temporary folder. Closed after the test. */
export async function open(options: Partial<EmbeddedOptions> = {}): Promise<Opened> {
  const root = realpathSync(createTempFolder());
  const [workspace, tempDir] = [join(root, 'workspace'), join(root, 'temp')];
  for (const folder of [workspace, tempDir]) mkdirSync(folder);
  const warnings: string[] = [];
  const server = await openEmbedded({
    workspace,
    tempDir,
    repository: undefined,
    command: undefined,
    allowScript: false,
    harness: undefined,
    modelId: undefined,
    passedEnv: {},
    baseEnv: process.env,
    warn: message => warnings.push(message),
    ...options,
  });
  onTestFinished(() => server.close());
  const client = new AgentRuns({ baseUrl: server.baseUrl, apiKey: server.apiKey, fetch: server.fetch });
  return {
    server,
    client,
    workspace,
    tempDir,
    warnings,
    async work(body) {
      const { run_id } = await client.runs.create(body);
      let last: Run | undefined;
      for await (const run of client.runs.follow(run_id)) last = run;
      if (last === undefined) throw new Error('the run was never seen');
      return last;
    },
  };
}
