/** Runs with a skill from GitHub, and with placeholders in a skill. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AgentConfig } from '../../../src/contract/config.ts';
import { createOrigin } from '../../support/git-host.ts';
import { type HostFile, openSkillHost } from '../../support/skill-host.ts';
import { environmentOf } from './environment-fixture.ts';
import { block, openBench, writeTree } from './worker-fixture.ts';

type Bench = Parameters<typeof openBench>[0];
const token = 'token-0123456789';

async function open(files: Readonly<Record<string, HostFile>>, more: Bench = {}) {
  const host = await openSkillHost({ token });
  host.commit('octo-org/tools', files);
  return { host, bench: await openBench({ github: host.settings({ token }), ...more }) };
}

test('a run works in an empty folder next to the folder of its skill, and never sees the token', async () => {
  const { bench, host } = await open({
    'README.md': 'not there',
    'skills/deploy/SKILL.md': `---\ndescription: Brings it out\n---\n${block('ls -A; bash "$AGENT_RUN_SKILL_DIR/run.sh"; env; cat "$AGENT_RUN_SKILL_DIR"/*')}`,
    'skills/deploy/run.sh': 'echo "from $(cd "$(dirname "$0")" && pwd) in $PWD"',
  });
  const { run, result = '', log, events } = await bench.work('', { skill_spec: 'octo-org/tools:deploy' });
  expect([run.state, run.skill]).toEqual([
    'SUCCEEDED',
    { name: 'deploy', description: 'Brings it out', full_path: 'skills/deploy/SKILL.md' },
  ]);
  const id = 'octo-org/tools:skills/deploy/SKILL.md';
  expect(await bench.store.findLastRuns([id])).toEqual(new Map([[id, run.startedAt]]));
  const root = join(bench.dataDir, 'runs', run.runId);
  expect(result.split('\n')[0]).toBe(`from ${root}/state/skill in ${root}/workspace`);
  expect(log.system).toMatch(
    /workspace: an empty folder, with a copy of octo-org\/tools:skills\/deploy\/SKILL\.md at [0-9a-f]{7} next to it/,
  );
  expect(host.seen.length).toBeGreaterThan(0);
  expect(JSON.stringify([run, result, events, bench.logged])).not.toContain(token);
});

test('a skill that GitHub does not have fails the run, and an unreachable GitHub is an error', async () => {
  const { bench, host } = await open({ 'skills/deploy/SKILL.md': '' });
  const end = async (skill_spec: string) => {
    const { run } = await bench.work('', { skill_spec });
    return [run.state, run.statusMessage?.error_code, run.statusMessage?.message];
  };
  expect(await end('octo-org/tools:gone')).toEqual([
    'FAILED',
    'resource_not_found',
    expect.stringMatching(/has no skill gone \(looked for .*on GitHub\); its skills: skills\/deploy\/SKILL\.md/),
  ]);
  expect(await end('octo-org/nothing:gone')).toEqual([
    'FAILED',
    'resource_not_found',
    expect.stringContaining('the skills of octo-org/nothing cannot be read from GitHub: '),
  ]);
  host.interfere(() => 'lost');
  expect((await end('octo-org/other:x')).slice(0, 2)).toEqual(['ERROR', 'resource_unavailable']);
});

test('while GitHub is down, the log of the run says that the skill may be outdated', async () => {
  const { bench, host } = await open({ 'skills/deploy/SKILL.md': block('echo one') });
  await bench.work('', { skill_spec: 'octo-org/tools:deploy' });
  host.interfere(() => 503);
  const { result, log } = await bench.work('', { skill_spec: 'octo-org/tools:deploy' });
  expect(result).toBe('one\n');
  expect(log.system).toMatch(/answered 503.*; using the last copy of octo-org\/tools, at [0-9a-f]{7}\n/);
});

test('a run that is canceled while GitHub is silent ends at once', async () => {
  const { bench, host } = await open({});
  const claimed = await bench.claim('', { skill_spec: 'octo-org/tools:deploy' });
  host.interfere(() => {
    void bench.store.requestCancel(claimed.runId, 'enough');
    return 'silent';
  });
  await bench.worker.run(claimed);
  expect((await bench.look(claimed.runId)).run.state).toBe('CANCELLED');
});

test('a skill missing in the clone is searched on GitHub, and a failure names both', async () => {
  const environments = [
    environmentOf(createOrigin({ 'skills/here/SKILL.md': block('echo clone') }, { name: 'octo-org/tools' })),
  ];
  const { bench } = await open({ 'skills/far/SKILL.md': block('echo GitHub') }, { environments });
  const work = async (name: string) =>
    await bench.work('', { environment_id: 'shop', skill_spec: `octo-org/tools:${name}` } as AgentConfig);
  expect([(await work('here')).result, (await work('far')).result]).toEqual(['clone\n', 'GitHub\n']);
  expect((await work('none')).run.statusMessage?.message).toMatch(
    /skills\/here\/SKILL\.md; .*on GitHub.*skills\/far\/SKILL\.md/,
  );
});

test('placeholders of a skill are filled in with the prompt, which stays the task', async () => {
  const checkout = await writeTree({ 'skills/fix/SKILL.md': '---\nname: fix $0\n---\nRepair $1: $ARGUMENTS.' });
  const bench = await openBench({
    repositories: { 'octo-org/tools': checkout },
    harnesses: { default: 'mine', commands: { mine: { argv: ['cat'], env: {} } } },
  });
  const { run, result } = await bench.work('please "the login"', { skill_spec: 'octo-org/tools:fix' });
  expect(run.skill?.name).toBe('fix $0');
  expect(result).toContain('Repair the login: please "the login".');
  expect(result?.match(/please "the login"/g)).toHaveLength(2);
});

test('a prompt is never filled into code that is executed as written', async () => {
  const code = block('printf "%s|" "$ARGUMENTS" "${1-none}" "$(cat "$AGENT_RUN_PROMPT_FILE")"');
  const checkout = await writeTree({ 'skills/fix/SKILL.md': code });
  const bench = await openBench({ repositories: { 'octo-org/tools': checkout } });
  const { run } = await bench.work('"; touch hacked; "', { skill_spec: 'octo-org/tools:fix' });
  // Under -u, a missing variable is an error.
  expect([run.state, run.statusMessage?.message]).toEqual([
    'FAILED',
    expect.stringContaining('ARGUMENTS: unbound variable'),
  ]);
});
