import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { createFakeRunner, type FakeRunner, type LogLine, type RunningStep } from '../../../src/testing/index.ts';
import { openRunner, writeAction } from '../throwaway-action.ts';

/** Starts a step. Resolves when it has printed `ready`. */
function startReady(runner: FakeRunner): Promise<RunningStep> {
  return new Promise(resolve => {
    const step = runner.startStep({ onLine: ({ text }) => text === 'ready' && resolve(step) });
  });
}

const isLinux = process.platform === 'linux';

/** Whether a process exists and is not a zombie. */
function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

const holdOn = `say('ready'); await sleep(60_000);`;

test('only the exit code decides the outcome', async () => {
  const runner = await openRunner({ main: `say('::error::x'); process.exitCode = Number(process.env.CODE);` });
  const good = await runner.startStep({ env: { CODE: '0' } }).done;
  const bad = await runner.startStep({ env: { CODE: '7' } }).done;
  expect(good).toMatchObject({ outcome: 'success', exitCode: 0, signal: undefined });
  expect(bad).toMatchObject({ outcome: 'failure', exitCode: 7, signal: undefined });
});

test('lines are emitted while the program runs, and form the log', async () => {
  const runner = await openRunner({ main: `say('one'); fs.writeSync(2, 'two\\n'); ${holdOn}` });
  const seen: LogLine[] = [];
  const step = await new Promise<RunningStep>(resolve => {
    const started = runner.startStep({
      onLine: line => {
        seen.push(line);
        if (line.text === 'ready') resolve(started);
      },
    });
  });
  expect(seen).toContainEqual({ kind: 'text', text: 'one', source: 'stdout' });
  expect(step.lines).toEqual(seen);
  step.kill();
  const { log } = await step.done;
  expect(log).toEqual(seen);
  expect(log).toContainEqual({ kind: 'text', text: 'two', source: 'stderr' });
});

test('the log begins with the inputs that are not empty and the variables, in a group', async () => {
  const runner = await openRunner(
    { main: '', inputs: { prompt: {}, wait: { default: true }, name: {} } },
    { env: { A: '1' } },
  );
  const { log } = await runner.startStep({ inputs: { prompt: 'one\ntwo' }, env: { B: '2' } }).done;
  expect(log.map(({ kind, text }) => `${kind}|${text}`)).toEqual([
    'group|Run ./',
    'text|with:',
    'text|  prompt: one',
    'text|two',
    'text|  wait: true',
    'text|env:',
    'text|  A: 1',
    'text|  B: 2',
    'endgroup|',
  ]);
});

test('output written before a SIGKILL counts', async () => {
  const runner = await openRunner({
    main: `put('OUTPUT', 'run_id=1\\n'); put('STATE', 'run_id=1\\n'); put('STEP_SUMMARY', 'half'); ${holdOn}`,
  });
  const step = await startReady(runner);
  step.kill();
  expect(await step.done).toMatchObject({
    outcome: 'failure',
    exitCode: undefined,
    signal: 'SIGKILL',
    outputs: { run_id: '1' },
    state: { run_id: '1' },
    summary: 'half',
  });
});

test('a signal reaches the program, which may end in its own way', async () => {
  const runner = await openRunner({
    main: `process.on('SIGINT', () => { put('OUTPUT', 'got=SIGINT\\n'); process.exit(0); }); ${holdOn}`,
  });
  const step = await startReady(runner);
  step.signal('SIGINT');
  expect(await step.done).toMatchObject({ outcome: 'success', exitCode: 0, outputs: { got: 'SIGINT' } });
});

test('a program that ends on SIGINT is canceled with any exit code, and gets no SIGTERM', async () => {
  const runner = await openRunner({
    main: `process.on('SIGTERM', () => say('SIGTERM'));
      process.on('SIGINT', () => { put('OUTPUT', 'conclusion=cancelled\\n'); setTimeout(() => process.exit(0), 300); }); ${holdOn}`,
  });
  const step = await startReady(runner);
  const result = await step.cancel({ interruptMs: 5_000, terminateMs: 10 });
  expect(result).toMatchObject({ outcome: 'cancelled', exitCode: 0, outputs: { conclusion: 'cancelled' } });
  expect(result.annotations).toEqual([{ level: 'error', message: 'The operation was canceled.' }]);
  expect(result.log.map(({ text }) => text)).not.toContain('SIGTERM');
});

