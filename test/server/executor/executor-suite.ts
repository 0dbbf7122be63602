import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Containment } from '../../../src/server/executor/cleanup/containment.ts';
import type { Executor, ExecutorEnd, ExecutorRequest } from '../../../src/server/executor/executor.ts';
import { createProcessExecutor } from '../../../src/server/executor/process-executor.ts';
import { directSpawner, type Spawner } from '../../../src/server/executor/spawning/spawner.ts';
import { findMarked, pathOnly } from './processes.ts';

interface Outcome {
  readonly end: ExecutorEnd;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

const wellEnded = {
  kind: 'ended',
  exitCode: 0,
  signal: undefined,
  stopped: undefined,
  leftovers: 0,
  survivors: 0,
  survivorPids: [],
};

/** Tests of programs as processes, for every containment. */
export function testExecutor(containment: Containment, spawner: Spawner = directSpawner): void {
  testPrograms({
    name: containment.kind,
    create: serverId => createProcessExecutor({ serverId, watchdog: false, containment, spawner }),
  });
}

/** An executor to test. */
interface Subject {
  readonly name: string;
  create(serverId: string): Executor;
  /** Container image of the programs; undefined runs them as processes of this machine. */
  readonly image?: string;
  /** Names of variables that the image sets. */
  readonly imageVariables?: readonly string[];
}

/**
 * Tests for processes and containers. In a container, a program ends with an exit code even after a signal, SIGTERM
 * reaches only the program, and its leftovers end with it.
 */
export function testPrograms({ name, create, image, imageVariables = [] }: Subject): void {
  // Slow tests with the same result everywhere run once.
  const isPlain = name === 'process_group';
  const isContained = image !== undefined;
  const serverId = `test-${name}-${process.pid}-${Date.now()}`;
  const executor = create(serverId);
  const bySignal = (signal: NodeJS.Signals) =>
    isContained ? { exitCode: 128 + constants.signals[signal], signal: undefined } : { exitCode: undefined, signal };
  const endedWell = isContained ? { ...wellEnded, notes: [] } : wellEnded;
  let folder = '';
  let scratchDir = '';
  let runs = 0;

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'agent-run-executor-')));
    scratchDir = join(folder, 'scratch');
    await mkdir(scratchDir);
  });
  afterEach(async () => {
    expect(findMarked(`${serverId}/`), 'processes left by the test').toEqual([]);
    expect(await readdir(scratchDir), 'names left by the test').toEqual([]);
    await executor.sweepAll();
  });
  afterAll(async () => {
    await executor.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function runBash(script: string, more: Partial<ExecutorRequest> = {}): Promise<Outcome> {
    return execute({ command: { argv: ['bash', '-c', script], cwd: folder, env: pathOnly, stdin: '' }, ...more });
  }

  async function execute(request: Partial<ExecutorRequest> & Pick<ExecutorRequest, 'command'>): Promise<Outcome> {
    const output = { stdout: '', stderr: '' };
    const start = performance.now();
    runs += 1;
    const end = await executor.execute({
      runId: `run-${runs}`,
      runDir: folder,
      scratchDir,
      onOutput: async (stream, chunk) => {
        output[stream] += Buffer.from(chunk).toString('latin1');
      },
      timeLimitMs: 60_000,
      graceMs: 300,
      signal: new AbortController().signal,
      ...(image === undefined ? {} : { container: { image, writable: [folder], readable: [import.meta.dirname] } }),
      ...request,
    });
    return { end, ...output, ms: performance.now() - start };
  }

  /** Stops a program as soon as it has printed something. `ms` counts from then on. */
  async function stopWhenUp(script: string, graceMs: number): Promise<Outcome> {
    const control = new AbortController();
    let [stdout, startMs] = ['', 0];
    const outcome = await runBash(script, {
      signal: control.signal,
      graceMs,
      onOutput: async (stream, chunk) => {
        if (stream === 'stdout') stdout += Buffer.from(chunk).toString('latin1');
        if (!control.signal.aborted) startMs = performance.now();
        control.abort();
      },
    });
    return { ...outcome, stdout, ms: performance.now() - startMs };
  }

  describe('how a program ends', () => {
    test('a program is reported with its exit code and all of its output', async () => {
      const { end, stdout, stderr } = await runBash('echo out; echo err >&2; exit 7');
      expect(end).toEqual({ ...endedWell, exitCode: 7 });
      expect([stdout, stderr]).toEqual(['out\n', 'err\n']);
    });

    test('a program ended by a signal is reported with that signal and no exit code', async () => {
      const { end } = await runBash('kill -SEGV $$');
      expect(end).toEqual({ ...endedWell, ...bySignal('SIGSEGV') });
    });

    test('exit code 137 differs from SIGKILL, except in a container', async () => {
      expect((await runBash('exit 137')).end).toEqual({ ...endedWell, exitCode: 137 });
      expect((await runBash('kill -KILL $$')).end).toEqual({ ...endedWell, ...bySignal('SIGKILL') });
    });

    test('a program that signals its own process group keeps its exit code', async () => {
      const { end } = await runBash('trap : HUP TERM; kill -HUP 0; kill -TERM -$$; exit 4');
      expect(end).toEqual({ ...endedWell, exitCode: 4 });
    });

    test("files that a program creates belong to the server's user", async () => {
      await runBash('echo mine >owned');
      expect((await stat(join(folder, 'owned'))).uid).toBe(process.getuid?.());
    });

    test('standard input has the given text and then ends', async () => {
      const stdin = 'ä'.repeat(200_000);
      const { stdout } = await execute({ command: { argv: ['wc', '-c'], cwd: folder, env: pathOnly, stdin } });
      expect(stdout.trim()).toBe('400000');
    });

    test('a program that ignores its input succeeds', async () => {
      const stdin = 'x'.repeat(2_000_000);
      const { end } = await execute({ command: { argv: ['true'], cwd: folder, env: pathOnly, stdin } });
      expect(end).toEqual(endedWell);
    });

    test('standard streams open by name, and bash sees no remote login', async () => {
      await writeFile(join(folder, '.bashrc'), 'echo start-up file >&2\n');
      const { stdout, stderr } = await execute({
        command: {
          argv: ['bash', '-c', 'cat /dev/stdin >/dev/stderr; echo out >/dev/stdout'],
          cwd: folder,
          env: { ...pathOnly, HOME: folder },
          stdin: 'in\n',
        },
      });
      expect([stdout, stderr]).toEqual(['out\n', 'in\n']);
    });

    test('the environment has the given variables and the marker, nothing else', async () => {
      process.env.EXECUTOR_TEST_SECRET = 'hunter2';
      onTestFinished(() => {
        delete process.env.EXECUTOR_TEST_SECRET;
      });
      const { stdout } = await execute({
        command: { argv: ['env', '-0'], cwd: folder, env: { ...pathOnly, GREETING: 'hello' }, stdin: '' },
        runId: 'run-env',
      });
      const ofImage = (line: string) => imageVariables.some(variable => line.startsWith(`${variable}=`));
      expect(
        stdout
          .split('\0')
          .filter(line => line !== '' && !ofImage(line))
          .sort(),
      ).toEqual([`AGENT_RUN_MARKER=${serverId}/run-env`, 'GREETING=hello', `PATH=${pathOnly.PATH}`].sort());
    });

    test('the program runs in the folder that it is given', async () => {
      expect((await runBash('pwd -P')).stdout.trim()).toBe(folder);
    });
  });

  test('a program is reported as started once, before its output', async () => {
    const order: string[] = [];
    const onOutput = async () => void order.push('output');
    await runBash('echo x', { onOutput, onStarted: () => order.push('started') });
    expect(order).toEqual(['started', 'output']);
  });

  if (!isContained)
    describe('a program that cannot be started', () => {
      const start = async (argv: readonly [string, ...string[]], cwd = folder) =>
        (await execute({ command: { argv, cwd, env: pathOnly, stdin: '' } })).end;

      test('is not reported as started', async () => {
        const started: string[] = [];
        const command = { argv: ['no-such-agent'] as const, cwd: folder, env: pathOnly, stdin: '' };
        await execute({ command, onStarted: () => started.push('no-such-agent') });
        expect(started).toEqual([]);
      });

      test.each([
        ['missing on PATH', ['no-such-agent'], 'it was not found on PATH'],
        ['missing', ['./missing'], 'the file does not exist'],
        ['not executable', ['./plain'], 'it is not executable'],
        ['a folder', ['../work'], 'it is a folder'],
        ['a script without its interpreter', ['./script'], 'interpreter'],
        ['given an invalid argument', ['true', 'a\0b'], ''],
        ['given a huge argument', ['true', 'x'.repeat(3_000_000)], 'its arguments and environment exceed'],
      ] as const)('is reported with the reason if it is %s', async (_name, [program, ...args], reason) => {
        const cwd = join(folder, 'work');
        await mkdir(cwd, { recursive: true });
        await writeFile(join(cwd, 'plain'), 'echo hi\n', { mode: 0o600 });
        await writeFile(join(cwd, 'script'), '#!/no/such/interpreter\n', { mode: 0o700 });
        const message = expect.stringMatching(new RegExp(`^cannot start "${program}": .*${reason}`));
        expect(await start([program, ...args], cwd)).toEqual({ kind: 'not_started', message });
      });

      test('is reported with its working folder if that is missing', async () => {
        expect(await start(['true'], join(folder, 'gone'))).toMatchObject({
          message: `cannot start "true": its working folder ${folder}/gone does not exist`,
        });
      });

      test('is searched on PATH as the system does, skipping files that are not executable', async () => {
        const names = ['first', 'second'].map(name => join(folder, name));
        for (const [index, name] of names.entries()) {
          await mkdir(name);
          await writeFile(join(name, 'my-agent'), `#!/bin/sh\necho ${index}\n`, { mode: index === 0 ? 0o600 : 0o700 });
        }
        const env = (path: string) => ({ argv: ['my-agent'] as const, cwd: folder, env: { PATH: path }, stdin: '' });
        expect((await execute({ command: env(names.join(':')) })).stdout).toBe('1\n');
        expect((await execute({ command: env(names[0] ?? '') })).end).toMatchObject({
          message: 'cannot start "my-agent": it is not executable',
        });
      });
    });

  describe('output', () => {
    test('ten megabytes arrive complete and in order', async () => {
      const { end, stdout } = await runBash('seq 1 1400000');
      expect(end).toEqual(endedWell);
      expect(stdout.length).toBe(10_088_896);
      expect(stdout.endsWith('1399999\n1400000\n')).toBe(true);
    });

    if (isPlain) {
      test('a slow reader blocks the program and loses nothing', async () => {
        const gate = Promise.withResolvers<void>();
        const progress = join(folder, 'progress');
        let bytes = 0;
        const running = runBash(`for i in $(seq 1 100); do head -c 65536 /dev/zero; echo $i >"${progress}"; done`, {
          onOutput: async (_stream, chunk) => {
            await gate.promise;
            bytes += chunk.length;
          },
        });
        await expect.poll(() => readFile(progress, 'utf8').catch(() => '')).not.toBe('');
        await setTimeout(700);
        const written = Number(await readFile(progress, 'utf8'));
        gate.resolve();
        expect((await running).end).toEqual(endedWell);
        expect(written).toBeLessThan(20);
        expect(bytes).toBe(6_553_600);
      });
    }

    if (isPlain) {
      test('a reader that takes seconds gets the rest of the output', async () => {
        let bytes = 0;
        const { end } = await runBash('head -c 100000 /dev/zero', {
          onOutput: async (_stream, chunk) => {
            await setTimeout(1200);
            bytes += chunk.length;
          },
        });
        expect(end).toEqual(endedWell);
        expect(bytes).toBe(100_000);
      });
    }

    if (!isContained)
      test('late output of a filter in a pipe is not lost', async () => {
        const { end, stdout } = await runBash('exec > >(sleep 0.03; cat); echo late');
        // The filter's shell may count as a leftover while it ends.
        expect([end, stdout]).toEqual([{ ...endedWell, leftovers: expect.any(Number) }, 'late\n']);
      });

    test('a failing reader stops the program and rejects with its error', async () => {
      const start = performance.now();
      const failing = runBash('echo one; sleep 60', {
        onOutput: () => Promise.reject(new Error('the disk is full')),
      });
      await expect(failing).rejects.toThrow('the disk is full');
      expect(performance.now() - start).toBeLessThan(15_000);
    });

    test('a reader that fails on the last output rejects too', async () => {
      const failing = runBash('echo last', {
        onOutput: async () => {
          await setTimeout(300);
          throw new Error('the disk is full');
        },
      });
      await expect(failing).rejects.toThrow('the disk is full');
    });
  });

  describe('stopping', () => {
    test('the time limit ends a program and is the reported reason', async () => {
      const { end, ms } = await runBash('sleep 60', { timeLimitMs: 200, graceMs: 10_000 });
      expect(end).toMatchObject({ stopped: 'time_limit', ...bySignal('SIGTERM'), leftovers: 0 });
      expect(ms).toBeLessThan(15_000);
    });

    test('a time limit of a hundred days does not end a program at once', async () => {
      const { end } = await runBash('sleep 0.2', { timeLimitMs: 100 * 86_400_000 });
      expect(end).toEqual(endedWell);
    });

    test('a program that handles SIGTERM ends in its own way', async () => {
      const script = 'trap "echo tidied; exit 3" TERM; echo up; while :; do sleep 0.05; done';
      const { end, stdout } = await stopWhenUp(script, 30_000);
      expect(end).toMatchObject({ stopped: 'signal', exitCode: 3 });
      expect(stdout).toBe('up\ntidied\n');
    });

    if (!isContained)
      test('children get the whole grace time even if their parent exits at once', async () => {
        const { end, stdout } = await stopWhenUp(
          '(trap "sleep 0.3; echo tidied; exit" TERM; echo up; while :; do sleep 0.05; done) & wait',
          30_000,
        );
        expect(end).toMatchObject({ stopped: 'signal', signal: 'SIGTERM' });
        expect(stdout).toBe('up\ntidied\n');
      });

    test('a program that ignores SIGTERM is killed after the grace time', async () => {
      const { end, ms } = await stopWhenUp('trap "" TERM; echo up; while :; do sleep 0.05; done', 400);
      expect(end).toMatchObject({ stopped: 'signal', ...bySignal('SIGKILL') });
      expect(ms).toBeGreaterThan(390);
      expect(ms).toBeLessThan(15_000);
    });

    test('an abort ends a program and everything that left its session', async () => {
      const control = new AbortController();
      const ready = Promise.withResolvers<void>();
      const running = runBash('setsid sleep 301 & setsid bash -c "trap \'\' TERM; echo up; sleep 302" & wait', {
        signal: control.signal,
        onOutput: async () => ready.resolve(),
      });
      await ready.promise;
      control.abort();
      expect((await running).end).toMatchObject({ stopped: 'signal', ...bySignal('SIGTERM'), survivors: 0 });
    });

    test('an aborted signal starts nothing', async () => {
      const { end } = await runBash(`touch "${folder}/started"`, { signal: AbortSignal.abort() });
      expect(end).toMatchObject({ stopped: 'signal', exitCode: undefined });
      await expect(readFile(join(folder, 'started'))).rejects.toThrow('ENOENT');
    });

    test('an abort in the same turn as the start stops the program', async () => {
      const control = new AbortController();
      const running = runBash('sleep 60', { signal: control.signal });
      control.abort();
      expect((await running).end).toMatchObject({ stopped: 'signal' });
    });

    test('a closed executor ends its programs and rejects new ones', async () => {
      const other = create(serverId);
      const request: ExecutorRequest = {
        command: { argv: ['sleep', '60'], cwd: folder, env: pathOnly, stdin: '' },
        runId: 'closing',
        runDir: folder,
        scratchDir,
        onOutput: async () => {},
        timeLimitMs: 60_000,
        graceMs: 300,
        signal: new AbortController().signal,
        ...(image === undefined ? {} : { container: { image, writable: [folder], readable: [import.meta.dirname] } }),
      };
      const running = other.execute(request);
      await other.close();
      expect(await running).toMatchObject({ stopped: 'signal' });
      await expect(other.execute(request)).rejects.toThrow('closed');
    });
  });

  if (!isContained)
    describe.runIf(process.platform === 'linux')('processes that a program leaves', () => {
      const escapes: Readonly<Record<string, string>> = {
        'a background job': 'sleep 311 &',
        'nohup with its output elsewhere': 'nohup sleep 312 >/dev/null 2>&1 &',
        'a session of its own': 'setsid sleep 313 >/dev/null 2>&1 &',
        'a session of its own, forked once more': 'setsid -f sleep 314 >/dev/null 2>&1',
        'a double fork': '( ( setsid sleep 315 & ) & ) >/dev/null 2>&1',
        'an empty environment': 'env -i /usr/bin/sleep 316 &',
        'an empty environment in a session that another job began':
          "setsid bash -c 'env -i /usr/bin/sleep 317 & sleep 318' >/dev/null 2>&1 &",
        'a stopped process': 'sleep 319 & kill -STOP $!',
        'a process that ignores every polite signal': "(trap '' TERM HUP INT; sleep 320) &",
      };
      for (const [name, example] of Object.entries(escapes))
        test(`${name} is killed and counted`, async () => {
          const script = example.replaceAll(/sleep (\d+)/g, `sleep $1.${process.pid}`);
          const { end, ms } = await runBash(`${script}\nsleep 0.05; exit 0`);
          expect(end).toMatchObject({ ...endedWell, leftovers: expect.any(Number) });
          expect(end.kind === 'ended' && end.leftovers).toBeGreaterThanOrEqual(1);
          expect(findByArgument(script.match(/3\d\d\.\d+/g) ?? [])).toEqual([]);
          expect(ms).toBeLessThan(15_000);
        });

      const bareEscapes: Readonly<Record<string, string>> = {
        'that stays in the folder of the run': 'setsid env -i /usr/bin/sleep 361 >/dev/null 2>&1 & sleep 0.05',
        'in a folder below, which it removed': `mkdir gone; cd gone; rmdir ../gone
      setsid env -i /usr/bin/sleep 362 >/dev/null 2>&1 & sleep 0.05`,
        'elsewhere with a pipe of the run': 'cd /; setsid env -i /usr/bin/sleep 363 & sleep 0.05',
        'elsewhere with nothing, seen while its parent was there':
          'cd /; setsid env -i /usr/bin/sleep 364 >/dev/null 2>&1 & sleep 0.7',
        'of a session that was seen, whose first process is gone':
          "cd /; setsid env -i /bin/bash -c '/usr/bin/sleep 0.6; /usr/bin/sleep 365 &' >/dev/null 2>&1 & sleep 0.9",
        'seen while a parent without an environment of its own was there':
          "cd /; setsid env -i /bin/bash -c '/usr/bin/setsid /usr/bin/sleep 366 & /usr/bin/sleep 0.5' >/dev/null 2>&1 & sleep 0.9",
      };
      for (const [name, example] of Object.entries(bareEscapes))
        test(`a process without environment, session and parent ${name} is killed and counted`, async () => {
          const script = example.replaceAll(/sleep (3\d\d)/g, `sleep $1.${process.pid}`);
          const { end } = await runBash(script);
          expect(end).toEqual({ ...endedWell, leftovers: 1 });
          expect(findByArgument(script.match(/3\d\d\.\d+/g) ?? [])).toEqual([]);
        });

      test.each([
        ['a path in the folder of the run', 'cd sub; cd /; env -u AGENT_RUN_MARKER setsid -f /usr/bin/sleep'],
        ['the folder of the run', 'env -i OLDPWD="$PWD" /usr/bin/setsid -f /usr/bin/env --chdir / /usr/bin/sleep'],
        [
          'a list with the folder',
          'env -i LIST="/x:$PWD/sub:/y" /usr/bin/setsid -f /usr/bin/env --chdir / /usr/bin/sleep',
        ],
        ['the id of the run', 'cd /; env -i AGENT_RUN_ID=named-1 /usr/bin/setsid -f /usr/bin/sleep'],
      ])('an orphan without the marker is found by %s in its environment', async (_, start) => {
        const runDir = join(folder, 'named');
        await mkdir(join(runDir, 'sub'), { recursive: true });
        const argument = `367.${process.pid}`;
        const command = {
          argv: ['bash', '-c', `${start} ${argument} >/dev/null 2>&1; sleep 0.01`],
          cwd: runDir,
        } as const;
        const { end } = await execute({ runDir, runId: 'named-1', command: { ...command, env: pathOnly, stdin: '' } });
        expect(end).toEqual({ ...endedWell, leftovers: 1 });
        expect(findByArgument([argument])).toEqual([]);
      });

      test('a process with another folder, a parent or an earlier start is left alone', async () => {
        const runDir = join(folder, 'unnamed');
        await mkdir(`${runDir}-2`, { recursive: true });
        await mkdir(runDir);
        const argument = (number: number) => `${number}.${process.pid}`;
        const before = spawn('setsid', ['-f', 'sleep', argument(384)], { env: { ...pathOnly, OLDPWD: runDir } });
        await once(before, 'exit');
        // Longer than a tick of the kernel's clock.
        await setTimeout(30);
        // Like a shell that a user opened in the folder, and its child.
        const env = { ...pathOnly, OLDPWD: runDir, AGENT_RUN_ID: 'unnamed-1' };
        const start = Promise.withResolvers<void>();
        const running = runBash('echo up; until [ -e unnamed/go ]; do sleep 0.02; done', {
          runDir,
          runId: 'unnamed-1',
          onOutput: async () => start.resolve(),
        });
        await start.promise;
        const child = spawn('sleep', [argument(385)], { stdio: 'ignore', env });
        const twin = spawn('setsid', ['-f', 'sleep', argument(386)], { env: { ...pathOnly, OLDPWD: `${runDir}-2` } });
        await once(twin, 'exit');
        await writeFile(join(runDir, 'go'), '');
        const { end } = await running;
        const left = findByArgument([384, 385, 386].map(argument));
        for (const pid of left) process.kill(Number(pid), 'SIGKILL');
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
        expect([end, left.length]).toEqual([endedWell, 3]);
      });

      test('a process with a pipe of the run is killed when the run is stopped', async () => {
        const argument = `371.${process.pid}`;
        const { end } = await runBash(`cd /; (setsid env -i /usr/bin/sleep ${argument} &) ; sleep 60`, {
          timeLimitMs: 150,
        });
        expect(end).toMatchObject({ stopped: 'time_limit', survivors: 0 });
        expect(findByArgument([argument])).toEqual([]);
      });

      test('a process in a folder with a similar name, or of another run, is left alone', async () => {
        const runDir = join(folder, 'twin');
        await mkdir(runDir);
        await mkdir(`${runDir}-2`);
        const strangers = [
          spawn('sleep', ['381'], { cwd: `${runDir}-2`, stdio: 'ignore', env: pathOnly }),
          spawn('sleep', ['382'], {
            cwd: runDir,
            stdio: 'ignore',
            env: { ...pathOnly, AGENT_RUN_MARKER: `${serverId}/another` },
          }),
        ];
        const { end } = await runBash('true', { runDir });
        const ended = strangers.map(({ exitCode, signalCode }) => exitCode ?? signalCode);
        const gone = strangers.map(stranger => once(stranger, 'exit'));
        for (const stranger of strangers) stranger.kill('SIGKILL');
        await Promise.all(gone);
        expect([end, ended]).toEqual([endedWell, [null, null]]);
      });

      test("a run with another run's id as prefix is left alone", async () => {
        const ready = Promise.withResolvers<void>();
        const control = new AbortController();
        const longer = runBash('setsid sleep 331 & echo up; wait', {
          runId: 'twin-10',
          signal: control.signal,
          onOutput: async () => ready.resolve(),
        });
        await ready.promise;
        const { end } = await runBash('true', { runId: 'twin-1' });
        expect(end).toEqual(endedWell);
        expect(findMarked(`${serverId}/twin-10`)).not.toEqual([]);
        control.abort();
        await longer;
      });

      test('a fork bomb of many sessions is ended', async () => {
        const script =
          'f() { setsid bash -c "sleep 341" & [ $1 -gt 0 ] && { f $(($1-1)) & f $(($1-1)) & }; }; f 4; sleep 0.2';
        const { end } = await runBash(script);
        expect(end).toMatchObject({ exitCode: 0, survivors: 0 });
      });

      test('sweepAll kills and counts the processes of an earlier server', async () => {
        const orphan = spawn('sleep', ['351'], {
          detached: true,
          stdio: 'ignore',
          env: { ...pathOnly, AGENT_RUN_MARKER: `${serverId}/earlier` },
        });
        orphan.unref();
        const stranger = spawn('sleep', ['352'], {
          detached: true,
          stdio: 'ignore',
          env: { ...pathOnly, AGENT_RUN_MARKER: `${serverId}x/other` },
        });
        onTestFinished(() => {
          stranger.kill('SIGKILL');
        });
        expect(await executor.sweepAll()).toBe(1);
        expect(findMarked(`${serverId}x/other`)).toHaveLength(1);
      });
    });
}

function findByArgument(seconds: readonly string[]): readonly string[] {
  return seconds.flatMap(value => findMarked(`sleep\0${value}\0`, 'cmdline').map(String));
}
