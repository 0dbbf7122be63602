import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { processGroups } from '../../../../src/server/executor/cleanup/containment.ts';
import { createProcessExecutor } from '../../../../src/server/executor/process-executor.ts';
import { SpawnerFault } from '../../../../src/server/executor/spawning/spawner.ts';
import { SpawnerLink } from '../../../../src/server/executor/spawning/spawner-link.ts';
import { createTempFolder } from '../../../support/temp-folder.ts';
import { openTestServer } from '../../../support/test-server.ts';
import { waitUntil } from '../../../support/wait-until.ts';
import { findForTests } from '../containments.ts';
import { findMarked, pathOnly } from '../processes.ts';

const found = await findForTests('pid_namespace');
let executors = 0;

describe.each([
  ['process groups', processGroups],
  ['namespaces', found],
])('an executor with a spawner and %s', (_name, containment) => {
  const openExecutor = () => {
    if (typeof containment === 'string') throw new Error(containment);
    executors += 1;
    const serverId = `spawner-${process.pid}-${executors}`;
    const spawner = new SpawnerLink();
    const executor = createProcessExecutor({ serverId, watchdog: false, containment, spawner });
    const close = async () => {
      await executor.close();
      await spawner.close();
    };
    onTestFinished(close);
    const folder = createTempFolder();
    const [runDir, scratchDir] = [join(folder, 'run'), join(folder, 'scratch')];
    for (const path of [runDir, scratchDir]) mkdirSync(path);
    const run = async (script: string, onOutput = async () => {}) =>
      await executor.execute({
        command: { argv: ['bash', '-c', script], cwd: runDir, env: pathOnly, stdin: '' },
        runId: 'one',
        runDir,
        scratchDir,
        onOutput,
        timeLimitMs: 30_000,
        graceMs: 1000,
        signal: new AbortController().signal,
      });
    return { serverId, run, close };
  };

  test.skipIf(typeof containment === 'string')('starts a program whose arguments have unusual line ends', async () => {
    const { run } = openExecutor();
    expect(await run(': "\u2028\u2029"; exit 3')).toMatchObject({ exitCode: 3 });
  });

  test.skipIf(typeof containment === 'string')(
    'reports a program that lost its spawner, leaves nothing of it, and starts the next program',
    async () => {
      const { serverId, run } = openExecutor();
      const killed = run('(setsid sleep 71 &); echo up; sleep 72', async () => killSpawners());
      await expect(killed).rejects.toThrow(SpawnerFault);
      expect(findMarked(`${serverId}/`)).toEqual([]);
      expect(await run('exit 3')).toMatchObject({ exitCode: 3, leftovers: 0, survivors: 0 });
    },
  );
});

test.skipIf(typeof found === 'string')('a namespace is not held any more once its spawner is gone', async () => {
  if (typeof found === 'string' || found.tools === undefined) throw new Error('skipped');
  const link = new SpawnerLink();
  onTestFinished(() => link.close());
  const keeper = await link.openNamespace(found.tools.keeper, pathOnly);
  expect(keeper.isHeld()).toBe(true);
  killSpawners();
  await keeper.gone;
  expect(keeper.isHeld()).toBe(false);
});

test('a spawner that was killed is reported, and one that was closed is not', async () => {
  const lost: string[] = [];
  const link = new SpawnerLink(message => lost.push(message));
  const start = () =>
    link.spawn({ argv: ['/bin/sleep', '74'], cwd: '/', env: pathOnly, stdio: ['ignore', 'ignore', 'ignore'] });
  const { exited, pid } = await start();
  killSpawners();
  await expect(exited).rejects.toThrow(SpawnerFault);
  process.kill(pid, 'SIGKILL');
  process.kill((await start()).pid, 'SIGKILL');
  await link.close();
  expect(lost).toEqual(['the process that starts programs ended (SIGKILL)']);
});

test('a spawner survives the signals that stop a server', async () => {
  const link = new SpawnerLink();
  onTestFinished(() => link.close());
  const start = () =>
    link.spawn({ argv: ['/bin/sh', '-c', 'exit 3'], cwd: '/', env: pathOnly, stdio: ['ignore', 'ignore', 'ignore'] });
  await (await start()).exited;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) killSpawners(signal);
  expect(await (await start()).exited).toMatchObject({ exitCode: 3 });
});

describe.skipIf(typeof found === 'string')('the namespace that is ready', () => {
  const open = () => {
    if (typeof found === 'string') throw new Error(found);
    executors += 1;
    const serverId = `ready-${process.pid}-${executors}`;
    const executor = createProcessExecutor({ serverId, watchdog: false, containment: found });
    onTestFinished(() => executor.close());
    const runDir = createTempFolder();
    const run = async (script = 'exit 3', onOutput = async () => {}) =>
      await executor.execute({
        command: { argv: ['bash', '-c', script], cwd: runDir, env: pathOnly, stdin: '' },
        runId: 'one',
        runDir,
        scratchDir: createTempFolder(),
        onOutput,
        timeLimitMs: 30_000,
        graceMs: 1000,
        signal: new AbortController().signal,
      });
    return { executor, run, findReady: () => findMarked(`${serverId}\0`) };
  };

  test('is replaced if it was killed', async () => {
    const { run, findReady } = open();
    await run();
    await waitUntil(() => findReady().length === 3);
    process.kill(findReady()[0] ?? 0, 'SIGKILL');
    await waitUntil(() => findReady().length === 0);
    expect(await run()).toMatchObject({ exitCode: 3 });
  });

  test('rejects the program with SpawnerFault if it is killed while in use', async () => {
    const { run, findReady } = open();
    const killed = run('echo up; sleep 73', async () => {
      // The keeper has the lowest pid, and its namespace ends with it.
      process.kill(findReady()[0] ?? 0, 'SIGKILL');
    });
    await expect(killed).rejects.toThrow(SpawnerFault);
    expect(await run()).toMatchObject({ exitCode: 3 });
  });

  test('ends with its executor', async () => {
    const { executor, run, findReady } = open();
    await run();
    await executor.close();
    expect(findReady()).toEqual([]);
  });

  test('is ended by the next server if this one and its watchdog were killed', async () => {
    const { executor, run, findReady } = open();
    await run();
    await waitUntil(() => findReady().length === 3);
    expect(await executor.sweepAll()).toBe(3);
    expect(findReady()).toEqual([]);
  });
});

test('a run that lost its spawner ends ERROR and can be retried, and the next run succeeds', async () => {
  const { client } = await openTestServer();
  const seconds = '7391';
  const { run_id } = await client.runs.create({ prompt: `\`\`\`sh\necho up; sleep ${seconds}\n\`\`\`` });
  await waitUntil(() => findMarked(`sleep\0${seconds}\0`, 'cmdline').length > 0);
  killSpawners();
  const run = await client.runs.wait(run_id);
  expect([run.state, run.status_message]).toMatchObject([
    'ERROR',
    { error_code: 'resource_unavailable', retryable: true },
  ]);
  expect(findMarked(`sleep\0${seconds}\0`, 'cmdline')).toEqual([]);
  const next = await client.runs.create({ prompt: '```sh\necho done\n```' });
  expect(await client.runs.wait(next.run_id)).toMatchObject({ state: 'SUCCEEDED' });
});

/** Those of this process. */
function killSpawners(signal: NodeJS.Signals = 'SIGKILL'): void {
  for (const pid of findMarked('agent-run spawner', 'cmdline'))
    if (readFileSync(`/proc/${pid}/stat`, 'latin1').match(/\) \w (\d+)/)?.[1] === String(process.pid))
      process.kill(pid, signal);
}
