import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { messageOf } from '../../../base/cause.ts';
import type { Clock } from '../../../base/clock.ts';
import { directSpawner } from '../spawning/spawner.ts';
import { type NamespaceTools, openRunNamespace } from './run-namespace.ts';

const probeMs = 10_000;

/**
 * Tests the tools with a shell that kills itself. Inside the namespace its parent is outside and has pid 0. Its end
 * must arrive as a signal, not as an exit code. Returns what failed, or undefined.
 */
export async function probeNamespace(
  tools: NamespaceTools,
  env: Readonly<Record<string, string>>,
  clock: Clock,
): Promise<string | undefined> {
  try {
    const namespace = await openRunNamespace(tools, env, { clock, spawner: directSpawner });
    try {
      return await probeEnd(namespace.wrap(['/bin/sh', '-c', 'echo "$PPID"; kill -KILL $$'], '/'), env, clock);
    } finally {
      await namespace.end();
    }
  } catch (error) {
    return messageOf(error);
  }
}

async function probeEnd(
  [file, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  clock: Clock,
): Promise<string | undefined> {
  const shell = spawn(file, args, { cwd: '/', env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    shell[name].on('data', chunk => {
      texts[name] += String(chunk);
    });
  const over = new AbortController();
  const end: unknown = await Promise.race([once(shell, 'close'), clock.sleep(probeMs, over.signal)]);
  over.abort();
  if (!Array.isArray(end)) {
    shell.kill('SIGKILL');
    return `a test program did not end within ${probeMs / 1000} s`;
  }
  const [code, signal]: unknown[] = end;
  const words = texts.stderr.trim() === '' ? '' : ` (${texts.stderr.trim().slice(0, 300)})`;
  if (signal !== 'SIGKILL') return `a program killed by SIGKILL is reported as exit code ${String(code)}${words}`;
  return texts.stdout.trim() === '0' ? undefined : 'a test program was started outside the namespace';
}
