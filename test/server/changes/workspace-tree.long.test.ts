/** Work that is in the patch from any place, and the one warning about the rest. */
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installFakeDocker } from '../../support/fake-docker.ts';
import { createOrigin } from '../../support/git-host.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { createRepository, kept, script } from '../worker/artifact-fixture.ts';
import { environmentOf, inShop, repositoryAt } from '../worker/environment-fixture.ts';
import { block, commitAll, openBench, warningsOf, writeTree } from '../worker/worker-fixture.ts';

const git = (cwd: string, ...args: readonly string[]) => execFileSync('git', args, { cwd, stdio: 'pipe' }).toString();
const changedFiles = (patch: string) => patch.match(/^diff --git .*$/gm)?.map(line => line.split(' b/')[1]);
const named = (...names: readonly string[]) => [
  expect.stringMatching(new RegExp(`^warning: not in changes\\.patch: ${names.join('; ')}$`)),
];

test.each([['--no-sparse-index'], ['--sparse-index']])(
  'changes inside and outside of a sparse checkout are in the patch (%s)',
  async index => {
    const files = { 'f.txt': 'f\n', 'src/a.txt': 'a\n', 'docs/old.md': 'old\n', 'docs/deep/kept.md': 'kept\n' };
    const workspace = await writeTree(files);
    commitAll(workspace);
    git(workspace, 'sparse-checkout', 'set', '--cone', index, 'src');
    expect(existsSync(join(workspace, 'docs'))).toBe(false);
    const bench = await openBench({ workspace });
    const ended = await bench.work(
      script(
        'mkdir docs; echo new > docs/new.md; echo again > docs/old.md; echo two >> f.txt; git init --quiet docs/lib; echo x > docs/lib/x; echo ok',
      ),
    );
    const patch = await kept(bench, ended, 'changes.patch');
    expect(changedFiles(patch)).toEqual(['docs/lib/x', 'docs/new.md', 'docs/old.md', 'f.txt']);
    expect(warningsOf(ended)).toEqual(named('the commits of "docs/lib", a repository of its own'));
    const whole = await writeTree(files);
    execFileSync('git', ['apply', '--check'], { cwd: whole, input: patch });
  },
);

test('files that the sparse checkout of the agent took away are not deleted by the patch', async () => {
  const workspace = await writeTree({ 'f.txt': 'f\n', 'src/a.txt': 'a\n', 'docs/kept.md': 'kept\n' });
  commitAll(workspace);
  const bench = await openBench({ workspace });
  const ended = await bench.work(
    script(
      'echo more >> docs/kept.md; echo n > docs/new.md; git add .; git sparse-checkout set --cone src; rm src/a.txt; echo two >> f.txt; echo ok',
    ),
  );
  expect(existsSync(join(workspace, 'docs'))).toBe(false);
  expect(changedFiles(await kept(bench, ended, 'changes.patch'))).toEqual([
    'docs/kept.md',
    'docs/new.md',
    'f.txt',
    'src/a.txt',
  ]);
});

test.each([
  [
    'a file for .git that leads nowhere',
    'rm -rf .git; echo "gitdir: /nowhere" > .git',
    /fatal: not a git repository: \/nowhere/,
  ],
  ['a repository that is broken', 'rm .git/HEAD', /fatal: not a git repository/],
  ['an index that is broken', 'echo garbage > .git/index', /index file smaller than expected/],
])('%s causes a warning with git’s message', async (_name, damage, words) => {
  const workspace = createRepository();
  execFileSync('sh', ['-c', damage], { cwd: workspace });
  const bench = await openBench({ workspace });
  const ended = await bench.work(script('echo two >> a.txt; echo ok'));
  expect(ended.run.state).toBe('SUCCEEDED');
  expect(warningsOf(ended)).toEqual([expect.stringMatching(words)]);
  expect(warningsOf(ended)[0]).toContain(
    'the changes of the workspace could not be made into changes.patch: when the agent began, ',
  );
});

