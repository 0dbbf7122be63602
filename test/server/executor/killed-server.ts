/**
 * A small server that watchdog.long.test.ts kills. It executes one script under a watchdog, prints the output and ends.
 * Arguments: server id, folder, script, containment or path of a container engine, whether to say goodbye, and the
 * orphan folder.
 */
import { findContainment } from '../../../src/server/executor/cleanup/containment.ts';
import { createServerExecutor } from '../../../src/server/executor/server-executor.ts';
import { pathOnly } from './processes.ts';

const [serverId = '', folder = '', script = '', kind = '', goodbye = 'goodbye', orphanFolder = ''] =
  process.argv.slice(2);
const isContained = kind.startsWith('/');
const executor = createServerExecutor({
  serverId,
  containment: await findContainment({ choice: kind === 'pid_namespace' ? kind : 'process_group' }),
  containers: isContained
    ? { engine: { file: kind, env: { ...pathOnly, DOCKER_HOST: process.env.DOCKER_HOST ?? '' } }, settings: {} }
    : undefined,
  orphanFolder: orphanFolder === '' ? undefined : orphanFolder,
  onWatchdogLost: () => {},
  onSpawnerLost: () => {},
  onSweepFault: () => {},
});
const end = await executor.execute({
  command: { argv: ['bash', '-c', script], cwd: orphanFolder || folder, env: pathOnly, stdin: '' },
  ...(isContained ? { container: { image: 'tools:1', writable: [folder], readable: [] } } : {}),
  runId: 'watched',
  runDir: folder,
  scratchDir: folder,
  onOutput: async (_stream, chunk) => {
    process.stdout.write(chunk);
  },
  timeLimitMs: 60_000,
  graceMs: 300,
  signal: new AbortController().signal,
});
process.stdout.write(`${JSON.stringify(end)}\n`);
if (goodbye === 'goodbye') await executor.close();
