import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Environment } from '../../../src/server/environments/environment.ts';
import { installFakeDocker } from '../../support/fake-docker.ts';
import { createOrigin } from '../../support/git-host.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { createFakeAgent, settings } from '../harness/agents/fake-agent.ts';
import { environmentOf, inShop } from './environment-fixture.ts';
import { block, openBench } from './worker-fixture.ts';

const engineOf = ({ file, env }: ReturnType<typeof installFakeDocker>) => ({ engine: { file, env } });
const contained = (more: Partial<Environment> = {}) => environmentOf(undefined, { image: 'tools:1', ...more });

test('setup commands and agent run in containers with the run’s folders, without secret arguments', async () => {
  const docker = installFakeDocker();
  const bench = await openBench({
    containers: engineOf(docker),
    environments: [contained({ setup: ['echo "$OF_THE_IMAGE" >made'], env: { NPM_TOKEN: 'hunter2hunter2' } })],
  });
  const { run, result, log, left } = await bench.work(
    block('cat made; echo "$NPM_TOKEN" | wc -c; echo x >"$AGENT_RUN_ARTIFACTS/report.txt"; echo "$PATH"'),
    inShop,
  );
  expect(run.statusMessage?.message).toBeUndefined();
  // PATH is that of the image.
  expect(result).toBe('yes\n15\n/usr/local/bin:/usr/bin:/bin\n');
  expect(run.artifacts.map(({ data }) => data.filename)).toEqual(['report.txt']);
  expect(log.system).toContain('container: tools:1\n');
  const started = docker.calls().filter(([command]) => command === 'run');
  expect(started).toHaveLength(2);
  const runDir = join(bench.dataDir, 'runs', run.runId);
  const mounted = started.map(args => args.filter(arg => arg.startsWith('type=bind')).join(' '));
  // Setup commands must not see the files that the server writes for the agent.
  expect(mounted[0]).not.toContain(`${runDir}/state`);
  expect(mounted[1]).toContain(`source=${runDir}/state,target=${runDir}/state`);
  expect(mounted.join(' ')).not.toContain(`source=${runDir},`);
  expect(JSON.stringify(docker.calls())).not.toContain('hunter2');
  expect([docker.containers(), left]).toEqual([[], []]);
});

test('a result file is read from a container', async () => {
  const docker = installFakeDocker();
  const bench = await openBench({ containers: engineOf(docker), image: 'tools:1' });
  const { result } = await bench.work(block('echo noise; echo "the result" >"$AGENT_RUN_RESULT"'));
  expect(result).toBe('the result\n');
});

test('a failing setup command in a container fails the run as elsewhere', async () => {
  const docker = installFakeDocker();
  const bench = await openBench({
    containers: engineOf(docker),
    environments: [contained({ setup: ['echo no; exit 125'] })],
  });
  const { run } = await bench.work(block('true'), inShop);
  expect(run).toMatchObject({ state: 'FAILED', statusMessage: { error_code: 'environment_setup_failed' } });
  expect(run.statusMessage?.message).toBe(
    'setup command 1 of 1 (`echo no; exit 125`) failed with exit code 125. It printed: no',
  );
});

test('an unreachable engine and an image that cannot be pulled end a run as ERROR with the reason', async () => {
  const docker = installFakeDocker();
  docker.stopEngine();
  const bench = await openBench({ containers: engineOf(docker), image: 'gone:1' });
  const dead = await bench.work(block('true'));
  expect(dead.run).toMatchObject({
    state: 'ERROR',
    statusMessage: { error_code: 'resource_unavailable', retryable: true },
  });
  expect(dead.run.statusMessage?.message).toMatch(
    /^docker cannot be used: Cannot connect to the Docker daemon at unix:/,
  );
  docker.startEngine();
  const missing = await bench.work(block('true'));
  expect(missing.run.state).toBe('ERROR');
  expect(missing.run.statusMessage?.message).toMatch(/^could not pull the image gone:1: pull access denied for gone:1/);
  expect(missing.log.system).toContain('pulling the image gone:1\n');
});

test('a program missing in the image is not a failure of the agent', async () => {
  const docker = installFakeDocker();
  const commands = { mine: { argv: ['no-such-agent'] as const, env: {} } };
  const bench = await openBench({
    containers: engineOf(docker),
    image: 'tools:1',
    harnesses: { script: false, default: 'mine', commands },
  });
  const { run } = await bench.work('do it');
  expect(run).toMatchObject({ state: 'FAILED', statusMessage: { error_code: 'environment_setup_failed' } });
  expect(run.statusMessage?.message).toBe(
    'cannot start "no-such-agent": it was not found on the PATH of the image tools:1',
  );
});

