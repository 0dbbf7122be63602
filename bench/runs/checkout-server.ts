/** Runs a checkout's server in its own process, so that its CPU time is separate from the bench's. Linux only. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { AgentRuns } from '../../src/client/index.ts';
import { key } from '../server/direct-server.ts';

export interface ServerProcess extends AsyncDisposable {
  readonly client: AgentRuns;
  /** CPU time so far: of the server itself, and of its children, living or waited for. */
  readCpuMs(): CpuMs;
}

export interface CpuMs {
  readonly server: number;
  readonly children: number;
}

export const ownCheckout = resolve(import.meta.dirname, '../..');

/** Starts the server of a checkout, where every run executes `command`. */
export async function startServer({
  checkout = ownCheckout,
  containment,
  concurrency,
  command,
}: {
  readonly checkout?: string;
  readonly containment: 'pid_namespace' | 'process_group';
  readonly concurrency: number;
  readonly command: readonly string[];
}): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-run-bench-'));
  const config = { port: 0, data: 'data', containment, harnesses: { bench: { command } }, limits: { concurrency } };
  writeFileSync(join(folder, 'agent-run.yaml'), JSON.stringify(config));
  const child = spawn(process.execPath, [join(checkout, 'bin/agent-run.js'), 'serve'], {
    cwd: folder,
    env: { PATH: process.env.PATH, AGENT_RUN_API_KEY: key, AGENT_RUN_LOG: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const { pid } = child;
  const url = await Promise.race([findUrl(child.stdout), exited.then(() => undefined)]);
  if (url === undefined || pid === undefined) throw new Error(`the server of ${checkout} did not start`);
  child.stdout.resume();
  return {
    client: new AgentRuns({ baseUrl: url, apiKey: key, logLevel: 'error' }),
    readCpuMs: () => readCpuMs(pid),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function findUrl(output: NodeJS.ReadableStream): Promise<string | undefined> {
  for await (const line of createInterface({ input: output })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url !== undefined) return url;
  }
  return undefined;
}

const msPerTick = 10;

function readCpuMs(pid: number): CpuMs {
  const [own = 0, waitedFor = 0] = readTicks(pid);
  const living = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(name => readTicks(Number(name), pid))
    .reduce((sum, ticks) => sum + (ticks[0] ?? 0) + (ticks[1] ?? 0), 0);
  return { server: own * msPerTick, children: (waitedFor + living) * msPerTick };
}

/** Ticks of a process, and of its children that it waited for. Empty if it is gone or has another parent. */
function readTicks(pid: number, parent?: number): readonly number[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in parentheses.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    if (parent !== undefined && fields[1] !== parent) return [];
    const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15);
    return [utime + stime, cutime + cstime];
  } catch {
    return [];
  }
}
