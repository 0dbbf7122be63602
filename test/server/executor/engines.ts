import { systemClock } from '../../../src/base/clock.ts';
import {
  type ContainerEngine,
  ContainerFault,
  findContainerEngine,
} from '../../../src/server/executor/containers/container-engine.ts';
import { createContainerExecutor } from '../../../src/server/executor/containers/container-executor.ts';
import { askEngine } from '../../../src/server/executor/containers/engine-probe.ts';
import type { ContainerPlace, Executor, ExecutorEnd, ExecutorRequest } from '../../../src/server/executor/executor.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { pathOnly } from './processes.ts';

/** This machine's container engine, or why it has none. Tests that need it are then skipped with that reason. */
export async function findRealEngine(): Promise<ContainerEngine | string> {
  const names = ['PATH', 'HOME', 'DOCKER_HOST', 'XDG_RUNTIME_DIR'];
  const env = Object.fromEntries(names.flatMap(name => (process.env[name] ? [[name, process.env[name]]] : [])));
  const found =
    process.platform === 'linux' ? findContainerEngine({ env }) : 'images are made of tools of this machine';
  const fault = typeof found === 'string' ? found : await findFault(found);
  if (fault === undefined) return found;
  console.warn(`skipped: there is no container engine: ${fault}`);
  return fault;
}

async function findFault(engine: ContainerEngine): Promise<string | undefined> {
  try {
    await askEngine(engine);
    return undefined;
  } catch (error) {
    if (error instanceof ContainerFault) return error.message;
    throw error;
  }
}

let runs = 0;

/** Runs a bash script with a new executor in a new folder. */
export async function runContained(
  script: string,
  {
    engine,
    image = 'tools:1',
    settings = {},
    executor = createContainerExecutor({
      ...{ serverId: `contained-${process.pid}-${runs}`, engine, settings },
      ...{ clock: systemClock, link: undefined },
    }),
    place = {},
    env = {},
    ...more
  }: {
    readonly engine: ContainerEngine;
    readonly image?: string;
    readonly settings?: Parameters<typeof createContainerExecutor>[0]['settings'];
    readonly executor?: Executor;
    readonly place?: Partial<ContainerPlace>;
    readonly env?: Readonly<Record<string, string>>;
  } & Partial<ExecutorRequest>,
): Promise<{ readonly end: ExecutorEnd; readonly stdout: string; readonly stderr: string; readonly folder: string }> {
  const folder = createTempFolder();
  const output = { stdout: '', stderr: '' };
  runs += 1;
  const end = await executor.execute({
    command: { argv: ['bash', '-c', script], cwd: folder, env: { ...pathOnly, ...env }, stdin: '' },
    container: { image, writable: [folder], readable: [], ...place },
    runId: `run-${runs}`,
    runDir: folder,
    scratchDir: folder,
    onOutput: async (stream, chunk) => {
      output[stream] += Buffer.from(chunk).toString();
    },
    timeLimitMs: 20_000,
    graceMs: 300,
    signal: new AbortController().signal,
    ...more,
  });
  return { end, folder, ...output };
}