test('the git of the image makes the patch, so nothing in the agent’s clone is executed here', async () => {
  const docker = installFakeDocker();
  const origin = createOrigin({ 'a.txt': 'a\n' });
  const bench = await openBench({
    containers: engineOf(docker),
    environments: [environmentOf(origin, { image: 'tools:1' })],
  });
  const trap = join(createTempFolder(), 'trapped');
  // The fake's containers are processes of this machine, so the test checks who started git.
  const script = `git config filter.x.clean 'sh -c "echo $OF_THE_IMAGE >>${trap}; cat"'; echo '* filter=x' >.gitattributes; echo b >a.txt`;
  const { run } = await bench.work(block(script), inShop);
  const patch = run.artifacts.find(({ data }) => data.filename === 'changes.patch');
  const text = readFileSync(join(bench.dataDir, 'artifacts', run.runId, String(patch?.data.artifact_uid)), 'utf8');
  expect(text).toContain('+b\n');
  expect(new Set(readFileSync(trap, 'utf8').trim().split('\n'))).toEqual(new Set(['yes']));
});

test('without git in the image nothing is published, because the changes are unknown', async () => {
  const docker = installFakeDocker();
  const origin = createOrigin({ 'a.txt': 'a\n' });
  const bin = createTempFolder();
  // A broken git stands for a missing one.
  writeFileSync(join(bin, 'git'), '#!/bin/sh\nexit 1\n');
  chmodSync(join(bin, 'git'), 0o755);
  const env = { PATH: `${bin}:/usr/bin:/bin` };
  writeFileSync(docker.imageVariables, `PATH=${env.PATH}\n`);
  const bench = await openBench({
    containers: engineOf(docker),
    environments: [environmentOf(origin, { image: 'tools:1', publish: 'branch' })],
  });
  const { run, log } = await bench.work(block('echo b >a.txt; echo done'), inShop);
  expect(run).toMatchObject({ state: 'FAILED', statusMessage: { error_code: 'publish_failed' } });
  expect(log.system).toContain(
    'when the agent began, the git of the image tools:1 cannot read the repository. git printed nothing',
  );
  expect(origin.branches()).toEqual(['main']);
});

test('a run can be canceled while its image is pulled, and a timeout names the pull', async () => {
  const docker = installFakeDocker();
  const bench = await openBench({ containers: engineOf(docker), image: 'slow:1' });
  const claimed = await bench.claim(block('true'));
  const working = bench.worker.run(claimed);
  while (!docker.calls().some(([command]) => command === 'pull')) await new Promise(resolve => setTimeout(resolve, 20));
  await bench.store.requestCancel(claimed.runId, 'not needed any more');
  await working;
  expect((await bench.look(claimed.runId)).run.state).toBe('CANCELLED');
  const hurried = await openBench({ containers: engineOf(docker), image: 'slow:1', limits: { run_minutes: 0.01 } });
  expect((await hurried.work(block('true'))).run.statusMessage?.message).toBe(
    'the run timed out after 0.6 s. Raise `limits.run_minutes` of the server. It was pulling the image slow:1',
  );
});

test.each([
  ['is too old and dies', 'exit 1', 'ended with exit code 1 without a report; it needs Node 22 or newer'],
  ['dies by a signal', 'kill -9 $$', 'without a report; it needs Node 22 or newer'],
  ['ends well without a word', 'exit 0', 'ended with exit code 0 without a report; it needs Node 22 or newer'],
])(
  'if the node of the image %s, a required MCP server fails the run, an optional one is reported',
  async (_name, script, reason) => {
    const docker = installFakeDocker();
    const bin = createTempFolder();
    writeFileSync(join(bin, 'node'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, 'node'), 0o755);
    writeFileSync(docker.imageVariables, `PATH=${bin}:/usr/bin:/bin\n`);
    const bench = await openBench({
      containers: engineOf(docker),
      image: 'tools:1',
      harnesses: { default: 'fake', agents: { fake: { kind: 'fake', ...settings } } },
      adapters: { fake: createFakeAgent() },
    });
    const prompt = `printf '%s\\n' '{"done":"x"}'`;
    const optional = await bench.work(prompt, { mcp_servers: { tools: { command: 'true', required: false } } });
    expect([optional.run.state, optional.run.statusMessage?.message]).toEqual(['SUCCEEDED', undefined]);
    expect(optional.log.system).toContain(`the MCP servers tools could not be checked before the agent starts: `);
    expect(optional.log.system).toContain(reason);
    const { run } = await bench.work(prompt, { mcp_servers: { tools: { command: 'true' } } });
    expect(run).toMatchObject({ state: 'FAILED', statusMessage: { error_code: 'environment_setup_failed' } });
    expect(run.statusMessage?.message).toMatch(/in the image tools:1\. Set `"required": false`/);
  },
);
