import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { AgentRuns } from '../../src/client/index.ts';
import type { BenchOptions, Measurement } from '../main.ts';
import { quantile } from '../quantile.ts';
import { type ConfiguredServer, startConfiguredServer } from './configured-server.ts';

const mebibyte = 1024 * 1024;
const line =
  'a line of a build, about as long as most of them are: compiled src/server/output/event-writer.ts in 12 ms';
const delta = (text: string) =>
  JSON.stringify({ type: 'stream_event', event: { type: 'content_block_delta', delta: { type: 'text_delta', text } } });
const said = JSON.stringify({
  type: 'assistant',
  message: { id: 'msg_1', model: 'm', content: [{ type: 'text', text: 'Now I read the file. '.repeat(20) }] },
});
const events = `${`${delta(' and then')}\n`.repeat(20)}${said}`;

/** What a program prints. `$BYTES` is how much. */
const shapes: Readonly<Record<string, string>> = {
  lines: `yes '${line}' | head -c $BYTES`,
  tiny: 'yes | head -c $BYTES',
  endless: `yes '${line}' | tr '\\n' ' ' | head -c $BYTES`,
  blank: "yes '' | tr '\\n' ' ' | head -c $BYTES",
  unicode:
    "yes 'Größe: 12 €, übersetzt in 3 ms ✓ und danach noch etwas mehr Text, wie ihn ein Programm druckt' | head -c $BYTES",
  both: `yes '${line}' | head -c $((BYTES / 2)) & yes '${line}' | head -c $((BYTES / 2)) >&2; wait`,
  events: `yes '${events}' | head -c $BYTES`,
};

interface Reading {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly grownBytes: number;
  readonly healthMs: number;
}

/**
 * A run that prints much, with the default limit of its log and with all of it kept. `--megabytes N` says how much,
 * `--shape NAME` what: lines, tiny lines, one endless line, only spaces, other characters than ASCII, both streams at
 * once, or the events of an agent.
 */
export async function measureOutput({ megabytes = '200', shape = 'lines' }: BenchOptions): Promise<Measurement> {
  const bytes = Number(megabytes) * 1e6;
  const script = shapes[shape]?.replaceAll('$BYTES', String(bytes)).replaceAll('BYTES', String(bytes));
  if (script === undefined) throw new Error(`there is no shape "${shape}"; known: ${Object.keys(shapes).join(', ')}`);
  const folder = mkdtempSync(join(tmpdir(), 'agent-run-bench-'));
  try {
    const program = join(folder, 'program');
    writeFileSync(program, `#!/bin/bash\n${script}\n`);
    chmodSync(program, 0o755);
    const cat = Math.min(...[1, 2, 3].map(() => timeCat(program)));
    const kept = await measureRun(program, { shape, logBytes: 16 * mebibyte });
    const all = await measureRun(program, { shape, logBytes: 4 * bytes });
    const readings = [
      ['16 MiB kept', kept, 2.5],
      ['all kept', all, 12],
    ] as const;
    return {
      what: `a run that prints ${megabytes} MB (${shape})`,
      rows: [
        ['the same program, piped to cat', `${(cat / 1000).toFixed(2)} s`],
        ...readings.map(([name, { cpuMs }]): [string, string] => [
          `${name}, CPU of the server`,
          `${(cpuMs / 1000).toFixed(2)} s`,
        ]),
      ],
      ratios: readings.flatMap(([name, { wallMs, healthMs, grownBytes }, seconds]) => [
        { name: `${name}, to cat`, value: wallMs / cat, goal: undefined },
        { name: `${name}, seconds`, value: wallMs / 1000, goal: `at most ${seconds}` },
        { name: `${name}, /healthz p99 in ms`, value: healthMs, goal: 'below 20' },
        { name: `${name}, memory grown by MB`, value: grownBytes / 1e6, goal: 'below 60' },
      ]),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function timeCat(program: string): number {
  const startedAt = performance.now();
  execFileSync('bash', ['-c', '"$0" 2>&1 | cat >/dev/null', program]);
  return performance.now() - startedAt;
}

async function measureRun(program: string, { shape, logBytes }: { shape: string; logBytes: number }): Promise<Reading> {
  const endpoint = { url: 'http://127.0.0.1:9', api: 'anthropic', key: 'BENCH_MODEL_KEY' };
  await using server = await startConfiguredServer({
    harnesses: {
      default: 'first',
      first: { command: ['/bin/echo', 'ready'] },
      program: shape === 'events' ? { agent: 'claude', endpoint, model: 'm', program } : { command: [program] },
    },
    limits: { log_bytes: logBytes },
  });
  const client = new AgentRuns({ baseUrl: server.url, apiKey: server.key, logLevel: 'error' });
  const run = async (harness: string) => {
    const { run_id } = await client.runs.create({ prompt: 'Print.', config: { harness: { type: harness } } });
    // Without a result it has FAILED.
    const { state } = await client.runs.wait(run_id);
    if (state === 'ERROR') throw new Error('the run ended with an error of the server');
  };
  // The first run loads what is loaded late.
  await run('first');
  const before = await server.measure();
  const over = new AbortController();
  const health = probe(server, over.signal);
  const startedAt = performance.now();
  await run('program');
  const wallMs = performance.now() - startedAt;
  const after = await server.measure();
  over.abort();
  return {
    wallMs,
    cpuMs: after.cpuMs - before.cpuMs,
    grownBytes: after.peakBytes - before.rssBytes,
    healthMs: await health,
  };
}

/** The 99th percentile of requests that start every 10 ms, whether or not the earlier ones are answered. */
async function probe({ url }: ConfiguredServer, signal: AbortSignal): Promise<number> {
  const agent = new http.Agent({ keepAlive: true });
  const times: number[] = [];
  const asked: Promise<void>[] = [];
  while (!signal.aborted) {
    const startedAt = performance.now();
    asked.push(
      new Promise((resolve, reject) => {
        const answered = (response: http.IncomingMessage) =>
          response.resume().once('end', () => {
            times.push(performance.now() - startedAt);
            resolve();
          });
        http.get(`${url}/healthz`, { agent }, answered).once('error', reject);
      }),
    );
    await setTimeout(10);
  }
  await Promise.all(asked);
  agent.destroy();
  return quantile(times, 0.99);
}
