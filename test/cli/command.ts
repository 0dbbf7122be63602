import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';

const fromSources = resolve(import.meta.dirname, '../../bin/agent-run.js');

interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string;
  /** @default the one of the sources */
  readonly program?: string;
}

export interface CommandEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCommand {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<CommandEnd>;
  /** Resolves when either output contains `text`. Rejects if the command ends before. */
  says(text: string): Promise<void>;
}

/** `agent-run ARGS` as its own process, with only PATH from this environment. Killed after the test. */
export function startCommand(
  args: readonly string[],
  { env = {}, cwd, input, program = fromSources }: CommandOptions = {},
): RunningCommand {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
  });
  const said = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
      for (const listener of [...listeners]) listener();
    });
  child.stdin.end(input);
  const ended = new Promise<CommandEnd>(end => child.once('close', code => end({ code, ...said })));
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  return {
    child,
    ended,
    async says(text) {
      const { promise, resolve: found, reject } = Promise.withResolvers<void>();
      const look = () => {
        if (said.stdout.includes(text) || said.stderr.includes(text)) found();
      };
      listeners.add(look);
      look();
      void ended.then(() =>
        reject(new Error(`it ended without ${JSON.stringify(text)}: ${said.stdout}${said.stderr}`)),
      );
      await promise;
      listeners.delete(look);
    },
  };
}

export function runCommand(args: readonly string[], options?: CommandOptions): Promise<CommandEnd> {
  return startCommand(args, options).ended;
}
