/**
 * A small step for killed-step.test.ts to kill: runs a command with the server inside. Arguments: workspace,
 * RUNNER_TEMP, command.
 */
import { openEmbedded } from '../../../src/action/embedded/embedded.ts';
import { AgentRuns } from '../../../src/client/index.ts';

const [workspace = '', tempDir = '', command = ''] = process.argv.slice(2);
const server = await openEmbedded({
  workspace,
  tempDir,
  repository: undefined,
  command,
  allowScript: false,
  harness: undefined,
  modelId: undefined,
  passedEnv: {},
  baseEnv: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  warn: message => console.error(message),
});
const client = new AgentRuns({ baseUrl: server.baseUrl, apiKey: server.apiKey, fetch: server.fetch });
const { run_id } = await client.runs.create({ prompt: 'work' });
for await (const _ of client.runs.follow(run_id));
