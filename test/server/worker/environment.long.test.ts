import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Checkout } from '../../../src/server/store/store.ts';
import { createOrigin, git, openGitHost } from '../../support/git-host.ts';
import { findMarked } from '../executor/processes.ts';
import { environmentOf, inShop, repositoryAt } from './environment-fixture.ts';
import { block, openBench, writeTree } from './worker-fixture.ts';

const token = 'token-of-the-host-0123456789';

test('the only repository of an environment is the workspace, at its last commit, without history', async () => {
  const origin = createOrigin();
  const commit = origin.commit({ 'cart.ts': 'one\n' });
  const bench = await openBench({ environments: [environmentOf(origin)] });
  const { run, result, log } = await bench.work(
    block('ls; git log --oneline | wc -l; git rev-parse HEAD; git branch --show-current; git remote -v; git status -s'),
    inShop,
  );
  expect(run.state).toBe('SUCCEEDED');
  expect(result).toBe(
    `README.md\ncart.ts\n1\n${commit}\nmain\norigin\t${origin.url} (fetch)\norigin\t${origin.url} (push)\n`,
  );
  expect(log.system).toContain(`workspace: octo-org/shop at ${commit.slice(0, 7)} (main)\n`);
});

test('several repositories are folders by name, and one patch contains all their changes', async () => {
  const root = await writeTree({});
  const [shop, tools] = [
    createOrigin({ 'a.txt': 'a\n' }, { root }),
    createOrigin({ 'b.txt': 'b\n' }, { root, name: 'octo-org/tools' }),
  ];
  const repositories = [repositoryAt(shop.url, { path: 'shop' }), repositoryAt(tools.url, { path: 'libs/tools' })];
  const bench = await openBench({ environments: [environmentOf(undefined, { repositories })] });
  const { run, log } = await bench.work(
    block('echo more >>shop/a.txt; printf "\\0\\1" >"libs/tools/new ü"; git -C libs/tools add .; ls'),
    inShop,
  );
  expect(log.stdout).toBe('libs\nshop\n');
  expect(log.system).toMatch(
    /octo-org\/shop at \w{7} \(main\) in shop, octo-org\/tools at \w{7} \(main\) in libs\/tools/,
  );
  const uid = run.artifacts.find(({ data }) => data.filename === 'changes.patch')?.data.artifact_uid;
  const patch = join(bench.dataDir, 'artifacts', run.runId, String(uid));
  const again = await writeTree({ 'shop/a.txt': 'a\n', 'libs/tools/b.txt': 'b\n' });
  git(again, 'apply', patch);
  expect(await readFile(join(again, 'shop/a.txt'), 'utf8')).toBe('a\nmore\n');
  expect(await readFile(join(again, 'libs/tools/new ü'))).toEqual(Buffer.from([0, 1]));
});

test('an empty repository becomes an empty workspace in which git works', async () => {
  const bench = await openBench({ environments: [environmentOf(createOrigin({}))] });
  const { result, log } = await bench.work(block('git status | tail -1; touch x; git add x'), inShop);
  expect(result).toContain('nothing to commit');
  expect(log.system).toContain('workspace: octo-org/shop, which is empty\n');
});

test('a run can name a branch, a full ref, a tag, or a ref of a pull request', async () => {
  const origin = createOrigin({ 'a.txt': 'first\n' });
  git(origin.folder, 'tag', 'v1', 'main');
  origin.commit({ 'a.txt': 'fix\n' }, 'fix/one');
  git(origin.folder, 'update-ref', 'refs/pull/7/head', 'fix/one');
  origin.commit({ 'a.txt': 'last\n' });
  const commit = git(origin.folder, 'rev-parse', 'main');
  const others = Array.from(
    { length: 500 },
    (_, index) => `${commit} refs/heads/${1000 + index}/of-somebody/fix/one\n`,
  );
  await writeFile(join(origin.folder, 'packed-refs'), others.join(''));
  const bench = await openBench({ environments: [environmentOf(origin)] });
  const look = async (ref: string) => {
    const asked = { repository: 'octo-org/SHOP', ref };
    return (await bench.work(block('echo "[$(git branch --show-current)] $(cat a.txt)"'), inShop, asked)).result;
  };
  expect(await look('fix/one')).toBe('[fix/one] fix\n');
  expect(await look('refs/heads/fix/one')).toBe('[fix/one] fix\n');
  expect(await look('v1')).toBe('[] first\n');
  expect(await look('refs/pull/7/head')).toBe('[] fix\n');
});

