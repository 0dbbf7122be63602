/** Work of an agent's in a repository that is in no patch, for it is not in the working tree of the run. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installFakeDocker } from '../../support/fake-docker.ts';
import { createOrigin, openGitHost } from '../../support/git-host.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { createRepository, script } from '../worker/artifact-fixture.ts';
import { environmentOf, inShop, repositoryAt } from '../worker/environment-fixture.ts';
import { block, openBench, writeTree } from '../worker/worker-fixture.ts';

const commit = 'git add --all; git -c user.name=o -c user.email=o@example.com commit --quiet -m x';
/** Work on a branch of its own in another folder. */
const besides = (folder: string, more = commit) =>
  `(git worktree add --quiet ${folder} -b feature; cd ${folder}; echo w >w.txt; ${more}); echo done`;

type Ended = Awaited<ReturnType<Awaited<ReturnType<typeof openBench>>['work']>>;
const warningsOf = ({ events }: Ended) =>
  events.flatMap(({ data }) =>
    'level' in data && data.level === 'warning' && 'text' in data ? [String(data.text)] : [],
  );
const tree = (path: string, where = '') =>
  `warning: ${where}"${path}" is another worktree of the repository, and is not in changes.patch\n`;

test('a working tree beside the workspace is told in a warning, and nothing says that nothing changed', async () => {
  const token = 'token-of-the-host-0123456789';
  const host = await openGitHost({ token });
  createOrigin({ 'a.txt': 'a\n' }, { root: host.root });
  const repositories = [repositoryAt(`${host.url}/octo-org/shop.git`)];
  const bench = await openBench({
    environments: [environmentOf(undefined, { repositories, publish: 'branch' })],
    git: { hosts: { [host.host]: { token, apiUrl: host.url } }, env: {} },
  });
  const ended = await bench.work(block(besides('../wt')), inShop);
  expect(warningsOf(ended)).toEqual([tree('../wt')]);
  expect(ended.log.system).toContain('nothing changed in the working tree itself, so nothing was published\n');
  expect(ended.run.state).toBe('SUCCEEDED');
});

test('so it is in an environment of several repositories, and for one that the repository ignores', async () => {
  const root = await writeTree({});
  const shop = createOrigin({ '.gitignore': 'trees\n' }, { root });
  const tools = createOrigin({}, { root, name: 'octo-org/tools' });
  const repositories = [repositoryAt(shop.url, { path: 'shop' }), repositoryAt(tools.url, { path: 'tools' })];
  const bench = await openBench({ environments: [environmentOf(undefined, { repositories })] });
  const ended = await bench.work(block(`cd shop; ${besides('trees/x')}; git worktree add --quiet ../../y`), inShop);
  expect(warningsOf(ended)).toEqual([tree('shop/trees/x', 'in shop: '), tree('../y', 'in shop: ')]);
});

test('in a container the git of the image tells of it', async () => {
  const docker = installFakeDocker();
  const bench = await openBench({
    containers: { engine: { file: docker.file, env: docker.env } },
    environments: [environmentOf(createOrigin(), { image: 'tools:1' })],
  });
  expect(warningsOf(await bench.work(block(besides('../wt')), inShop))).toEqual([tree('../wt')]);
  expect(docker.calls().filter(([command, ...args]) => command === 'run' && args.includes('worktree'))).toHaveLength(2);
});

test('commits of a branch that is not checked out, and what was stashed, are told', async () => {
  const bench = await openBench({ environments: [environmentOf(createOrigin({ 'a.txt': 'a\n' }))] });
  const away = `git checkout --quiet -b feature; echo w >w.txt; ${commit}; git checkout --quiet main`;
  const stash = 'echo b >>a.txt; git -c user.name=o -c user.email=o@example.com stash --quiet';
  expect(warningsOf(await bench.work(block(`${away}; ${stash}; echo done`), inShop))).toEqual([
    'warning: the branch "feature", which is not checked out, has its own commits, which are not in changes.patch\n',
    'warning: stashed changes (git stash) are not in changes.patch\n',
  ]);
  const merged = `${away}; git merge --quiet feature; git checkout --quiet -b on; echo c >c.txt; ${commit}; echo done`;
  expect(warningsOf(await bench.work(block(merged), inShop))).toEqual([]);
  const orphan = `git branch old; git checkout --quiet --orphan new; ${commit}; echo done`;
  expect(warningsOf(await bench.work(block(orphan), inShop))).toEqual([]);
});

test('in the folder of all runs the log tells of what the run made, and not of what was there', async () => {
  const workspace = createRepository();
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: workspace, stdio: 'pipe' });
  git('worktree', 'add', '--quiet', join(createTempFolder(), 'old'), '-b', 'old');
  const bench = await openBench({ workspace });
  const idle = await bench.work(script('echo ok'));
  expect(idle.log.system).not.toContain('working tree');
  const folder = join(createTempFolder(), 'new');
  const ended = await bench.work(script(besides(folder)));
  expect(ended.log.system).toMatch(/^"[^\n]*\/new" is another worktree of the repository, and is not in/m);
  expect(ended.log.system).not.toContain('/old');
  expect(warningsOf(ended)).toEqual([]);
});

test('of many working trees a few are named, and the others counted', async () => {
  const bench = await openBench({ environments: [environmentOf(createOrigin())] });
  const many = 'for i in 1 2 3 4 5 6 7; do git worktree add --quiet --detach ../t$i; done; echo done';
  const warnings = warningsOf(await bench.work(block(many), inShop));
  expect(warnings).toHaveLength(5);
  expect(warnings.at(-1)).toContain('is another worktree of the repository, like 2 others, and is not in');
});
