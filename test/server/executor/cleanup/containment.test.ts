import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findContainment, processGroups } from '../../../../src/server/executor/cleanup/containment.ts';
import { createProcessExecutor } from '../../../../src/server/executor/process-executor.ts';
import { createTempFolder } from '../../../support/temp-folder.ts';
import { findForTests } from '../containments.ts';
import { runScript } from '../executor-fixture.ts';
import { findMarked } from '../processes.ts';

const found = await findForTests('pid_namespace');
const toolNames = ['unshare', 'nsenter', 'timeout', 'env', 'setsid'];

/** A folder with the system's tools, where the given shell scripts replace some. */
function makeTools(scripts: Readonly<Record<string, string>>): readonly string[] {
  const folder = join(createTempFolder(), 'tools');
  mkdirSync(folder);
  for (const name of toolNames) {
    const path = join(folder, name);
    const script = scripts[name];
    if (script === undefined) symlinkSync(join('/usr/bin', name), path);
    else {
      writeFileSync(path, `#!/bin/sh\n${script}\n`);
      chmodSync(path, 0o755);
    }
  }
  return [folder];
}

test('an executor uses process groups by default', async () => {
  const executor = createProcessExecutor({ serverId: 'plain', watchdog: false });
  expect(executor.containment).toBe('process_group');
  await executor.close();
});

test('a containment with missing tools is rejected with their names and packages', async () => {
  for (const [choice, names] of [
    ['pid_namespace', 'unshare, nsenter, timeout, env, setsid not found'],
    ['bubblewrap', 'bwrap, nsenter'],
  ] as const) {
    const failing = findContainment({ choice, folders: ['/nowhere'] });
    await expect(failing).rejects.toThrow(`containment: ${choice} does not work here: `);
    await expect(failing).rejects.toThrow(process.platform === 'linux' ? names : 'only Linux');
  }
});

test('missing tools select process groups, with the reason', async () => {
  expect(await findContainment({ choice: 'auto', folders: ['/nowhere'] })).toMatchObject({
    kind: 'process_group',
    tools: undefined,
    because: expect.stringContaining(process.platform === 'linux' ? 'util-linux' : 'Linux'),
  });
});

describe.skipIf(typeof found === 'string')('the namespace probe', () => {
  const because = async (scripts: Readonly<Record<string, string>>) => {
    const { kind, because } = await findContainment({ choice: 'auto', folders: makeTools(scripts) });
    return [kind, because];
  };

  test("the system's tools pass", async () => {
    expect(await because({})).toEqual(['pid_namespace', undefined]);
  });

  test.each([
    [
      'a machine without namespaces',
      { unshare: 'echo "unshare failed: Operation not permitted" >&2; exit 1' },
      'could not create a PID namespace: unshare failed: Operation not permitted',
    ],
    [
      'a tool that turns signals into exit codes',
      { timeout: 'shift 2; "$@"; exit $?' },
      expect.stringContaining('a program killed by SIGKILL is reported as exit code 137'),
    ],
    [
      'a tool that starts programs outside the namespace',
      { nsenter: 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"' },
      'a test program was started outside the namespace',
    ],
  ])('%s selects process groups', async (_name, scripts, reason) => {
    expect(await because(scripts)).toEqual(['process_group', reason]);
  });

  test('a probe leaves no process', () => {
    expect(findMarked('probe/probe')).toEqual([]);
  });
});

describe('limits', () => {
  const find = (limits: Parameters<typeof findContainment>[0]['limits'] = {}) =>
    findContainment({ choice: 'auto', limits });

  test('without limits, the command line has no prefix', async () => {
    expect((await findContainment({ choice: 'process_group' })).limit).toEqual([]);
  });

  test.runIf(process.platform === 'linux')(
    'a file does not outgrow its limit, and its writer is told by a signal',
    async () => {
      const write =
        'head -c 2000000 /dev/zero >file; ls -l file | { read -r a b c d size rest; echo $size; }; kill -0 $$';
      for (const containment of [
        await find({ fileMb: 1 }),
        { ...processGroups, limit: (await find({ fileMb: 1 })).limit },
      ])
        expect(await runScript(`(${write}) 2>/dev/null`, { containment })).toMatchObject({ stdout: '1048576\n' });
      expect((await runScript(write, { containment: await find() })).stdout).toBe('2000000\n');
    },
  );

  test.runIf(process.platform === 'linux')('a process cannot get more memory than its limit', async () => {
    const script = 'text=$(head -c 20000000 /dev/zero | tr "\\0" a); echo ${#text}';
    expect((await runScript(script, { containment: await find() })).stdout).toBe('20000000\n');
    expect((await runScript(script, { containment: await find({ memoryMb: 15 }) })).stdout).not.toContain('20000000');
  });

  test.runIf(process.platform === 'linux')('a program cannot raise its limit', async () => {
    const { stdout } = await runScript('ulimit -Hf; ulimit -Sf', { containment: await find({ fileMb: 1 }) });
    expect(stdout).toBe('1024\n1024\n');
  });

  test.runIf(process.platform === 'linux')(
    'a program that cannot be started under limits is named as without them',
    async () => {
      const containment = { ...processGroups, limit: (await find({ fileMb: 1 })).limit };
      const folder = createTempFolder();
      const executor = createProcessExecutor({ serverId: 'limited', watchdog: false, containment });
      const end = await executor.execute({
        command: { argv: ['no-such-agent'], cwd: folder, env: { PATH: '/usr/bin' }, stdin: '' },
        runId: 'one',
        runDir: folder,
        scratchDir: folder,
        onOutput: async () => {},
        timeLimitMs: 5000,
        graceMs: 100,
        signal: new AbortController().signal,
      });
      await executor.close();
      expect(end).toEqual({
        kind: 'not_started',
        message: 'cannot start "no-such-agent": it was not found on PATH',
      });
    },
  );

  test.runIf(process.platform === 'linux')('a limit that lets no program start is rejected', async () => {
    await expect(find({ memoryMb: 0 })).rejects.toThrow(/^limits: no program can start with --data=0 .*raise/);
  });

  test.runIf(process.getuid?.() === 0)(
    'a limit of processes is rejected for root, whose processes are not counted',
    async () => {
      await expect(find({ processes: 100 })).rejects.toThrow(/^limits\.processes: .*root/);
    },
  );

  test('a machine without prlimit is reported', async () => {
    await expect(findContainment({ choice: 'auto', limits: { fileMb: 1 }, folders: ['/nowhere'] })).rejects.toThrow(
      'was not found in /nowhere; install util-linux',
    );
  });
});
