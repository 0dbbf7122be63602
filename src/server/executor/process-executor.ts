import { type Clock, systemClock } from '../../base/clock.ts';
import { type Containment, type ContainmentKind, processGroups } from './cleanup/containment.ts';
import { Descendants } from './cleanup/descendants.ts';
import { printMarker } from './cleanup/marker.ts';
import { ReadyNamespace } from './cleanup/ready-namespace.ts';
import { sweep, usualSweepLimits } from './cleanup/sweep.ts';
import { WatchdogLink } from './cleanup/watchdog-link.ts';
import { ContainerFault } from './containers/container-engine.ts';
import type { Executor, ExecutorEnd, ExecutorRequest } from './executor.ts';
import { PipeStock } from './pipe-stock.ts';
import { runProcess } from './process-run.ts';
import { directSpawner, type Spawner } from './spawning/spawner.ts';

interface ProcessExecutorOptions {
  /** Marks this server's processes. Constant for the life of a data folder. Letters, digits, `_`, `.`, `-`. */
  readonly serverId: string;
  /** Start a child process that kills what this server leaves behind if it is killed. @default true */
  readonly watchdog?: boolean;
  /** The watchdog of another executor of this server. It is used instead and not closed. */
  readonly link?: WatchdogLink | undefined;
  readonly clock?: Clock;
  /** Not closed by the executor. @default starts programs as children of this process */
  readonly spawner?: Spawner;
  /** Result of `findContainment`. @default process groups, without limits */
  readonly containment?: Containment;
  /**
   * Treat a process in this folder as the run's if it began after the run's program and lost its parent. @default
   * none, because other programs may start processes there
   */
  readonly orphanFolder?: string | undefined;
  /** Called if no watchdog can be kept running: a killed server would leave its agents behind. */
  readonly onWatchdogLost?: () => void;
}

export interface ProcessExecutor extends Executor {
  readonly containment: ContainmentKind;
}

/**
 * Executes programs as child processes with this user, each in its own session and, if available, in its own PID
 * namespace. On Linux, no process of a run outlives it, with the exceptions in SECURITY.md. Elsewhere that holds only
 * for its process group. Throws RangeError for an id that cannot mark a process.
 */
export function createProcessExecutor({
  serverId,
  watchdog = true,
  clock = systemClock,
  spawner = directSpawner,
  containment = processGroups,
  onWatchdogLost = () => {},
  link: shared,
  orphanFolder,
}: ProcessExecutorOptions): ProcessExecutor {
  printMarker({ serverId, runId: 'any' });
  const own =
    watchdog && shared === undefined ? new WatchdogLink({ serverId, clock, onLost: onWatchdogLost }) : undefined;
  const link = shared ?? own;
  const descendants = new Descendants(clock);
  const stock = new PipeStock(spawner);
  const { tools, limit } = containment;
  const ready = tools && new ReadyNamespace({ tools, serverId, clock, spawner });
  const around = { serverId, clock, link, descendants, limit, stock, ready, spawner, orphanFolder };
  const running = new Set<Promise<ExecutorEnd>>();
  const closing = new AbortController();

  return {
    containment: containment.kind,
    async execute(request: ExecutorRequest): Promise<ExecutorEnd> {
      if (closing.signal.aborted) throw new Error('the executor is closed');
      if (request.container !== undefined) throw new ContainerFault('this server has no container engine');
      const signal = AbortSignal.any([request.signal, closing.signal]);
      const run = runProcess({ ...request, signal }, around);
      running.add(run);
      try {
        return await run;
      } finally {
        running.delete(run);
      }
    },
    async prepareImage(): Promise<void> {
      throw new ContainerFault('this server has no container engine');
    },
    async sweepAll(): Promise<number> {
      return (await sweep({ markers: [{ serverId }], leaders: [] }, usualSweepLimits, clock)).found;
    },
    async close(): Promise<void> {
      closing.abort();
      await Promise.allSettled(running);
      await ready?.close();
      stock.close();
      await own?.close();
    },
  };
}
