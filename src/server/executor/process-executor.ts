import { type Clock, systemClock } from '../../base/clock.ts';
import { type Containment, type ContainmentKind, processGroups } from './cleanup/containment.ts';
import { Descendants } from './cleanup/descendants.ts';
import { printMarker } from './cleanup/marker.ts';
import { sweep, usualSweepLimits } from './cleanup/sweep.ts';
import { WatchdogLink } from './cleanup/watchdog-link.ts';
import { ContainerFault } from './containers/container-engine.ts';
import type { Executor, ExecutorEnd, ExecutorRequest } from './executor.ts';
import { runProcess } from './process-run.ts';

interface ProcessExecutorOptions {
  /** Tells the processes of this server from those of others: one value for the life of a data folder. Letters, digits, `_`, `.`, `-`. */
  readonly serverId: string;
  /** Whether a child process watches over this server and kills what it leaves behind when it is killed. @default true */
  readonly watchdog?: boolean;
  /** The watchdog of another executor of this server, which is used then and not closed. */
  readonly link?: WatchdogLink | undefined;
  readonly clock?: Clock;
  /** As `findContainment` found it. @default process groups, without limits */
  readonly containment?: Containment;
  /**
   * A folder where what began after a program of a run and has no parent left is taken for that run's. @default none, for others may begin
   * something there
   */
  readonly orphanFolder?: string | undefined;
  /** Called when no watchdog can be kept running: a killed server would then leave its agents behind. */
  readonly onWatchdogLost?: () => void;
}

export interface ProcessExecutor extends Executor {
  /** What keeps the processes of a run together. */
  readonly containment: ContainmentKind;
}

/**
 * Executes programs as child processes of this one, as this user, each in a session of its own, and in a PID namespace of its own where
 * the containment is one. On Linux, nothing of a run outlives its end, but for what SECURITY.md tells of; elsewhere that holds for its
 * process group only. Throws RangeError for an id that cannot mark a process.
 */
export function createProcessExecutor({
  serverId,
  watchdog = true,
  clock = systemClock,
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
  const running = new Set<Promise<ExecutorEnd>>();
  const closing = new AbortController();

  return {
    containment: containment.kind,
    async execute(request: ExecutorRequest): Promise<ExecutorEnd> {
      if (closing.signal.aborted) throw new Error('the executor is closed');
      if (request.container !== undefined) throw new ContainerFault('this server has no container engine');
      const signal = AbortSignal.any([request.signal, closing.signal]);
      const run = runProcess({ ...request, signal }, { serverId, clock, link, descendants, containment, orphanFolder });
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
      await own?.close();
    },
  };
}
