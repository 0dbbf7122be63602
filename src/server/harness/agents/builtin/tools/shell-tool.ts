import { type ChildProcess, spawn } from 'node:child_process';
import { TextDecoder } from 'node:util';
import { systemClock } from '../../../../../base/clock.ts';
import { CappedText } from './capped-text.ts';
import { ToolFault } from './tool-fault.ts';

export interface ShellInput {
  readonly command: string;
  readonly timeout_seconds?: number | undefined;
}

export interface ShellPlace {
  /** Absolute path of bash, or of another shell. */
  readonly shell: string;
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
}

export const timeoutSeconds = { usual: 120, most: 3600 } as const;
/** Grace for output that is still in the pipes when the command has ended but a background process keeps them open. */
const lateMs = 100;

/**
 * Runs a command in its own process group and waits for it, but not for its background processes. Throws ToolFault if
 * it fails. At the time limit, or when stopped, the whole group is killed.
 */
export async function runShell(
  { shell, workspace, env }: ShellPlace,
  { command, timeout_seconds = timeoutSeconds.usual }: ShellInput,
  signal: AbortSignal | undefined,
): Promise<string> {
  signal?.throwIfAborted();
  const output = new CappedText();
  const child = spawn(shell, ['-c', command], {
    cwd: workspace,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const streams = gather(child, output);
  const over = new AbortController();
  const late = systemClock.sleep(timeout_seconds * 1000, over.signal).then(() => 'late' as const);
  const stopped = Promise.withResolvers<'stopped'>();
  const onStop = (): void => stopped.resolve('stopped');
  signal?.addEventListener('abort', onStop, { once: true });
  try {
    const end = await Promise.race([ended(child), late, stopped.promise]);
    if (typeof end === 'string') killGroup(child);
    if (end === 'stopped') throw signal?.reason;
    await Promise.race([streams, systemClock.sleep(lateMs)]);
    // Node reads the pipes before timers of the next turn.
    await new Promise(resolve => setImmediate(resolve));
    return conclude(end, output.text, timeout_seconds);
  } finally {
    over.abort();
    late.catch(() => {});
    signal?.removeEventListener('abort', onStop);
    // A background process may continue to print. Its output is discarded, so it does not block.
    for (const stream of [child.stdout, child.stderr])
      if (stream !== null && 'unref' in stream) (stream as { unref(): void }).unref();
    child.unref();
  }
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

function conclude(end: Exit | 'late', text: string, seconds: number): string {
  const said = text.replace(/\n$/, '');
  if (end === 'late')
    throw faultOf(
      said,
      `stopped after ${seconds} seconds; set a higher timeout_seconds, or run it in the background and write its output to a file`,
    );
  if (end.code === 0) return said === '' ? '[no output]' : said;
  if (end.code === null) throw faultOf(said, `ended by ${end.signal}`);
  throw faultOf(said, `exit code ${end.code}`, { output: said, exit_code: end.code });
}

function faultOf(said: string, how: string, exit?: ToolFault['exit']): ToolFault {
  return new ToolFault(said === '' ? `[${how}]` : `${said}\n[${how}]`, exit);
}

async function ended(child: ChildProcess): Promise<Exit> {
  const { promise, resolve, reject } = Promise.withResolvers<Exit>();
  child.once('error', error => reject(new ToolFault(`the shell did not start: ${error.message}`)));
  child.once('exit', (code, signal) => resolve({ code, signal }));
  return await promise;
}

/** Resolves when no process holds the output any more. */
async function gather(child: ChildProcess, output: CappedText): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('close', () => resolve());
  for (const stream of [child.stdout, child.stderr]) {
    const decoder = new TextDecoder();
    stream?.on('data', (chunk: Uint8Array) => output.push(decoder.decode(chunk, { stream: true })));
    stream?.on('error', () => {});
  }
  await promise;
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
