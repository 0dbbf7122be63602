import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import type { Containment } from './cleanup/containment.ts';
import { markerVariable } from './cleanup/marker.ts';
import { openRunNamespace, type RunNamespace } from './cleanup/run-namespace.ts';
import type { ExecutorCommand, ExecutorRequest } from './executor.ts';
import { openProgramPipes } from './program-pipes.ts';
import { describeStartFailure, findStartFailure } from './start-failure.ts';

interface Exit {
  readonly exitCode: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
}

export interface Program {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly pipeName: string;
  /** With a namespace, `pid` is the process outside that waits for the program. */
  readonly namespace: RunNamespace | undefined;
}

interface Start {
  readonly marker: string;
  readonly containment: Containment;
  readonly clock: Clock;
}

/** Starts the program, or returns why it cannot be started. Throws if the system is the cause. */
export async function startProgram(
  { command, scratchDir, onStarted }: ExecutorRequest,
  { marker, containment: { tools, limit }, clock }: Start,
): Promise<Program | string> {
  const failure = tools === undefined && limit.length === 0 ? undefined : findStartFailure(command);
  if (failure !== undefined) return failure;
  const mark = { [markerVariable]: marker };
  // Both wait some milliseconds for another process.
  const [piped, enclosed] = await Promise.allSettled([
    openProgramPipes(command.stdin, scratchDir),
    tools === undefined ? undefined : openRunNamespace(tools, mark, clock),
  ]);
  const pipes = piped.status === 'fulfilled' ? piped.value : undefined;
  const namespace = enclosed.status === 'fulfilled' ? enclosed.value : undefined;
  try {
    if (piped.status === 'rejected') throw piped.reason;
    if (enclosed.status === 'rejected') throw enclosed.reason;
    const { stdout, stderr, name, stdio } = piped.value;
    const [file, ...args] = wrapCommand(command, limit, namespace);
    const env = { ...command.env, ...mark };
    const child = spawn(file, args, { cwd: command.cwd, env, detached: true, stdio });
    if (child.pid === undefined) throw (await once(child, 'error'))[0];
    onStarted?.();
    return { pid: child.pid, exited: waitForExit(child), stdout, stderr, pipeName: name, namespace };
  } catch (error) {
    pipes?.stdout.destroy();
    pipes?.stderr.destroy();
    await namespace?.end();
    const message = describeStartFailure(error, command);
    if (message === undefined) throw error;
    return message;
  } finally {
    pipes?.release();
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

async function waitForExit(child: ChildProcess): Promise<Exit> {
  const [exitCode, signal]: (number | NodeJS.Signals | null)[] = await once(child, 'exit');
  return {
    exitCode: typeof exitCode === 'number' ? exitCode : undefined,
    signal: typeof signal === 'string' ? signal : undefined,
  };
}