test('a commit that a run names wins over its branch, which has newer commits', async () => {
  const origin = createOrigin({ 'a.txt': 'first\n' });
  const sha = origin.commit({ 'a.txt': 'fix\n' }, 'fix');
  origin.commit({ 'a.txt': 'later\n' }, 'fix');
  const bench = await openBench({ environments: [environmentOf(origin)] });
  const look = block('cat a.txt; echo "[$(git branch --show-current)]"; git log --oneline | wc -l');
  const asked = { repository: 'octo-org/shop', ref: 'fix', sha: sha.toUpperCase() };
  expect((await bench.work(look, inShop, asked)).result).toBe('fix\n[fix]\n1\n');
  expect((await bench.work(look, inShop, { ...asked, ref: 'refs/heads/gone' })).result).toBe('fix\n[]\n1\n');
});

test('a depth fetches that many commits; full history comes with the branches for a review', async () => {
  const origin = createOrigin({ 'a.txt': 'first\n' });
  const sha = origin.commit({ 'b.txt': 'fix\n' }, 'fix');
  origin.commit({ 'c.txt': 'went on\n' });
  const look = block(
    'git log --oneline | wc -l; git diff --name-only origin/main...HEAD || echo none; git branch --show-current',
  );
  const asked = { repository: 'octo-org/shop', ref: 'fix', sha };
  const lookAt = async (depth: number) => {
    const [repository] = environmentOf(origin).repositories;
    const repositories = repository === undefined ? [] : [{ ...repository, depth }];
    const bench = await openBench({ environments: [environmentOf(origin, { repositories })] });
    return (await bench.work(look, inShop, asked)).result;
  };
  expect(await lookAt(0)).toBe('2\nb.txt\nfix\n');
  expect(await lookAt(2)).toBe('2\nnone\nfix\n');
  expect(await lookAt(1)).toBe('1\nnone\nfix\n');
});

test('a commit that is gone from the host is reported as such', async () => {
  const bench = await openBench({ environments: [environmentOf(createOrigin())] });
  const { run } = await bench.work(block('cat README.md'), inShop, {
    repository: 'octo-org/shop',
    sha: 'f'.repeat(40),
  });
  expect(run.statusMessage).toMatchObject({ message: expect.stringMatching(/not our ref.*The commit is gone there/) });
});

test('a missing ref fails the run, and so does one that looks like an option', async () => {
  const bench = await openBench({ environments: [environmentOf(createOrigin())] });
  const fail = async (checkout: Checkout) => {
    const { statusMessage } = (await bench.work(block('true'), inShop, checkout)).run;
    return [statusMessage?.error_code, statusMessage?.message];
  };
  expect(await fail({ ref: 'gone' })).toEqual([
    'environment_setup_failed',
    'octo-org/shop has no branch and no tag gone',
  ]);
  expect(await fail({ ref: '--upload-pack=touch /tmp/x' })).toEqual([
    'operation_not_supported',
    'ref: must be a valid git branch or tag name, not "--upload-pack=touch /tmp/x"',
  ]);
});

test('a run started for another repository works on its environment, and its log says so', async () => {
  const bench = await openBench({ environments: [environmentOf(createOrigin())] });
  const { run, events } = await bench.work(block('cat README.md'), inShop, {
    repository: 'octo-org/other',
    ref: 'gone',
  });
  expect(run.state).toBe('SUCCEEDED');
  expect(events.filter(({ data }) => 'level' in data).map(({ type, data }) => [type, data])).toEqual([
    [
      'log',
      {
        stream: 'system',
        level: 'warning',
        text: "warning: the run was started for octo-org/other, which is not in its environment, so the environment's own revisions are used\n",
      },
    ],
  ]);
});

test('submodules are left out, and template hooks are not copied', async () => {
  const [origin, other] = [createOrigin(), createOrigin({ 'x.txt': 'x\n' })];
  const work = await writeTree({});
  git(work, 'clone', '--quiet', origin.folder, '.');
  git(work, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.url, 'sub');
  git(work, 'commit', '--quiet', '--message', 'sub');
  git(work, 'push', '--quiet', 'origin', 'main');
  const bench = await openBench({ environments: [environmentOf(origin)] });
  const { run, result } = await bench.work(block('ls -A . sub; test ! -e .git/hooks'), inShop);
  expect(run.artifacts).toEqual([]);
  expect(result).toBe('.:\n.git\n.gitmodules\nREADME.md\nsub\n\nsub:\n');
});

