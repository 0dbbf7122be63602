/**
 * The client that the protocol's conformance suite starts, with the address of its server as the last argument: a
 * real run of the built-in agent, which calls the first tool of that server. Exits with 0 if the run succeeded.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentRuns } from '../../src/client/index.ts';
import { createServer, listen, readServerConfig } from '../../src/server/index.ts';
import { startModelServer } from '../../src/testing/index.ts';

const url = process.argv.at(-1) ?? '';
const key = 'key-of-the-conformance-client';
const folder = await mkdtemp(join(tmpdir(), 'agent-run-conformance-'));
await using model = await startModelServer(({ tools, toolResults }) => {
  const [result] = toolResults;
  const tool = tools.map(({ name }) => name.split('mcp__suite__')[1]).find(name => name !== undefined);
  if (result !== undefined) return { text: `It said: ${result.text}` };
  return tool === undefined
    ? { text: 'No tools.' }
    : { tools: [{ mcp: { server: 'suite', tool, input: { a: 2, b: 3 } } }] };
});
const settings = readServerConfig({ env: { PATH: process.env.PATH, AGENT_RUN_API_KEY: key }, cwd: folder });
const builtin = {
  kind: 'builtin',
  endpoint: { api: 'openai-chat', root: model.url, apiKey: 'none' },
  model: 'm-1',
  models: undefined,
  program: undefined,
  steps: 5,
  stallMs: 60_000,
  env: {},
} as const;
const config = {
  ...settings,
  dataDir: join(folder, 'data'),
  port: 0,
  harnesses: { default: 'builtin', script: false, commands: {}, agents: { builtin } },
};
const server = await createServer(config, { log: () => {} });
const listening = await listen(server, config);
await server.start();
try {
  const client = new AgentRuns({ baseUrl: listening.url, apiKey: key, logLevel: 'off' });
  const { run_id } = await client.runs.create({
    prompt: 'Use the tool.',
    config: { mcp_servers: { suite: { url } } },
  });
  const run = await client.runs.wait(run_id);
  console.log(run.state, run.result?.text ?? run.status_message?.message);
  process.exitCode = run.state === 'SUCCEEDED' ? 0 : 1;
} finally {
  await server.stop({ drainSeconds: 0, beforeClose: () => listening.close(200) });
  await rm(folder, { recursive: true, force: true });
}
