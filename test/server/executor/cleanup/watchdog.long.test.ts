import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import type { ContainmentKind } from '../../../../src/server/executor/cleanup/containment.ts';
import { WatchdogLink } from '../../../../src/server/executor/cleanup/watchdog-link.ts';
import { findForTests } from '../containments.ts';
import { findMarked, pathOnly } from '../processes.ts';

const serverFile = fileURLToPath(new URL('../killed-server.ts', import.meta.url));
const namespace = await findForTests('pid_namespace');
const kinds: readonly ContainmentKind[] = ['process_group', ...(typeof namespace === 'string' ? [] : [namespace.kind])];
const started: ChildProcess[] = [];
let folder = '';
let servers = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-run-watchdog-'));
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts a small server and waits until its agent has printed `up`. */
async function startServer(
  script: string,
  {
    kind = 'process_group',
    goodbye = 'goodbye',
    workspace = '',
  }: { readonly kind?: ContainmentKind; readonly goodbye?: string; readonly workspace?: string } = {},
): Promise<{ server: ChildProcess; serverId: string; watchdogs(): readonly number[] }> {
  servers += 1;
  const serverId = `watchdog-test-${process.pid}-${servers}`;
  // A new folder, because the previous test's watchdog may still sweep its own.
  const runDir = await mkdtemp(join(folder, 'run-'));
  const server = spawn(process.execPath, [serverFile, serverId, runDir, script, kind, goodbye, workspace], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: pathOnly,
  });
  started.push(server);
  await once(server.stdout ?? server, 'data');
  return {
    server,
    serverId,
    watchdogs: () => findMarked(serverId, 'cmdline').filter(pid => pid !== server.pid),
  };
}

/** Waits until `look` finds as many as expected. */
async function waitForCount(look: () => readonly number[], count: number): Promise<void> {
  await expect.poll(look).toHaveLength(count);
}

/** A sleep without an environment, which only its session identifies, and a way to find it. */
function bareSleep(seconds: number): { script: string; find(): readonly number[] } {
  const argument = `${seconds}.${process.pid}`;
  return {
    script: `env -i /usr/bin/sleep ${argument}`,
    find: () => findMarked(`/usr/bin/sleep\0${argument}\0`, 'cmdline'),
  };
}

