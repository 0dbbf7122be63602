import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { AgentRuns } from '../../src/client/index.ts';

const command = resolve(import.meta.dirname, '../../bin/agent-run.js');
export const servedKey = 'key-of-the-served-server';

export interface Served {
  readonly process: ChildProcess;
  readonly url: string;
  readonly client: AgentRuns;
  /** Kills the server alone, as the system does when out of memory. */
  kill(): Promise<void>;
}

const usualConfig = 'harnesses: { script: {} }\nlimits: { min_lease_seconds: 1, grace_seconds: 1 }\n';

interface ServeOptions {
  /** Shell code before the server takes over the process. */
  readonly shell?: string;
}

/** `agent-run serve` as a separate process on a data folder. Killed after the test. */
export async function serve(
  folder: string,
  config = usualConfig,
  port = '0',
  options: ServeOptions = {},
): Promise<Served> {
  writeFileSync(join(folder, 'agent-run.yaml'), config);
  const child = spawnServe(folder, port, options);
  const ended = once(child, 'exit');
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  const said: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const url = await Promise.race([
    readUrl(child),
    ended.then(() => {
      throw new Error(`serve ended before it listened: ${said.join('')}`);
    }),
  ]);
  return { process: child, url, client: new AgentRuns({ baseUrl: url, apiKey: servedKey, logLevel: 'off' }), kill };
}

/** The process alone, which may not be listening yet. */
export function spawnServe(folder: string, port: string, { shell = 'exec "$0" "$@"' }: ServeOptions = {}) {
  const args = [command, 'serve', '--port', port, '--data', join(folder, 'data')];
  return spawn('/bin/sh', ['-c', shell, process.execPath, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, AGENT_RUN_API_KEY: servedKey },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function readUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('no output');
  const lines = createInterface({ input: child.stdout });
  return await new Promise(found => {
    lines.on('line', line => {
      const url = /(http:\/\/[\w.:[\]]+)/.exec(line)?.[1];
      if (url !== undefined) found(url);
    });
  });
}