test('the token reaches the host, but not the agent, the log or the result', async () => {
  const host = await openGitHost({ token });
  const origin = createOrigin({ 'a.txt': 'a\n' }, { root: host.root });
  const url = `${host.url}/octo-org/shop.git`;
  const commands: unknown[] = [];
  const bench = await openBench({
    environments: [environmentOf(undefined, { repositories: [repositoryAt(url)], setup: ['env; cat .git/config'] })],
    git: { hosts: { [host.host]: { token, apiUrl: host.url } }, env: {} },
    executor: real => ({
      ...real,
      execute: async request => {
        commands.push(request.command.argv);
        return await real.execute(request);
      },
    }),
  });
  const seeking =
    'env; grep -rs . .git/config .git/FETCH_HEAD .git/logs; grep -rs . "$HOME/.." ; git fetch origin 2>&1 || echo no';
  const { run, result, events, log } = await bench.work(block(seeking), inShop);
  expect(run.state).toBe('SUCCEEDED');
  expect(origin.branches()).toEqual(['main']);
  expect(host.seen.some(({ authorization }) => authorization === `Basic ${btoa(`x-access-token:${token}`)}`)).toBe(
    true,
  );
  // The agent's own requests do not have it.
  expect(host.seen.at(-1)?.authorization).toBeUndefined();
  const everything = JSON.stringify([run, result, events, log, commands, bench.logged]);
  for (const secret of [token, btoa(`x-access-token:${token}`)]) expect(everything).not.toContain(secret);
});

test('a missing token fails the run with what to do, and a wrong one with git’s message', async () => {
  const host = await openGitHost({ token });
  createOrigin({ 'a.txt': 'a\n' }, { root: host.root });
  const environments = [environmentOf(undefined, { repositories: [repositoryAt(`${host.url}/octo-org/shop.git`)] })];
  const without = await openBench({ environments });
  const { run } = await without.work(block('true'), inShop);
  expect(run.statusMessage?.error_code).toBe('environment_setup_failed');
  expect(run.statusMessage?.message).toMatch(/could not be cloned from http.*The host asks for a token/);
  const hosts = { [host.host]: { token: 'another-token', apiUrl: host.url } };
  const wrong = await openBench({ environments, git: { hosts, env: {} } });
  expect((await wrong.work(block('true'), inShop)).run.statusMessage?.message).toContain('could not be cloned');
});

test('a redirect is not followed, so no other host gets the token', async () => {
  const other = await openGitHost();
  createOrigin({ 'a.txt': 'a\n' }, { root: other.root });
  const host = await openGitHost({ redirectTo: other.url });
  const bench = await openBench({
    environments: [environmentOf(undefined, { repositories: [repositoryAt(`${host.url}/octo-org/shop.git`)] })],
    git: { hosts: { [host.host]: { token, apiUrl: host.url } }, env: {} },
  });
  const { run } = await bench.work(block('true'), inShop);
  expect(run.statusMessage?.message).toMatch(/returned error: 302.*Redirects are not followed/);
  expect(host.seen.length).toBeGreaterThan(0);
  expect(other.seen).toEqual([]);
});

test('a host that echoes the token does not get it into the log', async () => {
  const host = await openGitHost({ repeats: true });
  const bench = await openBench({
    environments: [environmentOf(undefined, { repositories: [repositoryAt(`${host.url}/octo-org/shop.git`)] })],
    git: { hosts: { [host.host]: { token, apiUrl: host.url } }, env: {} },
  });
  const { run } = await bench.work(block('true'), inShop);
  expect(run.statusMessage?.message).toContain('you sent Basic ***');
});