test('a path that git refuses does not cost the others, and is named once', async () => {
  const workspace = createRepository();
  git(workspace, 'config', 'core.safecrlf', 'true');
  git(workspace, 'config', 'core.autocrlf', 'input');
  writeFileSync(join(workspace, 'git~1'), 'x');
  const bench = await openBench({ workspace });
  const ended = await bench.work(script("mkdir '.git '; echo x > '.git /x'; printf 'b\\r\\n' >> a.txt; echo ok"));
  expect(changedFiles(await kept(bench, ended, 'changes.patch'))).toEqual(['a.txt']);
  expect(warningsOf(ended)).toEqual(named("invalid path '\\.git /x'"));
  expect(warningsOf(await bench.work(script('echo ok')))).toEqual([]);
});

const commit = 'git add --all; git -c user.name=o -c user.email=o@example.com commit --quiet -m x';
const away = `git checkout --quiet -b feature; echo w >w.txt; ${commit}; git checkout --quiet main`;
const stash = 'echo b >>a.txt; git -c user.name=o -c user.email=o@example.com stash --quiet';
const trees = (count: number) => `for i in $(seq ${count}); do git worktree add --quiet --detach ../t$i; done`;
const feature = 'the branch "feature" at [0-9a-f]{7}';

test.each([
  ['a branch that is not checked out, and a stash', `${away}; ${stash}`, [feature, 'the stash at [0-9a-f]{7}']],
  ['a branch that was merged', `${away}; git merge --quiet feature`, undefined],
  ['a new branch that is checked out', `git checkout --quiet -b on; echo c >c.txt; ${commit}`, undefined],
  ['a worktree in the workspace', 'git worktree add --quiet --detach side/tree', ['the worktree "side/tree"']],
  ['many worktrees', trees(22), [...Array(20).fill('the worktree "\\.\\./t\\d+"'), 'and 2 others']],
])('the warning names work that is not checked out: %s', async (_, code, names) => {
  const bench = await openBench({ environments: [environmentOf(createOrigin({ 'a.txt': 'a\n' }))] });
  const ended = await bench.work(block(`${code}; echo done`), inShop);
  expect(warningsOf(ended)).toEqual(names === undefined ? [] : named(...names));
});

test('with several repositories the warning says which one, also for an ignored worktree', async () => {
  const root = await writeTree({});
  const shop = createOrigin({ '.gitignore': 'trees\n' }, { root });
  const tools = createOrigin({}, { root, name: 'octo-org/tools' });
  const repositories = [repositoryAt(shop.url, { path: 'shop' }), repositoryAt(tools.url, { path: 'tools' })];
  const bench = await openBench({ environments: [environmentOf(undefined, { repositories })] });
  const ended = await bench.work(
    block('cd shop; for t in trees/x ../../y; do git worktree add --quiet --detach $t; done; echo done'),
    inShop,
  );
  expect(warningsOf(ended)).toEqual(named('in shop: the worktree "trees/x"', 'in shop: the worktree "../../y"'));
});

test('in a container the git of the image finds it', async () => {
  const docker = installFakeDocker();
  const bench = await openBench({
    containers: { engine: { file: docker.file, env: docker.env } },
    environments: [environmentOf(createOrigin(), { image: 'tools:1' })],
  });
  expect(warningsOf(await bench.work(block(`${trees(1)}; echo done`), inShop))).toEqual(named('the worktree "../t1"'));
  expect(docker.calls().filter(([command, ...args]) => command === 'run' && args.includes('worktree'))).toHaveLength(2);
});

test('work from before the run is not named', async () => {
  const workspace = createRepository();
  git(workspace, 'worktree', 'add', '--quiet', join(createTempFolder(), 'old'), '-b', 'old');
  const bench = await openBench({ workspace });
  const ended = await bench.work(script(`${away}; echo done`));
  expect(warningsOf(ended)).toEqual(named(feature));
  expect(warningsOf(await bench.work(script('echo done')))).toEqual([]);
});
