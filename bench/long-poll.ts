import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentRuns, type Fetch } from '../src/client/index.ts';
import { createLog, createServer, readServerConfig } from '../src/server/index.ts';
import type { Measurement } from './main.ts';

const rounds = 5;
const key = 'bench-key-123456';
const prompt = '```sh\nsleep 1; echo done\n```';

/** How long after its end a follower knows of it: by long poll, and by plain polls as against a service that cannot hold a request. */
export async function measureLongPoll(): Promise<Measurement> {
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-run-bench-'));
  const settings = readServerConfig({
    env: { PATH: process.env.PATH, AGENT_RUN_API_KEY: key, AGENT_RUN_DATA: dataDir },
    cwd: dataDir,
  });
  const config = { ...settings, harnesses: { default: 'script', script: true, commands: {} } };
  const server = await createServer(config, { log: createLog(line => console.error(line), 'error') });
  await server.start();
  const direct: Fetch = async (url, init) => server.fetch(new Request(url, init));
  const withoutFeatures: Fetch = async (url, init) => {
    const response = await direct(url, init);
    const headers = new Headers(response.headers);
    headers.delete('Agent-Run-Features');
    return new Response(response.body, { status: response.status, headers });
  };
  try {
    const longPoll = await meanDelayMs(direct);
    const polling = await meanDelayMs(withoutFeatures);
    return {
      what: `from the end of a run to the follower that knows it, mean of ${rounds}`,
      rows: [
        ['long poll', `${longPoll.toFixed(0)} ms`],
        ['plain polling', `${polling.toFixed(0)} ms`],
      ],
      ratios: [{ name: 'ratio', value: polling / longPoll, goal: 'above 10' }],
    };
  } finally {
    await server.stop({ drainSeconds: 0 });
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function meanDelayMs(fetch: Fetch): Promise<number> {
  const client = new AgentRuns({ baseUrl: 'http://127.0.0.1', apiKey: key, fetch, logLevel: 'error' });
  let sum = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { run_id } = await client.runs.create({ prompt });
    const run = await client.runs.wait(run_id);
    sum += Date.now() - Date.parse(run.finished_at ?? '');
  }
  return sum / rounds;
}
