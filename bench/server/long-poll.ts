import { AgentRuns, type Fetch } from '../../src/client/index.ts';
import type { Measurement } from '../main.ts';
import { baseUrl, key, openDirectServer } from './direct-server.ts';

const rounds = 5;
const prompt = '```sh\nsleep 1; echo done\n```';

/**
 * How soon a follower learns that a run has ended: with long polls, and with plain polls, as for a service that cannot
 * hold a request.
 */
export async function measureLongPoll(): Promise<Measurement> {
  await using server = await openDirectServer();
  const withoutFeatures: Fetch = async (url, init) => {
    const response = await server.fetch(url, init);
    const headers = new Headers(response.headers);
    headers.delete('Agent-Run-Features');
    return new Response(response.body, { status: response.status, headers });
  };
  const longPoll = await meanDelayMs(server.fetch);
  const polling = await meanDelayMs(withoutFeatures);
  return {
    what: `from the end of a run to the follower that knows it, mean of ${rounds}`,
    rows: [
      ['long poll', `${longPoll.toFixed(0)} ms`],
      ['plain polling', `${polling.toFixed(0)} ms`],
    ],
    ratios: [{ name: 'delay, plain polling to long poll', value: polling / longPoll, goal: 'above 10' }],
  };
}

async function meanDelayMs(fetch: Fetch): Promise<number> {
  const client = new AgentRuns({ baseUrl, apiKey: key, fetch, logLevel: 'error' });
  let sum = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { run_id } = await client.runs.create({ prompt });
    const run = await client.runs.wait(run_id);
    sum += Date.now() - Date.parse(run.finished_at ?? '');
  }
  return sum / rounds;
}