test('a program that ignores SIGINT gets SIGTERM after its time', async () => {
  const runner = await openRunner({
    main: `process.on('SIGINT', () => say('SIGINT')); process.on('SIGTERM', () => { say('SIGTERM'); process.exit(1); }); ${holdOn}`,
  });
  const result = await (await startReady(runner)).cancel({ interruptMs: 200, terminateMs: 5_000 });
  expect(result.log.map(({ text }) => text).slice(-3)).toEqual(['SIGINT', 'SIGTERM', 'The operation was canceled.']);
  expect(result).toMatchObject({ outcome: 'cancelled', exitCode: 1 });
});

test.runIf(isLinux)(
  'a program that ignores both is killed with its children, also those in sessions of their own',
  async () => {
    const runner = await openRunner({
      main: `for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => say(name));
      const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
      put('OUTPUT', 'child=' + child.pid + '\\n'); ${holdOn}`,
    });
    const step = await startReady(runner);
    const result = await step.cancel({ interruptMs: 200, terminateMs: 200 });
    expect(result.log.map(({ text }) => text).slice(-3)).toEqual(['SIGINT', 'SIGTERM', 'The operation was canceled.']);
    expect(result).toMatchObject({ outcome: 'cancelled', signal: 'SIGKILL' });
    await expect.poll(() => isAlive(Number(result.outputs.child))).toBe(false);
  },
);

test('a second cancel, or one after the end, changes nothing', async () => {
  const runner = await openRunner({ main: holdOn });
  const step = await startReady(runner);
  const [first, second] = await Promise.all([step.cancel(), step.cancel()]);
  expect(second).toBe(first);
  expect(first.annotations).toHaveLength(1);
  const over = runner.startStep({ id: 'x' });
  over.kill();
  await over.done;
  expect(await over.cancel()).toMatchObject({ outcome: 'failure' });
});

test.runIf(isLinux)(
  'a child that a killed program leaves behind lives on until the job ends, wherever it hid',
  async () => {
    const runner = await openRunner({
      main: `const child = spawn('sh', ['-c', 'setsid sleep 60 >/dev/null 2>&1 & echo $!'], { detached: true });
      child.stdout.on('data', data => put('OUTPUT', 'pid=' + data));
      child.on('exit', () => say('ready')); await sleep(60_000);`,
    });
    const step = await startReady(runner);
    step.kill();
    const child = Number((await step.done).outputs.pid);
    expect(isAlive(child)).toBe(true);
    await runner.close();
    expect(isAlive(child)).toBe(false);
  },
);

test('closing kills the running step and leaves no folder', async () => {
  const runner = await openRunner({ main: holdOn });
  const step = await startReady(runner);
  await Promise.all([runner.close(), runner.close()]);
  expect(await step.done).toMatchObject({ signal: 'SIGKILL', outcome: 'failure' });
  expect(isAlive(step.pid ?? 0)).toBe(false);
  expect(existsSync(join(runner.temp, '..', '..'))).toBe(false);
  expect(() => runner.startStep()).toThrow('The runner is closed');
});

test('a child that keeps the output open delays the end by five seconds at most', async () => {
  const runner = await openRunner({
    main: `const child = spawn('sleep', ['60'], { stdio: 'inherit' }); child.unref();
      put('OUTPUT', 'pid=' + child.pid + '\\n'); process.exit(0);`,
  });
  const started = performance.now();
  const result = await runner.startStep().done;
  expect(result).toMatchObject({ outcome: 'success', exitCode: 0 });
  expect(performance.now() - started).toBeGreaterThan(4_500);
  expect(performance.now() - started).toBeLessThan(30_000);
  await expect.poll(() => isAlive(Number(result.outputs.pid))).toBe(false);
});

test('steps of a job run one at a time', async () => {
  const runner = await openRunner({ main: holdOn, post: '' });
  const step = await startReady(runner);
  expect(() => runner.startStep()).toThrow('one step at a time');
  await expect(runner.post()).rejects.toThrow('one step at a time');
  step.kill();
  await step.done;
  expect(await runner.post()).toHaveLength(1);
});

test('a missing Node fails the step and says so', async () => {
  const runner = await openRunner({ main: '' }, { nodePath: '/nowhere/node' });
  const result = await runner.startStep().done;
  expect(result).toMatchObject({ outcome: 'failure', exitCode: undefined, signal: undefined });
  expect(result.annotations[0]?.message).toMatch(/could not be started: .*ENOENT/);
});

test('an action is found by a relative path, as in `uses: ./`', async () => {
  await using runner = await createFakeRunner({ actionDir: relative(process.cwd(), writeAction({ main: '' })) });
  expect(await runner.startStep().done).toMatchObject({ outcome: 'success' });
});
