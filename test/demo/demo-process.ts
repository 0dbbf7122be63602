import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { createTempFolder } from '../support/temp-folder.ts';

const program = resolve(import.meta.dirname, '../../bin/start.js');

interface DemoEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Files left in the folder for temporary files. */
  readonly left: readonly string[];
}

/** The demo as a separate process whose folders are inside one of the test's. */
export function startDemo(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const folder = createTempFolder();
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, TMPDIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<DemoEnd>(end =>
    child.once('close', code => end({ code, stdout, stderr, left: readdirSync(folder) })),
  );
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  const says = async (text: string) => {
    while (!stdout.includes(text)) await Promise.race([new Promise(wake => setTimeout(wake, 20)), ended]);
  };
  return { child, ended, says };
}
