/** Checks of MCP servers before a run is created. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createServer, readServerConfig } from '../../src/server/index.ts';
import { createTempFolder } from '../support/temp-folder.ts';

const key = 'key-of-the-test';

async function create(entry: Readonly<Record<string, unknown>>, harness = 'builtin') {
  const cwd = createTempFolder();
  const harnesses = ['builtin', 'codex'].map(
    name =>
      `  ${name}: { model: m, endpoint: { url: "http://127.0.0.1:9", api: openai-responses }, env: [OF_HARNESS] }\n`,
  );
  writeFileSync(
    join(cwd, 'agent-run.yaml'),
    `harnesses:\n  default: builtin\n${harnesses.join('')}environments: { shop: { env: [OF_SHOP] } }\n`,
  );
  const env = { PATH: '/usr/bin:/bin', AGENT_RUN_API_KEY: key, OF_HARNESS: 'a', OF_SHOP: 'b' };
  const server = await createServer({ ...readServerConfig({ env, cwd }), port: 0 }, { log: () => {} });
  onTestFinished(() => server.stop({ drainSeconds: 0 }));
  const config = { harness: { type: harness }, environment_id: 'shop', mcp_servers: { t: { command: 'x', ...entry } } };
  const answer = await server.fetch(
    new Request('http://localhost/api/v1/agent/run', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'do it', config }),
    }),
  );
  const { detail } = (await answer.json()) as { detail?: string };
  return [answer.status, detail ?? ''] as const;
}

test('MCP servers may name only variables of the harness and the environment', async () => {
  expect(await create({ args: ['${OF_HARNESS}', '${OF_SHOP}', '${NOWHERE:-c}'] })).toEqual([200, '']);
  expect(await create({ args: ['${AGENT_RUN_API_KEY}'] })).toEqual([
    400,
    expect.stringContaining('config.mcp_servers.t.args.0: the variable AGENT_RUN_API_KEY is not passed to the run'),
  ]);
});

test('an unsupported restriction of an MCP server is rejected by its path', async () => {
  expect(await create({ cwd: '/srv' })).toEqual([422, expect.stringContaining('config.mcp_servers.t.cwd: ')]);
  expect(await create({ tools: ['a'] })).toEqual([200, '']);
  expect(await create({ tools: ['a'] }, 'codex')).toEqual([
    422,
    expect.stringContaining('config.mcp_servers.t: Codex'),
  ]);
  expect(await create({ cwd: '/srv', disabled: true }, 'codex')).toEqual([200, '']);
});
