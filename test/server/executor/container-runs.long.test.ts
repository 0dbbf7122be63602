import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { callEngine, findContainerEngine } from '../../../src/server/executor/containers/container-engine.ts';
import { createContainerExecutor } from '../../../src/server/executor/containers/container-executor.ts';
import { askEngine } from '../../../src/server/executor/containers/engine-probe.ts';
import { type FakeDocker, installFakeDocker } from '../../support/fake-docker.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { runContained } from './engines.ts';
import { findMarked } from './processes.ts';

const serverFile = fileURLToPath(new URL('./killed-server.ts', import.meta.url));

function create(docker: FakeDocker, more: Partial<Parameters<typeof createContainerExecutor>[0]> = {}) {
  return createContainerExecutor({
    ...{ serverId: 'server-1', engine: docker, settings: {}, clock: systemClock, link: undefined },
    ...more,
  });
}

/** A container that an earlier server, or another program, left. */
async function leaveContainer(docker: FakeDocker, name: string, labels: readonly string[]): Promise<void> {
  const folder = createTempFolder();
  const args = ['--mount', `type=bind,source=${folder},target=${folder}`, '--workdir', folder, '--entrypoint', 'sleep'];
  const labelled = labels.flatMap(label => ['--label', label]);
  const client = spawn(docker.file, ['run', '--name', name, ...labelled, ...args, 'tools:1', '60'], {
    env: docker.env,
    stdio: 'ignore',
  });
  while (!docker.running().includes(name)) await new Promise(resolve => setTimeout(resolve, 20));
  client.kill('SIGKILL');
}

