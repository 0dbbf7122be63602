import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import type { Clock } from '../../../base/clock.ts';
import { markerVariable, printMarker } from '../cleanup/marker.ts';
import { readStartTicks } from '../cleanup/process-table.ts';
import type { WatchdogLink } from '../cleanup/watchdog-link.ts';
import { type ContainerPlace, type ExecutorEnd, type ExecutorRequest, stoppedBefore } from '../executor.ts';
import { OutputReaders } from '../output-readers.ts';
import type { PipeStock } from '../pipe-stock.ts';
import { type Stop, watchForStop } from '../stop-watch.ts';
import { type ContainerClient, startClient } from './container-client.ts';
import { divideVariables, printRunArguments } from './container-command.ts';
import { readContainerEnd } from './container-end.ts';
import { type ContainerEngine, type ContainerSettings, callEngine } from './container-engine.ts';
import { removeContainer } from './container-removal.ts';

/** The client ends with its container, unless the engine hangs. */
const clientEndMs = 10_000;
const settleMs = 500;
const tailCharacters = 4096;

export interface ContainerSurroundings {
  readonly serverId: string;
  readonly clock: Clock;
  readonly link: WatchdogLink | undefined;
  readonly stock: PipeStock;
  readonly engine: ContainerEngine;
  readonly settings: ContainerSettings;
  /** Flags that select the server's user. */
  readonly userFlags: readonly string[];
}

interface Run {
  readonly name: string;
  readonly request: ExecutorRequest;
  readonly place: ContainerPlace;
}

/** Executes one program in a new container and removes that before returning. Throws ContainerFault. */
export async function runContainer(
  request: ExecutorRequest,
  place: ContainerPlace,
  around: ContainerSurroundings,
): Promise<ExecutorEnd> {
  if (request.signal.aborted) return stoppedBefore;
  const { command, runId, scratchDir, onStarted } = request;
  const { serverId, engine, link, settings, stock, userFlags } = around;
  const variables = divideVariables({ ...command.env, [markerVariable]: printMarker({ serverId, runId }) }, engine.env);
  if (typeof variables === 'string')
    return { kind: 'not_started', message: `cannot start ${JSON.stringify(command.argv[0])}: ${variables}` };
  const name = `agent-run-${runId}-${randomBytes(4).toString('hex')}`;
  const passed = Object.keys(variables.passed);
  const owner = { serverId, runId };
  const args = printRunArguments({ name, owner, command, place, settings, userFlags, passed });
  const watched = { folder: realpathSync(request.runDir), engine };
  link?.watch(runId, watched);
  try {
    const streams = { stdin: command.stdin, folder: scratchDir, stock };
    const client = await startClient(engine, args, { ...streams, variables, onStarted });
    link?.watch(runId, { ...watched, leaders: [{ pid: client.pid, startTicks: readStartTicks(client.pid) }] });
    return await followClient(client, { name, request, place }, around);
  } finally {
    link?.drop(runId);
  }
}

async function followClient(client: ContainerClient, run: Run, around: ContainerSurroundings): Promise<ExecutorEnd> {
  const { name, request } = run;
  const { engine, clock, settings } = around;
  const over = new AbortController();
  const watch = watchForStop(request, clock, over.signal);
  const failures: unknown[] = [];
  const printed = { stdoutBytes: 0, stderrBytes: 0, stderrTail: '' };
  const readers = new OutputReaders({
    streams: client,
    onOutput: async (stream, chunk) => {
      if (stream === 'stdout') printed.stdoutBytes += chunk.length;
      else {
        printed.stderrBytes += chunk.length;
        printed.stderrTail = `${printed.stderrTail}${Buffer.from(chunk).toString()}`.slice(-tailCharacters);
      }
      await request.onOutput(stream, chunk);
    },
    onFailure: error => {
      failures.push(error);
      watch.stop('failure');
    },
  });
  try {
    const stop = await Promise.race([client.exited.then(() => undefined), watch.stopped]);
    if (stop !== undefined) await stopContainer(client, run, stop, around);
    const code = await client.exited;
    // Collects the remaining output. Only the client should still hold the streams.
    await Promise.race([readers.done, clock.sleep(settleMs, over.signal)]);
    const end = stop === undefined ? await readContainerEnd({ engine, settings, name, run, printed, code }) : undefined;
    const isGone = await removeContainer(engine, name, clock);
    await readers.drain(clock, over.signal);
    if (stop === 'failure' || failures.length > 0) throw failures[0];
    if (end?.kind === 'not_started') return end;
    return {
      kind: 'ended',
      // For a stopped program, the client's exit code is good enough.
      exitCode: end?.exitCode ?? code,
      signal: undefined,
      stopped: stop,
      leftovers: 0,
      survivors: isGone ? 0 : 1,
      survivorPids: [],
      notes: [...(end?.notes ?? []), ...(isGone ? [] : [`could not remove the container ${name}`])],
    };
  } catch (error) {
    client.kill();
    await removeContainer(engine, name, clock);
    throw error;
  } finally {
    over.abort();
  }
}

/** Sends SIGTERM, which the first process forwards to the program. Kills the container after the grace time. */
async function stopContainer(
  client: ContainerClient,
  { name, request }: Run,
  stop: Stop,
  { engine, clock }: ContainerSurroundings,
): Promise<void> {
  const waitForClient = async (ms: number): Promise<boolean> => {
    const over = new AbortController();
    const isOver = await Promise.race([client.exited.then(() => true), clock.sleep(ms, over.signal).then(() => false)]);
    over.abort();
    return isOver;
  };
  const deadline = clock.monotonicMs() + (stop === 'failure' ? 0 : request.graceMs);
  for (let isTold = false; clock.monotonicMs() < deadline; ) {
    // The container may not exist yet.
    if (!isTold) isTold = (await callEngine(engine, ['kill', '--signal', 'TERM', name])).code === 0;
    if (await waitForClient(isTold ? Math.max(0, deadline - clock.monotonicMs()) : 50)) return;
  }
  // The client must not be killed while it makes its container: the engine would still make it.
  for (const lastMs = clock.monotonicMs() + clientEndMs; clock.monotonicMs() < lastMs; ) {
    await callEngine(engine, ['rm', '--force', '--volumes', name]);
    if (await waitForClient(100)) return;
  }
  client.kill();
}
