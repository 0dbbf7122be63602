/**
 * What a step costs after the run is over: from the end of the run, as the server wrote it, to the end of the
 * process, with outputs, the file of the result and the summary. And what it asks of the server on the way. Both
 * clocks are this machine's.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentRuns } from '../../src/client/index.ts';
import { createTestServer } from '../../src/testing/index.ts';
import type { Measurement } from '../main.ts';
import { median } from '../quantile.ts';
import { mainEntry, startProcess, stepVariables } from './step-process.ts';

const rounds = 9;
const warmUps = 1;
const prompt = '```sh\necho at work\nsleep 0.5\necho "the result" > "$AGENT_RUN_RESULT"\n```';

export async function measureActionEnd(): Promise<Measurement> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-run-bench-'));
  const server = await createTestServer();
  try {
    const client = new AgentRuns({ baseUrl: server.baseUrl, apiKey: server.apiKey });
    const ends: number[] = [];
    const requests: number[] = [];
    for (let round = -warmUps; round < rounds; round += 1) {
      const title = `round ${round}`;
      const before = server.requests.length;
      const inputs = { prompt, title, base_url: server.baseUrl, api_key: server.apiKey };
      const env = stepVariables({ folder, inputs });
      const [exitCode] = await once(startProcess(mainEntry, { ...env, PATH: process.env.PATH ?? '' }), 'exit');
      const endedAt = Date.now();
      if (exitCode !== 0) throw new Error('the step failed; `npm run build` and try again');
      const asked = server.requests.length - before;
      const [run] = (await client.runs.list({ sort_by: 'created_at', sort_order: 'desc', limit: 1 })).runs;
      if (round < 0) continue;
      ends.push(endedAt - Date.parse(run?.finished_at ?? ''));
      requests.push(asked);
    }
    return {
      what: `a step whose run takes half a second, medians of ${rounds}`,
      rows: [['all of them, in ms', ends.join(' ')]],
      ratios: [
        { name: 'end of run to end of step, ms', value: median(ends), goal: 'at most 100' },
        { name: 'requests to the server', value: median(requests), goal: 'at most 8' },
      ],
    };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