test('a run that is canceled or times out during a clone leaves nothing', async () => {
  const host = await openGitHost({ isSilent: true });
  const repositories = [repositoryAt(`${host.url}/octo-org/shop.git`)];
  const environments = [environmentOf(undefined, { repositories })];
  const bench = await openBench({ environments });
  const claimed = await bench.claim(block('true'), inShop);
  const working = bench.worker.run(claimed);
  await expect.poll(() => host.seen.length).toBeGreaterThan(0);
  await bench.store.requestCancel(claimed.runId, 'enough');
  await working;
  const { run, left } = await bench.look(claimed.runId);
  expect([run.state, left, findMarked(`${bench.serverId}/`)]).toEqual(['CANCELLED', [], []]);
  const hurried = await openBench({ environments, limits: { run_minutes: 0.01 } });
  const late = await hurried.work(block('true'), inShop);
  expect([late.run.statusMessage?.error_code, late.left]).toEqual(['time_limit', []]);
  expect(late.log.system).toBe(`cloning octo-org/shop from ${host.url}/octo-org/shop.git\n`);
  expect(late.run.statusMessage?.message).toBe(
    `the run timed out after 0.6 s. Raise \`limits.run_minutes\` of the server. It was cloning octo-org/shop from ${host.url}/octo-org/shop.git`,
  );
  expect(findMarked(`${hurried.serverId}/`)).toEqual([]);
});

test('setup commands run in order, are logged, and are in neither result nor patch', async () => {
  const environment = environmentOf(createOrigin({ 'a.txt': 'a\n' }), {
    setup: ['echo one >made.txt\npwd', 'cat made.txt; echo to stderr >&2; echo "$MY_MODE" "$HOME"'],
    env: { MY_MODE: 'passed on', HOME: '/root' },
  });
  const bench = await openBench({ environments: [environment] });
  const { run, result, log } = await bench.work(block('cat made.txt; echo "$MY_MODE"; echo two >>a.txt'), inShop);
  expect(result).toBe('one\npassed on\n');
  const workspace = join(bench.dataDir, 'runs', run.runId, 'workspace');
  const home = join(bench.dataDir, 'runs', run.runId, 'home');
  expect(log.stdout).toBe(`${workspace}\none\npassed on ${home}\none\npassed on\n`);
  expect(log.stderr).toBe('to stderr\n');
  expect(log.system).toContain('setup command 1 of 2: echo one >made.txt pwd\nsetup command 2 of 2: cat made.txt;');
  const uid = String(run.artifacts[0]?.data.artifact_uid);
  const patch = await readFile(join(bench.dataDir, 'artifacts', run.runId, uid), 'utf8');
  expect(patch).toContain('+two');
  expect(patch).not.toContain('made.txt');
});

test('a failing setup command ends the run with its name and output before the agent begins', async () => {
  const setup = ['true', 'echo first; false | cat; echo never', 'echo neither'];
  const bench = await openBench({ environments: [environmentOf(undefined, { setup })] });
  const { run, log } = await bench.work(block('echo agent'), inShop);
  expect(run.state).toBe('FAILED');
  expect(run.statusMessage).toEqual({
    message: 'setup command 2 of 3 (`echo first; false | cat; echo never`) failed with exit code 1. It printed: first',
    error_code: 'environment_setup_failed',
    retryable: false,
  });
  expect(log.stdout).toBe('first\n');
});

test('background processes of a setup command are killed, and cancel and timeout end it', async () => {
  const left = environmentOf(undefined, { setup: ['setsid sleep 30 >/dev/null 2>&1 &\nsleep 0.1'] });
  const bench = await openBench({ environments: [left] });
  const { run, log } = await bench.work(block('true; echo done'), inShop);
  expect(run.state).toBe('SUCCEEDED');
  expect(log.system).toContain('1 process was still running after the setup command ended and had to be killed');
  const slow = environmentOf(undefined, { setup: ['setsid sleep 30 & sleep 30'] });
  const hurried = await openBench({ environments: [slow], limits: { run_minutes: 0.01 } });
  expect((await hurried.work(block('true'), inShop)).run.statusMessage?.error_code).toBe('time_limit');
  const patient = await openBench({ environments: [slow] });
  const claimed = await patient.claim(block('true'), inShop);
  const working = patient.worker.run(claimed);
  await expect.poll(async () => (await patient.look(claimed.runId)).log.system).toContain('setup command 1 of 1');
  await patient.store.requestCancel(claimed.runId, 'enough');
  await working;
  const ended = await patient.look(claimed.runId);
  expect([ended.run.state, ended.left]).toEqual(['CANCELLED', []]);
  for (const { serverId } of [bench, hurried, patient]) expect(findMarked(`${serverId}/`)).toEqual([]);
});

