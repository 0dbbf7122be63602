import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { ExecutorRequest } from '../executor.ts';
import type { PipeStock } from '../pipe-stock.ts';
import { openNamelessFile, openProgramPipes } from '../program-pipes.ts';
import type { ContainerEngine } from './container-engine.ts';

/** The engine's command that runs a container and waits for it. Killing it does not stop the container. */
export interface ContainerClient {
  readonly pid: number;
  /** Its exit code; undefined if a signal ended it. */
  readonly exited: Promise<number | undefined>;
  readonly stdout: Readable;
  readonly stderr: Readable;
  kill(): void;
}

/** Starts the client. Throws if the system cannot start it or the engine's command is missing. */
export async function startClient(
  { file, env }: ContainerEngine,
  args: readonly string[],
  {
    stdin,
    folder,
    stock,
    variables,
    onStarted,
  }: {
    readonly stdin: string;
    /** Holds the names of its streams while it starts. */
    readonly folder: string;
    readonly stock: PipeStock;
    readonly variables: { readonly file: string; readonly passed: Readonly<Record<string, string>> };
    readonly onStarted: ExecutorRequest['onStarted'];
  },
): Promise<ContainerClient> {
  const pipes = await openProgramPipes(stdin, { folder, stock });
  let variablesFile: number | undefined;
  try {
    variablesFile = openNamelessFile(variables.file, folder);
    const child = spawn(file, args, {
      cwd: '/',
      env: { ...env, ...variables.passed },
      detached: true,
      // The last entry becomes `variablesFd` in the client.
      stdio: [...pipes.stdio, variablesFile],
    });
    if (child.pid === undefined) throw (await once(child, 'error'))[0];
    onStarted?.();
    return {
      pid: child.pid,
      exited: once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : undefined)),
      stdout: pipes.stdout,
      stderr: pipes.stderr,
      kill: () => void child.kill('SIGKILL'),
    };
  } catch (error) {
    pipes.stdout.destroy();
    pipes.stderr.destroy();
    throw error;
  } finally {
    pipes.release();
    if (variablesFile !== undefined) closeSync(variablesFile);
  }
}