async function waitUntil(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 8000;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error('not so after eight seconds');
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

test("a container gets the server's settings, and variables reach no file or argument", async () => {
  const docker = installFakeDocker();
  const settings = { network: 'agents', memoryMb: 512, processes: 200, cpus: 1.5 };
  const env = { TOKEN: 'hunter2', PRIVATE_KEY: 'line one\nline two\n', LONG: 'x'.repeat(70_000), '#ODD': '1' };
  const { '#ODD': _odd, ...fine } = env;
  const script = 'echo "$TOKEN"; echo "$PRIVATE_KEY"; echo "${#LONG}"';
  const { stdout, folder } = await runContained(script, { engine: docker, settings, env: fine });
  expect(stdout).toBe('hunter2\nline one\nline two\n\n70000\n');
  const [run] = docker.calls().filter(([command]) => command === 'run');
  expect(run?.join(' ')).toContain('--network agents --memory 512m --memory-swap 512m --pids-limit 200 --cpus 1.5');
  expect(run?.join(' ')).toContain(`--user ${process.getuid?.()}:${process.getgid?.()}`);
  expect(run?.join(' ')).toMatch(/--entrypoint bash tools:1 -c /);
  expect(JSON.stringify(docker.calls())).not.toMatch(/hunter2|line one|xxxx/);
  expect(readdirSync(folder)).toEqual([]);
  const odd = await runContained('true', { engine: docker, env });
  expect(odd.end).toMatchObject({
    kind: 'not_started',
    message: expect.stringContaining('the name of the variable "#ODD" is not valid'),
  });
});

test('a long variable that the client needs itself is rejected', async () => {
  const docker = installFakeDocker();
  const { end } = await runContained('true', { engine: docker, env: { DOCKER_HOST: 'two\nlines' } });
  expect(end).toEqual({
    kind: 'not_started',
    message:
      'cannot start "bash": the variable DOCKER_HOST has several lines or is too long, and the container engine uses a variable of this name itself',
  });
});

test.for([125, 126, 127])(
  'exit code %i of a program is its own, although the engine has it for faults of its own',
  async code => {
    const docker = installFakeDocker();
    expect((await runContained(`exit ${code}`, { engine: docker })).end).toMatchObject({
      kind: 'ended',
      exitCode: code,
    });
  },
);

test("an engine failure is reported in its words, not as the program's end", async () => {
  const docker = installFakeDocker({ images: ['tools:1', 'broken:1'] });
  const broken = runContained('true', { engine: docker, image: 'broken:1' });
  await expect(broken).rejects.toThrow(
    'could not start a container from the image broken:1: failed to create task for container: permission denied',
  );
  const network = runContained('true', { engine: docker, settings: { network: 'missing' } });
  await expect(network).rejects.toThrow(
    'could not create a container from the image tools:1: network missing not found',
  );
  expect(docker.containers()).toEqual([]);
});

test('a program that prints an init error itself counts as started', async () => {
  const docker = installFakeDocker();
  const script = 'echo out; echo "[FATAL tini (7)] exec claude failed: No such file or directory" >&2; exit 127';
  expect((await runContained(script, { engine: docker })).end).toMatchObject({ kind: 'ended', exitCode: 127 });
});

test('a killed client removes its container and reports a failure', async () => {
  const docker = installFakeDocker();
  const running = runContained('echo up; sleep 60', {
    engine: docker,
    onOutput: async () => {
      const [client = 0] = findMarked('--label\0agent-run.run=', 'cmdline');
      process.kill(client, 'SIGKILL');
    },
  });
  await expect(running).rejects.toThrow(
    /^the client of the container engine ended \(by a signal\) while the program ran/,
  );
  expect(docker.containers()).toEqual([]);
});

test('a run stopped during the creation of its container leaves none', async () => {
  const docker = installFakeDocker({ images: ['slow-to-start:1'] });
  const control = new AbortController();
  const running = runContained('sleep 60', { engine: docker, image: 'slow-to-start:1', signal: control.signal });
  await waitUntil(() => docker.containers().length > 0);
  control.abort();
  expect((await running).end).toMatchObject({ kind: 'ended', stopped: 'signal', survivors: 0 });
  await new Promise(resolve => setTimeout(resolve, 500));
  expect(docker.containers()).toEqual([]);
});

test('a starting server removes only its own leftover containers', async () => {
  const docker = installFakeDocker();
  await leaveContainer(docker, 'left', ['agent-run.server=server-1', 'agent-run.run=one']);
  await leaveContainer(docker, 'of-another', ['agent-run.server=server-10', 'agent-run.run=one']);
  onTestFinished(() => callEngine(docker, ['rm', '--force', 'of-another']).then(() => {}));
  expect(await create(docker).sweepAll()).toBe(1);
  expect(docker.containers()).toEqual(['of-another']);
});

test('leftovers are removed before the first container if the engine was down', async () => {
  const docker = installFakeDocker();
  await leaveContainer(docker, 'left', ['agent-run.server=server-1', 'agent-run.run=one']);
  docker.stopEngine();
  const faults: string[] = [];
  const executor = create(docker, { onSweepFault: message => faults.push(message) });
  expect(await executor.sweepAll()).toBe(0);
  expect(faults).toEqual([expect.stringMatching(/^cannot list the containers of runs: Cannot connect/)]);
  docker.startEngine();
  expect((await runContained('true', { engine: docker, executor })).end).toMatchObject({ exitCode: 0 });
  expect(docker.containers()).toEqual([]);
});

test('a server that is killed leaves no container', async () => {
  const docker = installFakeDocker();
  const serverId = `killed-${process.pid}`;
  const server = spawn(
    process.execPath,
    [serverFile, serverId, createTempFolder(), "trap '' TERM; setsid sleep 471 & echo up; wait", docker.file],
    { env: docker.env, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(server.stdout, 'data');
  // The program may print before the engine lists it.
  await waitUntil(() => docker.running().length === 1);
  server.kill('SIGKILL');
  await waitUntil(() => docker.containers().length === 0 && findMarked(`${serverId}/`).length === 0);
  await waitUntil(() => findMarked(serverId, 'cmdline').length === 0);
});

test('the engine is the configured command, then docker, then podman', async () => {
  const docker = installFakeDocker();
  expect(findContainerEngine({ env: docker.env })).toMatchObject({ file: docker.file });
  expect(findContainerEngine({ command: docker.file, env: { PATH: '' } })).toMatchObject({ file: docker.file });
  expect(findContainerEngine({ env: { PATH: '/nowhere' } })).toMatch(
    /^docker and podman were not found on the server's PATH/,
  );
  expect(findContainerEngine({ command: 'nerdctl', env: docker.env })).toMatch(/nerdctl was not found on the server/);
  expect(findContainerEngine({ command: '/nowhere/docker', env: docker.env })).toMatch(
    /^`docker\.command`: \/nowhere\/docker does not exist/,
  );
});

test("each engine runs programs as the server's user", async () => {
  const docker = installFakeDocker();
  const flagsOf = async (answers: Parameters<FakeDocker['answer']>[0]) => {
    docker.answer(answers);
    return (await askEngine(docker, { uid: 1000, gid: 100 })).userFlags;
  };
  expect(await flagsOf({ info: '["name=seccomp,profile=default"]' })).toEqual(['--user', '1000:100']);
  expect(await flagsOf({ info: '["name=rootless"]' })).toEqual(['--user', '0:0']);
  const podman = { version: 'podman version 5.4.2' };
  expect(await flagsOf({ ...podman, info: 'false' })).toEqual(['--http-proxy=false', '--user', '1000:100']);
  const keepId = ['--http-proxy=false', '--userns', 'keep-id', '--user', '1000:100'];
  expect(await flagsOf({ ...podman, info: 'true' })).toEqual(keepId);
  await expect(flagsOf({ info: '["name=userns"]' })).rejects.toThrow(/userns-remap/);
});
