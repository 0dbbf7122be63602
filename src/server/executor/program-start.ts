import type { Readable } from 'node:stream';
import { markerVariable } from './cleanup/marker.ts';
import type { ReadyNamespace } from './cleanup/ready-namespace.ts';
import type { RunNamespace } from './cleanup/run-namespace.ts';
import type { ExecutorCommand, ExecutorRequest } from './executor.ts';
import type { PipeStock } from './pipe-stock.ts';
import { openProgramPipes } from './program-pipes.ts';
import type { Exit, Spawner } from './spawning/spawner.ts';
import { describeStartFailure, findStartFailure } from './start-failure.ts';

export interface Program {
  readonly pid: number;
  readonly startTicks: string;
  readonly exited: Promise<Exit>;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly pipeNames: readonly string[];
  /** With a namespace, `pid` is the process outside that waits for the program. */
  readonly namespace: RunNamespace | undefined;
}

interface Start {
  readonly marker: string;
  readonly limit: readonly string[];
  readonly stock: PipeStock;
  readonly ready: ReadyNamespace | undefined;
  readonly spawner: Spawner;
}

/** Starts the program, or returns why it cannot be started. Throws if the system is the cause. */
export async function startProgram(
  { command, scratchDir, onStarted }: ExecutorRequest,
  { marker, limit, stock, ready, spawner }: Start,
): Promise<Program | string> {
  const failure = ready === undefined && limit.length === 0 ? undefined : findStartFailure(command);
  if (failure !== undefined) return failure;
  // Both may wait some milliseconds for another process.
  const [piped, enclosed] = await Promise.allSettled([
    openProgramPipes(command.stdin, { folder: scratchDir, stock }),
    ready?.take(),
  ]);
  const pipes = piped.status === 'fulfilled' ? piped.value : undefined;
  const namespace = enclosed.status === 'fulfilled' ? enclosed.value : undefined;
  try {
    if (piped.status === 'rejected') throw piped.reason;
    if (enclosed.status === 'rejected') throw enclosed.reason;
    const { stdout, stderr, names, stdio } = piped.value;
    const argv = wrapCommand(command, limit, namespace);
    const env = { ...command.env, [markerVariable]: marker };
    const started = await spawner.spawn({ argv, cwd: command.cwd, env, stdio });
    onStarted?.();
    return { ...started, stdout, stderr, pipeNames: names, namespace };
  } catch (error) {
    pipes?.stdout.destroy();
    pipes?.stderr.destroy();
    await namespace?.end();
    const message = describeStartFailure(error, command);
    if (message === undefined) throw error;
    return message;
  } finally {
    pipes?.release();
    ready?.prepare();
  }
}

function wrapCommand(
  { argv, cwd }: ExecutorCommand,
  limit: readonly string[],
  namespace: RunNamespace | undefined,
): ExecutorCommand['argv'] {
  const [first, ...rest] = [...limit, ...argv];
  const limited: ExecutorCommand['argv'] = first === undefined ? argv : [first, ...rest];
  return namespace?.wrap(limited, cwd) ?? limited;
}
