import { type Clock, systemClock } from '../../base/clock.ts';
import type { Containment } from './cleanup/containment.ts';
import { hasProcessTable } from './cleanup/process-table.ts';
import { WatchdogLink } from './cleanup/watchdog-link.ts';
import type { ContainerEngine, ContainerSettings } from './containers/container-engine.ts';
import { createContainerExecutor } from './containers/container-executor.ts';
import type { Executor } from './executor.ts';
import { createProcessExecutor } from './process-executor.ts';
import { directSpawner } from './spawning/spawner.ts';
import { SpawnerLink } from './spawning/spawner-link.ts';

interface ServerExecutorOptions {
  /** See createProcessExecutor. */
  readonly serverId: string;
  readonly containment: Containment;
  /** See createProcessExecutor. */
  readonly orphanFolder?: string | undefined;
  /** Undefined on a server without containers. */
  readonly containers: { readonly engine: ContainerEngine; readonly settings: ContainerSettings } | undefined;
  readonly clock?: Clock;
  readonly onWatchdogLost: () => void;
  readonly onSpawnerLost: (message: string) => void;
  readonly onSweepFault: (message: string) => void;
}

/** Executes a server's programs as processes, or in containers if the request names one. One watchdog serves both. */
export function createServerExecutor({
  serverId,
  containment,
  orphanFolder,
  containers,
  clock = systemClock,
  onWatchdogLost,
  onSpawnerLost,
  onSweepFault,
}: ServerExecutorOptions): Executor {
  const link = new WatchdogLink({ serverId, clock, onLost: onWatchdogLost, isInStep: orphanFolder !== undefined });
  // The server of a step has few runs, and an agent may have rewritten the spawner's file.
  const spawner = hasProcessTable && orphanFolder === undefined ? new SpawnerLink(onSpawnerLost) : directSpawner;
  const processes = createProcessExecutor({ serverId, containment, orphanFolder, clock, link, spawner });
  const inContainers =
    containers === undefined
      ? undefined
      : createContainerExecutor({ serverId, ...containers, clock, link, onSweepFault });
  return {
    execute: request => (request.container === undefined ? processes : (inContainers ?? processes)).execute(request),
    prepareImage: (image, options) => (inContainers ?? processes).prepareImage(image, options),
    async sweepAll() {
      const swept = await processes.sweepAll();
      return swept + ((await inContainers?.sweepAll()) ?? 0);
    },
    async close() {
      await Promise.allSettled([processes.close(), inContainers?.close()]);
      await Promise.all([link.close(), spawner.close()]);
    },
  };
}
