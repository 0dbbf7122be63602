import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import type { Descendants } from './descendants.ts';
import type { ExecutorEnd, ExecutorRequest } from './executor.ts';
import { markerVariable, printMarker } from './marker.ts';
import { OutputReaders } from './output-readers.ts';
import { readStartTicks } from './process-table.ts';
import { openProgramPipes } from './program-pipes.ts';
import type { RunScope } from './run-processes.ts';
import { describeStartFailure } from './start-failure.ts';
import { sweep, terminate, usualSweepLimits } from './sweep.ts';
import type { WatchdogLink } from './watchdog-link.ts';

/** A left-over of the last line, such as `tee` at the end of a pipe, may still write its output for so long. */
const settleMs = 500;
/** Pipes that nobody holds any more end at once; after this somebody does, or the reader is slow. */
const pipeEndMs = 100;
/** A killed program that the kernel does not let go in this time is given up. */
const deathMs = 10_000;
/** Node's timers fire at once when asked for more. */
const timerMaxMs = 2 ** 31 - 1;

interface Surroundings {
  readonly serverId: string;
  readonly clock: Clock;
  readonly link: WatchdogLink | undefined;
  readonly descendants: Descendants;
}

interface Exit {
  readonly exitCode: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
}

type Stop = 'time_limit' | 'signal' | 'failure';

/** Executes one program, from its birth to the last of its descendants. */
export async function runProcess(request: ExecutorRequest, around: Surroundings): Promise<ExecutorEnd> {
  if (request.signal.aborted)
    return {
      kind: 'ended',
      exitCode: undefined,
      signal: undefined,
      stopped: 'signal',
      leftovers: 0,
      survivors: 0,
      survivorPids: [],
    };
  const folder = realpathSync(request.runDir);
  around.link?.watch(request.runId, { folder });
  try {
    const marker = printMarker({ serverId: around.serverId, runId: request.runId });
    const program = await startProgram(request, marker);
    if (typeof program === 'string') return { kind: 'not_started', message: program };
    return await followProgram(program, { ...request, runDir: folder }, around);
  } finally {
    around.link?.drop(request.runId);
  }
}

interface Program {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly pipeName: string;
}

/** Starts the program, or says what about it cannot be started. Throws where the cause is this system. */
async function startProgram({ command, scratchDir }: ExecutorRequest, marker: string): Promise<Program | string> {
  const [file, ...args] = command.argv;
  const pipes = await openProgramPipes(command.stdin, scratchDir);
  try {
    const child = spawn(file, args, {
      cwd: command.cwd,
      env: { ...command.env, [markerVariable]: marker },
      detached: true,
      stdio: pipes.stdio,
    });
    if (child.pid === undefined) throw (await once(child, 'error'))[0];
    const { stdout, stderr, name } = pipes;
    return { pid: child.pid, exited: waitForExit(child), stdout, stderr, pipeName: name };
  } catch (error) {
    pipes.stdout.destroy();
    pipes.stderr.destroy();
    const message = describeStartFailure(error, command);
    if (message === undefined) throw error;
    return message;
  } finally {
    pipes.release();
  }
}

async function followProgram(
  program: Program,
  request: ExecutorRequest,
  { serverId, clock, link, descendants }: Surroundings,
): Promise<ExecutorEnd> {
  const leader = { pid: program.pid, startTicks: readStartTicks(program.pid) };
  const seen = descendants.follow(leader);
  const findScope = (): RunScope => ({
    markers: [{ serverId, runId: request.runId }],
    leaders: seen.leaders,
    seen: seen.seen,
    folders: [request.runDir],
  });
  link?.watch(request.runId, { folder: request.runDir, leader });
  const over = new AbortController();
  const stops = Promise.withResolvers<Stop>();
  const failures: unknown[] = [];
  const readers = new OutputReaders({
    streams: program,
    onOutput: request.onOutput,
    onFailure: error => {
      failures.push(error);
      stops.resolve('failure');
    },
  });
  if (request.signal.aborted) stops.resolve('signal');
  request.signal.addEventListener('abort', () => stops.resolve('signal'), { once: true, signal: over.signal });
  clock.sleep(Math.min(request.timeLimitMs, timerMaxMs), over.signal).then(
    () => stops.resolve('time_limit'),
    () => {},
  );
  try {
    const stop = await Promise.race([program.exited.then(() => undefined), stops.promise]);
    if (stop === undefined) await Promise.race([readers.done, clock.sleep(settleMs, over.signal)]);
    else if (stop !== 'failure') await terminate(findScope(), request.graceMs, clock);
    const swept = await sweep(findScope(), usualSweepLimits, clock);
    await Promise.race([readers.done, clock.sleep(pipeEndMs, over.signal)]);
    const held = readers.isDone
      ? { found: 0, survivors: [] }
      : await sweep({ ...findScope(), pipes: [program.pipeName] }, usualSweepLimits, clock);
    const exit = await Promise.race([program.exited, clock.sleep(deathMs, over.signal).then(() => undefined)]);
    const unended = exit === undefined ? [leader.pid] : [];
    const survivorPids = [...new Set([...swept.survivors, ...held.survivors, ...unended])];
    const isDrained = await readers.drain(clock, over.signal);
    if (stop === 'failure' || failures.length > 0) throw failures[0];
    return {
      kind: 'ended',
      exitCode: exit?.exitCode,
      signal: exit?.signal,
      stopped: stop,
      leftovers: stop === undefined ? swept.found + held.found : 0,
      survivors: Math.max(survivorPids.length, isDrained ? 0 : 1),
      survivorPids,
    };
  } finally {
    over.abort();
    seen.forget();
  }
}

async function waitForExit(child: ChildProcess): Promise<Exit> {
  const [exitCode, signal]: (number | NodeJS.Signals | null)[] = await once(child, 'exit');
  return {
    exitCode: typeof exitCode === 'number' ? exitCode : undefined,
    signal: typeof signal === 'string' ? signal : undefined,
  };
}
