import { execFileSync, spawn } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findMarked } from '../executor/processes.ts';
import { environmentOf, inShop } from './environment-fixture.ts';
import { block, commitAll, openBench, writeTree } from './worker-fixture.ts';

const skill = `---\nname: tell\ndescription: Tells.\n---\n${block('cat "$AGENT_RUN_SKILL_DIR/extra.txt"; pwd; echo "$AGENT_RUN_SKILL_DIR"')}`;

test('a run works in the configured folder and leaves only its own files there', async () => {
  const workspace = await writeTree({ 'there.txt': 'before' });
  const bench = await openBench({ workspace, limits: { keep_workspace_minutes: 5 } });
  const { result, log, left } = await bench.work(
    block('cat there.txt; pwd; echo after >made.txt; touch "$HOME/x" "$TMPDIR/y"; dirname "$HOME"'),
  );
  const [there, runFolder] = (result ?? '').split('\n');
  expect(there).toBe(`before${workspace}`);
  expect(runFolder?.startsWith(join(bench.dataDir, 'runs'))).toBe(true);
  expect(log.system).toBe(`workspace: ${workspace}\n`);
  expect(await readdir(workspace)).toEqual(['made.txt', 'there.txt']);
  expect(left).toEqual([]);
});

test('git in a run does not find a repository around the data folder, but finds its own', async () => {
  const look = 'git rev-parse --show-toplevel 2>/dev/null || echo none';
  const bench = await openBench({ environments: [environmentOf(undefined, { setup: [look] })] });
  execFileSync('git', ['init', '--quiet', bench.folder]);
  const { run, log } = await bench.work(block(`${look}; git init -q lib; cd lib; mkdir a; cd a; ${look}`), inShop);
  const workspace = join(bench.dataDir, 'runs', run.runId, 'workspace');
  expect(log.stdout).toBe(`none\nnone\n${workspace}/lib\n`);
});

test('a run that fails, is stopped or times out leaves the configured folder in place', async () => {
  const workspace = await writeTree({ 'there.txt': 'before' });
  const bench = await openBench({ workspace, limits: { run_minutes: 0.005 } });
  expect((await bench.work(block('exit 3'))).run.state).toBe('FAILED');
  expect((await bench.work(block('sleep 30'))).run.statusMessage?.error_code).toBe('time_limit');
  const claimed = await bench.claim(block('sleep 30'));
  const stopping = new AbortController();
  const working = bench.worker.run(claimed, stopping.signal);
  stopping.abort();
  await working;
  expect((await bench.look(claimed.runId)).run.state).toBe('ERROR');
  await bench.worker.removeStaleWorkspaces();
  expect(await readFile(join(workspace, 'there.txt'), 'utf8')).toBe('before');
});

test('another user’s program in the configured folder survives, and those of the run do not', async () => {
  const workspace = await writeTree({});
  const other = spawn('sleep', ['30'], { cwd: workspace, stdio: 'ignore', detached: true });
  onTestFinished(() => void other.kill('SIGKILL'));
  const bench = await openBench({ workspace });
  const { run, log } = await bench.work(block('setsid sleep 30 >/dev/null 2>&1 & sleep 0.1; echo done'));
  expect(run.state).toBe('SUCCEEDED');
  expect(log.system).toContain('1 process was still running');
  expect(findMarked(`${bench.serverId}/`)).toEqual([]);
  expect([other.exitCode, other.signalCode]).toEqual([null, null]);
});

test('a skill of the configured folder is used in place, committed or not', async () => {
  const workspace = await writeTree({ 'skills/tell/SKILL.md': skill, 'skills/tell/extra.txt': 'committed\n' });
  commitAll(workspace);
  const bench = await openBench({ workspace, repositories: { 'octo-org/shop': workspace } });
  await bench.work(block('echo changed >skills/tell/extra.txt'));
  const { result } = await bench.work('', { skill_spec: 'octo-org/shop:tell' });
  expect(result).toBe(`changed\n${workspace}\n${join(workspace, 'skills/tell')}\n`);
});

test('a skill of another checkout is copied next to the configured folder, not into it', async () => {
  const workspace = await writeTree({ 'there.txt': '' });
  const tools = await writeTree({ 'skills/tell/SKILL.md': skill, 'skills/tell/extra.txt': 'extra\n' });
  const bench = await openBench({ workspace, repositories: { 'octo-org/tools': tools } });
  const { result, log } = await bench.work('', { skill_spec: 'octo-org/tools:tell' });
  const [extra, folder, skillDir = ''] = (result ?? '').split('\n');
  expect([extra, folder]).toEqual(['extra', workspace]);
  expect(skillDir.startsWith(join(bench.dataDir, 'runs'))).toBe(true);
  expect(log.system).toContain('with a copy of octo-org/tools:skills/tell/SKILL.md next to it');
  expect(await readdir(workspace)).toEqual(['there.txt']);
});

test('git works in a configured folder that belongs to another user', async () => {
  const workspace = await writeTree({ 'there.txt': '' });
  const commit = commitAll(workspace);
  const bench = await openBench({ workspace });
  const { result } = await bench.work(block('GIT_TEST_ASSUME_DIFFERENT_OWNER=1 git rev-parse --short HEAD'));
  expect(result).toBe(`${commit}\n`);
});

test('a missing configured folder fails the run, and is not created', async () => {
  const workspace = await writeTree({});
  const bench = await openBench({ workspace });
  await rm(workspace, { recursive: true });
  const { run } = await bench.work(block('echo hello'));
  expect(run.statusMessage).toMatchObject({
    error_code: 'environment_setup_failed',
    message: `the workspace ${workspace} is no longer a folder`,
  });
});
