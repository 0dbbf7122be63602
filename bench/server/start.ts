/**
 * What starting the packed command costs: `serve` until it first answers /healthz, and its idle memory without its
 * child processes, against bare node:http; `list` against an empty Node process. The starts take turns, and a ratio is
 * the median of the rounds' ratios, so that other load on the machine affects all of them alike.
 *
 * `--before FILE` adds an earlier package by its bin/agent-run.js, with the packages that it needs.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { bundleCommand } from '../../scripts/command-bundle.ts';
import { writeScript } from '../action/step-process.ts';
import type { BenchOptions, Measurement, Ratio } from '../main.ts';
import { median } from '../quantile.ts';

const rounds = 7;
const idleMs = 400;
const patienceMs = 20_000;

const bareServer = `
import { createServer } from 'node:http';
createServer((request, response) => response.end('ok')).listen(process.argv.at(-1), '127.0.0.1');
`;

interface Start {
  readonly wallMs: number;
  readonly processorMs: number;
  readonly memoryMb: number;
}

export async function measureStart({ before }: BenchOptions): Promise<Measurement> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-run-bench-'));
  try {
    const command = await writeCommand(folder);
    const programs = new Map([
      ['bare', writeScript(folder, 'bare.mjs', bareServer)],
      ['now', command],
      ...(before === undefined ? [] : [['before', resolve(before)] as const]),
    ]);
    const empty = writeScript(folder, 'empty.mjs', '');
    const starts = new Map<string, Start[]>();
    const lists = new Map<string, number[]>();
    await using service = await openListService();
    // The first round warms the disk up.
    for (let round = -1; round < rounds; round += 1)
      for (const [name, file] of round % 2 === 0 ? [...programs] : [...programs].toReversed()) {
        const start = await measureServer(folder, file);
        const listMs = await timeList(name === 'bare' ? empty : file, service.url);
        if (round < 0) continue;
        starts.set(name, [...(starts.get(name) ?? []), start]);
        lists.set(name, [...(lists.get(name) ?? []), listMs]);
      }
    return describe(starts, lists);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function describe(
  starts: ReadonlyMap<string, readonly Start[]>,
  lists: ReadonlyMap<string, readonly number[]>,
): Measurement {
  const rows = [...starts].flatMap(([name, all]) => [
    [
      `server, ${name}`,
      `${median(all.map(({ wallMs }) => wallMs)).toFixed(0)} ms, of the processor ` +
        `${median(all.map(({ processorMs }) => processorMs))} ms; idle ${median(all.map(({ memoryMb }) => memoryMb)).toFixed(0)} MB`,
    ] as const,
    [`list, ${name}`, `${median(lists.get(name) ?? []).toFixed(0)} ms`] as const,
  ]);
  const toBare = (name: string): readonly Ratio[] => {
    const compare = (part: keyof Start) =>
      median((starts.get(name) ?? []).map((one, round) => one[part] / (starts.get('bare')?.[round]?.[part] ?? 0)));
    const list = (lists.get(name) ?? []).map((ms, round) => ms / (lists.get('bare')?.[round] ?? 0) - 1);
    const isNow = name === 'now';
    return [
      { name: `start, ${name}, to bare node:http`, value: compare('wallMs'), goal: isNow ? 'below 3.9' : undefined },
      { name: `CPU time of the start, ${name}, to bare node:http`, value: compare('processorMs'), goal: undefined },
      {
        name: `idle memory, ${name}, to bare node:http`,
        value: compare('memoryMb'),
        goal: isNow ? 'below 1.5' : undefined,
      },
      {
        name: `extra time of list, ${name}, to an empty process`,
        value: median(list),
        goal: isNow ? 'below 2.1' : undefined,
      },
    ];
  };
  return {
    what: `the packed command, medians of ${rounds} rounds`,
    rows,
    ratios: [...starts.keys()].filter(name => name !== 'bare').flatMap(toBare),
  };
}

/** As `npm run release` packs it. */
async function writeCommand(folder: string): Promise<string> {
  const target = join(folder, 'package');
  for (const [path, text] of (await bundleCommand()).files) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), text);
  }
  cpSync(resolve(import.meta.dirname, '../../bin'), join(target, 'bin'), { recursive: true });
  writeFileSync(join(target, 'package.json'), '{ "type": "module" }');
  return join(target, 'bin/agent-run.js');
}

async function measureServer(folder: string, file: string): Promise<Start> {
  const cwd = mkdtempSync(join(folder, 'data-'));
  writeFileSync(join(cwd, 'agent-run.yaml'), 'harnesses: { script: {} }\n');
  const port = await findFreePort();
  const startedAt = performance.now();
  const child = start(file, ['serve', '--port', String(port)], { cwd, env: {} });
  try {
    while (!(await answers(port))) {
      if (performance.now() - startedAt > patienceMs || child.exitCode !== null)
        throw new Error(`${file} does not answer: ${child.exitCode ?? 'too slow'}`);
      await setTimeout(2);
    }
    const wallMs = performance.now() - startedAt;
    const processorMs = readProcessorMs(child.pid);
    await setTimeout(idleMs);
    return { wallMs, processorMs, memoryMb: readMemoryMb(child.pid) };
  } finally {
    const exited = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGTERM');
    await exited;
  }
}

async function timeList(file: string, url: string): Promise<number> {
  const startedAt = performance.now();
  const env = { AGENT_RUN_BASE_URL: url, AGENT_RUN_API_KEY: 'a-key-of-a-bench' };
  const [code] = await once(start(file, ['list'], { cwd: tmpdir(), env }), 'exit');
  if (code !== 0) throw new Error(`${file} list ended with exit code ${code}`);
  return performance.now() - startedAt;
}

function start(
  file: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): ChildProcess {
  return spawn(process.execPath, [file, ...args], { cwd, env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' });
}

/** Answers a list of no runs at once. */
async function openListService(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ runs: [], page_info: { has_next_page: false } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(end => server.close(end));
    },
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise(end => server.close(end));
  return port;
}

function answers(port: number): Promise<boolean> {
  return new Promise(end => {
    const request = get({ host: '127.0.0.1', port, path: '/healthz', agent: false }, response => {
      response.resume();
      response.once('end', () => end(response.statusCode === 200));
    });
    request.once('error', () => end(false));
  });
}

/** In steps of 10 ms. Linux only. */
function readProcessorMs(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function readMemoryMb(pid: number | undefined): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