test('a skill comes from the clone first, and from a checkout of the server if the clone lacks it', async () => {
  const text = (word: string) =>
    `---\nname: tell\ndescription: Tells.\n---\n${block(`echo ${word}; echo "$AGENT_RUN_SKILL_DIR"`)}`;
  const origin = createOrigin({ '.agents/skills/tell/SKILL.md': text('clone') });
  const checkout = await writeTree({ 'skills/tell/SKILL.md': text('checkout'), 'skills/more/SKILL.md': text('more') });
  const bench = await openBench({
    environments: [environmentOf(origin)],
    repositories: { 'octo-org/shop': checkout },
  });
  const first = await bench.work('', { ...inShop, skill_spec: 'Octo-Org/shop:tell' });
  const workspace = join(bench.dataDir, 'runs', first.run.runId, 'workspace');
  expect(first.result).toBe(`clone\n${join(workspace, '.agents/skills/tell')}\n`);
  expect(first.run.skill?.full_path).toBe('.agents/skills/tell/SKILL.md');
  const second = await bench.work('', { ...inShop, skill_spec: 'octo-org/shop:more' });
  expect(second.result?.split('\n')[0]).toBe('more');
  const third = await bench.work('', { ...inShop, skill_spec: 'octo-org/shop:none' });
  expect(third.run.statusMessage?.message).toContain('its skills: .agents/skills/tell/SKILL.md');
});

test('an environment removed from the configuration fails the run', async () => {
  const bench = await openBench();
  const { run } = await bench.work(block('true'), inShop);
  expect(run.statusMessage).toMatchObject({ error_code: 'resource_not_found' });
});

test('a pipe in place of git settings or of a patch blocks nothing', async () => {
  const bench = await openBench({ environments: [environmentOf(createOrigin())], limits: { run_minutes: 0.1 } });
  const trap =
    'state="$HOME/../state"; rm "$state/gitconfig"; mkfifo "$state/gitconfig" "$state/changes/$AGENT_RUN_ID/0/patch" "$AGENT_RUN_ARTIFACTS/changes.patch"; echo x >>README.md; echo done';
  const { run } = await bench.work(block(trap), inShop);
  expect([run.state, run.artifacts.map(({ data }) => data.filename)]).toEqual(['SUCCEEDED', ['changes.patch']]);
});

test('a warning names files that an agent left outside its repositories', async () => {
  const root = await writeTree({});
  const [shop, tools] = [
    createOrigin({ 'a.txt': 'a\n' }, { root }),
    createOrigin({}, { root, name: 'octo-org/tools' }),
  ];
  const repositories = [repositoryAt(shop.url, { path: 'shop' }), repositoryAt(tools.url, { path: 'libs/tools' })];
  const setup = ['mkdir cache; echo made >cache/before; echo made >outer.txt'];
  const bench = await openBench({ environments: [environmentOf(undefined, { repositories, setup })] });
  const warnings = async (code: string) =>
    (await bench.work(block(code), inShop)).events.flatMap(({ data }) =>
      'level' in data && data.level === 'warning' && 'text' in data ? [data.text] : [],
    );
  expect(await warnings('echo b >shop/b.txt; echo c >libs/tools/c.txt; cat cache/before; echo done')).toEqual([]);
  expect(
    await warnings(
      'echo c >outside.txt; echo more >>outer.txt; mkdir -p libs/new/deep; echo d >libs/new/deep/d; echo ok',
    ),
  ).toEqual([
    'warning: files outside shop and libs/tools are not kept: "libs/new/", "outer.txt", "outside.txt"; to keep files, put them into the folder that AGENT_RUN_ARTIFACTS names\n',
  ]);
  const [many] = await warnings('touch 1 2 3 4 5 6 7; cp -p cache/before cache/copy; echo ok');
  expect(many).toContain('"1", "2", "3", "4", "5" and 3 others;');
});

test('files in a workspace without a repository are reported; those of a configured folder stay', async () => {
  const bench = await openBench();
  const left = await bench.work(block('echo a >note.txt; echo ok'));
  expect(left.log.system).toContain('files outside any repository are not kept: "note.txt"; to keep files');
  expect((await bench.work(block('echo ok'))).log.system).not.toContain('not kept');
  const configured = await openBench({ workspace: await writeTree({}) });
  expect((await configured.work(block('echo a >note.txt; echo ok'))).log.system).not.toContain('not kept');
});
