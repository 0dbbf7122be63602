/**
 * What a call through the Python client costs, against bare httpx with `json()`. Both read the same run from a server
 * over loopback, in small batches that take turns; a ratio is the median of the rounds' ratios. The time of a call has
 * the server's work in it, the processor time is Python's alone.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AgentRuns } from '../../src/client/index.ts';
import { createTestServer } from '../../src/testing/index.ts';
import { findPython, pythonFolder } from '../../test/support/python.ts';
import type { Measurement } from '../main.ts';
import { median } from '../quantile.ts';

const rounds = 60;
const batch = 50;

/** Seconds for a call. */
type Cost = readonly [wall: number, processor: number];
type Round = Readonly<Record<'bare' | 'own', Cost>>;

export async function measurePythonClient(): Promise<Measurement> {
  const python = findPython('httpx');
  if (python === undefined) return { what: 'skipped: no python3 has httpx', rows: [], ratios: [] };
  const server = await createTestServer();
  try {
    const { baseUrl, apiKey } = server;
    const client = new AgentRuns({ baseUrl, apiKey, logLevel: 'off' });
    const { run_id } = await client.runs.create({ prompt: '```sh\necho done\n```' });
    await client.runs.wait(run_id);
    const program = join(import.meta.dirname, 'python-client.py');
    const args = [program, baseUrl, apiKey, run_id, String(rounds), String(batch)];
    const { stdout } = await promisify(execFile)(python, args, {
      env: { PATH: process.env.PATH, PYTHONPATH: join(pythonFolder, 'src'), PYTHONDONTWRITEBYTECODE: '1' },
    });
    const costs = JSON.parse(stdout) as readonly Round[];
    const print = (name: keyof Round) => {
      const [wall, processor] = ([0, 1] as const).map(part => median(costs.map(round => round[name][part])) * 1e6);
      return `${wall?.toFixed(0)} µs, of the processor ${processor?.toFixed(0)} µs`;
    };
    const ratio = (part: 0 | 1) => median(costs.map(({ bare, own }) => own[part] / bare[part]));
    return {
      what: `reading a run over loopback with Python, medians of ${rounds} rounds`,
      rows: [
        ['bare httpx', print('bare')],
        ['this client', print('own')],
      ],
      ratios: [
        { name: 'time, to bare httpx', value: ratio(0), goal: 'at most 1.2' },
        { name: 'processor time, to bare httpx', value: ratio(1), goal: undefined },
      ],
    };
  } finally {
    await server.stop();
  }
}