describe.runIf(process.platform === 'linux')('the watchdog', () => {
  test.for(kinds)('leaves nothing of a killed server, whatever its agents did to escape: %s', async kind => {
    const bare = bareSleep(405);
    const { server, serverId, watchdogs } = await startServer(
      `setsid sleep 401 & nohup sleep 402 >/dev/null 2>&1 & setsid -f sleep 403
       (trap '' TERM HUP INT; sleep 404) & ${bare.script} & echo up; wait`,
      { kind },
    );
    await waitForCount(bare.find, 1);
    expect(findMarked(`${serverId}/watched`).length).toBeGreaterThanOrEqual(5);
    server.kill('SIGKILL');
    await waitForCount(() => [...findMarked(`${serverId}/`), ...bare.find()], 0);
    await waitForCount(watchdogs, 0);
  });

  test('ends an agent that emptied its environment', async () => {
    const bare = bareSleep(411);
    const { server } = await startServer(`echo up; exec ${bare.script}`);
    await waitForCount(bare.find, 1);
    server.kill('SIGKILL');
    await waitForCount(bare.find, 0);
  });

  test("ends a process that shares only the run's folder with its agent", async () => {
    const bare = bareSleep(415);
    const { server } = await startServer(`(setsid ${bare.script} &); echo up; sleep 60`);
    await waitForCount(bare.find, 1);
    server.kill('SIGKILL');
    await waitForCount(bare.find, 0);
  });

  test("ends orphans in the run's workspace, except those that began after the kill", async () => {
    const [bare, next] = [bareSleep(416), bareSleep(417)];
    const workspace = await mkdtemp(join(folder, 'workspace-'));
    const { server, watchdogs } = await startServer(`(setsid ${bare.script} > /dev/null 2>&1 &); echo up; sleep 60`, {
      workspace,
    });
    await waitForCount(bare.find, 1);
    // The watchdog must know the leader.
    await waitForCount(watchdogs, 1);
    server.kill('SIGKILL');
    await waitForCount(bare.find, 0);
    // The watchdog is still sweeping.
    execFileSync('bash', ['-c', `(setsid ${next.script} > /dev/null 2>&1 &)`], { cwd: workspace });
    await waitForCount(watchdogs, 0);
    expect(next.find()).toHaveLength(1);
    for (const pid of next.find()) process.kill(pid);
  });

  test('is killed by its closing server if it was stopped by SIGSTOP', async () => {
    const { server, serverId, watchdogs } = await startServer('echo up; sleep 0.5');
    await waitForCount(() => findMarked(`agent-run watchdog of ${serverId}`, 'cmdline'), 1);
    for (const pid of watchdogs()) process.kill(pid, 'SIGSTOP');
    expect(await once(server, 'exit')).toEqual([0, null]);
    await waitForCount(watchdogs, 0);
  });

  test('ignores the signals of a terminal or a service manager', async () => {
    const { server, serverId, watchdogs } = await startServer('setsid sleep 421 & echo up; wait');
    const [watchdog = 0, ...more] = watchdogs();
    expect(more).toEqual([]);
    // It sets its title once it handles signals.
    await waitForCount(() => findMarked(`agent-run watchdog of ${serverId}`, 'cmdline'), 1);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(watchdog, signal);
    await new Promise(resolve => setTimeout(resolve, 100));
    expect(watchdogs()).toEqual([watchdog]);
    server.kill('SIGKILL');
    await waitForCount(() => findMarked(`${serverId}/`), 0);
  });

  test('is replaced when it dies, and the new one knows the runs', async () => {
    const bare = bareSleep(432);
    const { server, serverId, watchdogs } = await startServer(`setsid sleep 431 & echo up; exec ${bare.script}`);
    const [first = 0] = watchdogs();
    process.kill(first, 'SIGKILL');
    await waitForCount(() => watchdogs().filter(pid => pid !== first), 1);
    // A new watchdog may not know the runs yet.
    await waitForCount(() => findMarked(`agent-run watchdog of ${serverId}`, 'cmdline'), 1);
    await waitForCount(bare.find, 1);
    server.kill('SIGKILL');
    await waitForCount(() => [...findMarked(`${serverId}/`), ...bare.find()], 0);
  });

  test('is not replaced in a step', async () => {
    const serverId = `watchdog-test-${process.pid}-step`;
    const lost = Promise.withResolvers<void>();
    const link = new WatchdogLink({ serverId, clock: systemClock, onLost: lost.resolve, isInStep: true });
    await waitForCount(() => findMarked(serverId, 'cmdline'), 1);
    for (const pid of findMarked(serverId, 'cmdline')) process.kill(pid, 'SIGKILL');
    await lost.promise;
    expect(findMarked(serverId, 'cmdline')).toEqual([]);
    await link.close();
  });

  test('does not keep a server alive and ends with it', async () => {
    const { server, watchdogs } = await startServer('echo up; sleep 0.2', { goodbye: 'no goodbye' });
    expect(await once(server, 'exit')).toEqual([0, null]);
    await waitForCount(watchdogs, 0);
  });

  test('is gone when a server has closed', async () => {
    const { server, watchdogs } = await startServer('echo up; sleep 0.2');
    expect(watchdogs()).toHaveLength(1);
    expect(await once(server, 'exit')).toEqual([0, null]);
    expect(watchdogs()).toEqual([]);
  });

  test('leaves the runs of a new server on the same data folder alone', async () => {
    const { server, serverId, watchdogs } = await startServer('setsid sleep 441 & echo up; wait');
    const next = spawn('sleep', ['442'], {
      stdio: 'ignore',
      detached: true,
      env: { ...pathOnly, AGENT_RUN_MARKER: `${serverId}/next` },
    });
    started.push(next);
    server.kill('SIGKILL');
    await waitForCount(watchdogs, 0);
    expect(findMarked(`${serverId}/`)).toEqual([next.pid]);
  });
});

describe.skipIf(typeof namespace === 'string')('a PID namespace', () => {
  test('leaves nothing of a server that was killed with its watchdog', async () => {
    const bare = bareSleep(455);
    const { server, serverId, watchdogs } = await startServer(
      `cd /; (setsid ${bare.script} >/dev/null 2>&1 &); (trap '' TERM HUP INT; sleep 451) & echo up; wait`,
      { kind: 'pid_namespace' },
    );
    await waitForCount(bare.find, 1);
    const [watchdog = 0] = watchdogs();
    // A stopped watchdog does not notice the server's end.
    process.kill(watchdog, 'SIGSTOP');
    try {
      server.kill('SIGKILL');
      await waitForCount(() => [...findMarked(`${serverId}/`), ...bare.find()], 0);
    } finally {
      process.kill(watchdog, 'SIGCONT');
      await waitForCount(watchdogs, 0);
    }
  });
});
