import { afterAll, describe, expect, test } from 'vitest';
import { processGroups } from '../../../src/server/executor/cleanup/containment.ts';
import { SpawnerLink } from '../../../src/server/executor/spawning/spawner-link.ts';
import { findForTests } from './containments.ts';
import { runScript } from './executor-fixture.ts';
import { testExecutor } from './executor-suite.ts';

const found = await findForTests('pid_namespace');
const bubblewrap = await findForTests('bubblewrap');

/** Prints pid, name, state and parent of every visible process. */
const listProcesses =
  'for f in /proc/[0-9]*/stat; do read -r pid name state parent rest <"$f" && echo "$pid $name $state $parent"; done';

describe.skipIf(typeof found === 'string')('in a PID namespace', () => {
  const containment = typeof found === 'string' ? processGroups : found;
  // As in a server. The executor of process groups starts programs itself.
  const spawner = new SpawnerLink();
  afterAll(() => spawner.close());
  testExecutor(containment, spawner);

  test('a program sees the processes of its own run and no others', async () => {
    const { stdout } = await runScript('sleep 5 & for f in /proc/[0-9]*; do echo "$f"; done', { containment });
    // The first process, its reader, the shell and its sleep.
    expect(stdout.trim().split('\n')).toHaveLength(4);
    expect(stdout).toContain('/proc/1\n');
  });

  test('an orphan is adopted and reaped', async () => {
    const script = `for i in 1 2 3 4 5; do (sleep 2 &); done; sleep 0.3; ${listProcesses}; sleep 2; echo then; ${listProcesses}`;
    const [before = '', after = ''] = (await runScript(script, { containment })).stdout.split('then');
    expect(before.match(/\(sleep\) S 1/g)).toHaveLength(5);
    expect(after).not.toMatch(/sleep| Z /);
  });

  test('a program that kills all processes continues, and the first process is not a leftover', async () => {
    // Guards the machine: outside a namespace the parent is not 0, and `kill` would hit everything.
    const script = `[ "$PPID" = 0 ] || exit 9
      for i in 1 2 3; do
        ${listProcesses} | while read -r pid name state parent; do [ "$parent" = 1 ] && kill -KILL "$pid"; done
        kill -TERM 1; sleep 0.05
      done; echo on`;
    expect(await runScript(script, { containment })).toMatchObject({
      stdout: 'on\n',
      end: { exitCode: 0, signal: undefined, leftovers: 0 },
    });
  });
});

describe.skipIf(typeof bubblewrap === 'string')('in a namespace of bubblewrap', () => {
  const containment = typeof bubblewrap === 'string' ? processGroups : bubblewrap;

  test('a program keeps its exit, folder and files', async () => {
    expect(await runScript('pwd -P; echo x >made; exit 137', { containment })).toMatchObject({
      stdout: expect.stringMatching(/^\/.+\n$/),
      end: { exitCode: 137, leftovers: 0 },
    });
    expect(await runScript('kill -KILL $$', { containment })).toMatchObject({ end: { signal: 'SIGKILL' } });
  });

  test('a double fork without environment is killed and counted', async () => {
    const script = 'cd /; (setsid env -i /usr/bin/sleep 60 >/dev/null 2>&1 &); sleep 0.05';
    expect(await runScript(script, { containment })).toMatchObject({
      end: { exitCode: 0, leftovers: 1, survivors: 0 },
    });
  });

  test('a program gets SIGTERM when its run is stopped', async () => {
    const script = 'trap "exit 3" TERM; while :; do sleep 0.02; done';
    expect(await runScript(script, { containment, timeLimitMs: 1500 })).toMatchObject({
      end: { exitCode: 3, stopped: 'time_limit' },
    });
  });
});
