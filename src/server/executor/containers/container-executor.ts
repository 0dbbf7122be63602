import type { Clock } from '../../../base/clock.ts';
import { printMarker } from '../cleanup/marker.ts';
import type { WatchdogLink } from '../cleanup/watchdog-link.ts';
import type { Executor, ExecutorEnd } from '../executor.ts';
import { PipeStock } from '../pipe-stock.ts';
import { directSpawner } from '../spawning/spawner.ts';
import {
  type ContainerEngine,
  ContainerFault,
  type ContainerSettings,
  callEngine,
  describeComplaint,
} from './container-engine.ts';
import { removeContainers } from './container-removal.ts';
import { runContainer } from './container-run.ts';
import { probeEngine } from './engine-probe.ts';

interface ContainerExecutorOptions {
  /** See createProcessExecutor. */
  readonly serverId: string;
  readonly engine: ContainerEngine;
  readonly settings: ContainerSettings;
  readonly clock: Clock;
  /** The server's watchdog. The executor does not close it. */
  readonly link: WatchdogLink | undefined;
  /** Called when the containers of an earlier server cannot be listed. */
  readonly onSweepFault?: (message: string) => void;
}

/**
 * Executes each program in a container of its own, through the engine's command. Names and labels find the container
 * even if that command dies. Throws RangeError for an id that cannot mark a process.
 */
export function createContainerExecutor({
  serverId,
  engine,
  settings,
  clock,
  link,
  onSweepFault = () => {},
}: ContainerExecutorOptions): Executor {
  printMarker({ serverId, runId: 'any' });
  const running = new Set<Promise<ExecutorEnd>>();
  const closing = new AbortController();
  const stock = new PipeStock(directSpawner);
  /** Set after the engine's first answer. */
  let userFlags: readonly string[] | undefined;
  /** True if listing an earlier server's containers failed and no container was made since. */
  let isUnswept = false;

  const connect = async (): Promise<readonly string[]> => {
    userFlags ??= await probeEngine(engine);
    if (isUnswept) await removeContainers(engine, { serverId }, { clock });
    isUnswept = false;
    return userFlags;
  };
  return {
    async execute(request) {
      if (closing.signal.aborted) throw new Error('the executor is closed');
      const { container } = request;
      if (container === undefined) throw new RangeError('a program without a container is a process');
      const signal = AbortSignal.any([request.signal, closing.signal]);
      const around = { serverId, clock, link, engine, settings, stock };
      const run = connect().then(flags =>
        runContainer({ ...request, signal }, container, { ...around, userFlags: flags }),
      );
      running.add(run);
      try {
        return await run;
      } finally {
        running.delete(run);
      }
    },
    async prepareImage(image, { signal, onPull }) {
      await connect();
      signal.throwIfAborted();
      if ((await callEngine(engine, ['image', 'inspect', '--format', '{{.Id}}', image])).code === 0) return;
      await onPull();
      const { code, stderr } = await callEngine(engine, ['pull', '--quiet', image], signal);
      signal.throwIfAborted();
      if (code !== 0) throw new ContainerFault(`could not pull the image ${image}: ${describeComplaint(stderr)}`);
    },
    async sweepAll() {
      try {
        return await removeContainers(engine, { serverId }, { clock });
      } catch (error) {
        if (!(error instanceof ContainerFault)) throw error;
        isUnswept = true;
        onSweepFault(error.message);
        return 0;
      }
    },
    async close() {
      closing.abort();
      await Promise.allSettled(running);
      stock.close();
    },
  };
}
