import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { examineServer } from '../../src/server/doctor/doctor.ts';
import type { Finding } from '../../src/server/doctor/finding.ts';
import { createServer, readServerConfig } from '../../src/server/index.ts';
import { installFakeDocker } from '../support/fake-docker.ts';
import { createTempFolder } from '../support/temp-folder.ts';

const key = 'key-of-the-test';

function configure(yaml: string, env: Readonly<Record<string, string>> = {}) {
  const cwd = createTempFolder();
  writeFileSync(join(cwd, 'agent-run.yaml'), yaml);
  return { ...readServerConfig({ env: { PATH: '/usr/bin:/bin', AGENT_RUN_API_KEY: key, ...env }, cwd }), port: 0 };
}

/** The answer of a server to a create request, and its warnings at startup. */
async function create(config: ReturnType<typeof configure>, body: Readonly<Record<string, unknown>>) {
  const warnings: string[] = [];
  const server = await createServer(config, { log: (level, message) => level === 'warn' && warnings.push(message) });
  onTestFinished(() => server.stop({ drainSeconds: 0 }));
  await server.start();
  const answer = await server.fetch(
    new Request('http://localhost/api/v1/agent/run', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'do it', ...body }),
    }),
  );
  const { detail } = (await answer.json()) as { detail?: string };
  return { status: answer.status, detail, warnings };
}

const shop = 'harnesses: { mine: { command: [echo, hi] } }\nenvironments: { shop: { docker_image: "tools:1" } }\n';
const inShop = { config: { environment_id: 'shop' } };
const noEngine = 'docker: { command: no-such-engine }\n';

test('a server without an engine starts, says so, and refuses the runs that need one', async () => {
  const { status, detail, warnings } = await create(configure(`${shop}${noEngine}`), inShop);
  const why = "`docker.command`: no-such-engine was not found on the server's PATH";
  expect([status, detail]).toEqual([
    422,
    `config.environment_id: the environment shop runs in a container (\`docker_image\`), but ${why}`,
  ]);
  expect(warnings).toContain(`runs in containers will be refused: ${why}`);
  expect((await create(configure(`${shop}${noEngine}`), {})).status).toBe(200);
  const all = configure(
    `harnesses: { mine: { command: [echo, hi] } }\ndocker: { command: no-such-engine, image: "tools:1" }\n`,
  );
  expect((await create(all, {})).detail).toBe(`this server runs agents in a container (\`docker.image\`), but ${why}`);
});

test('a create request for an unreachable container setup creates no run', async () => {
  const docker = installFakeDocker();
  const agent = (network: string) =>
    configure(
      `harnesses: { builtin: { model: m, endpoint: { url: "http://127.0.0.1:11434", api: openai-chat } } }
environments: { shop: { docker_image: "tools:1" } }
docker: { command: "${docker.file}"${network} }\n`,
      docker.env,
    );
  const refused = await create(agent(''), inShop);
  expect([refused.status, refused.detail]).toEqual([
    422,
    'config.harness.type: the model endpoint of builtin: http://127.0.0.1:11434 points to the container itself when used inside a container; use an address that the container can reach, or set `docker.network: host` on this server',
  ]);
  expect((await create(agent(', network: none'), inShop)).detail).toContain('cannot be reached from the container');
  expect((await create(agent(''), {})).status).toBe(200);
  expect((await create(agent(', network: host'), inShop)).status).toBe(200);
  const mcp_servers = { tools: { url: 'http://localhost:9/mcp' } };
  const outside = configure(
    `harnesses: { builtin: { model: m, endpoint: { url: "https://models.example.com", api: openai-chat } } }
docker: { command: "${docker.file}", image: "tools:1" }\n`,
    docker.env,
  );
  expect((await create(outside, { config: { mcp_servers } })).detail).toMatch(
    /^config\.mcp_servers\.tools\.url: http:\/\/localhost:9\/mcp points to the container itself/,
  );
});

test('an environment shows its image', async () => {
  const server = await createServer(configure(shop), { log: () => {} });
  onTestFinished(() => server.stop({ drainSeconds: 0 }));
  const headers = { authorization: `Bearer ${key}` };
  const answer = await server.fetch(new Request('http://localhost/api/v1/agent/environments', { headers }));
  expect(await answer.json()).toMatchObject({ environments: [{ config: { name: 'shop', docker_image: 'tools:1' } }] });
});

test('invalid container settings stop the start', () => {
  expect(() => configure('docker: { network: "--privileged" }')).toThrow('docker.network: must be a network name');
  expect(() => configure('docker: { image: "-v /:/host" }')).toThrow('docker.image: must be an image name');
  expect(() => configure('docker: { privileged: true }')).toThrow('docker.privileged');
});

async function examine(config: ReturnType<typeof configure>) {
  const findings: Finding[] = [];
  for await (const finding of examineServer(config, { asksModels: false })) findings.push(finding);
  return findings.filter(({ subject }) => /container|image/.test(subject));
}

test('the doctor checks engine and images only if runs use containers', async () => {
  const docker = installFakeDocker();
  const yaml = `${shop}docker: { command: "${docker.file}", image: "other:2" }\n`;
  expect(await examine(configure(yaml, docker.env))).toMatchObject([
    { subject: 'containers', status: 'ok', text: `Docker version 28.0.0, build fake, ${docker.file}` },
    { subject: 'image other:2', status: 'warn', remedy: `pull it now: ${docker.file} pull other:2` },
    { subject: 'image tools:1', status: 'ok' },
  ]);
  docker.stopEngine();
  expect(await examine(configure(yaml, docker.env))).toMatchObject([
    { subject: 'containers', status: 'fail', text: expect.stringContaining('Cannot connect to the Docker daemon') },
  ]);
  expect(await examine(configure(`${shop}${noEngine}`))).toMatchObject([
    { subject: 'containers', status: 'fail', text: expect.stringContaining('no-such-engine was not found') },
  ]);
  expect(await examine(configure('harnesses: { mine: { command: [echo, hi] } }'))).toEqual([]);
});
