/** What of a run's changes is in its patch, and what the log says of the rest. */
import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../support/temp-folder.ts';
import { createRepository, kept, script } from '../worker/artifact-fixture.ts';
import { commitAll, openBench, writeTree } from '../worker/worker-fixture.ts';

test('the patch is kept beside as many files and bytes as a run may leave', async () => {
  const bench = await openBench({ workspace: createRepository() });
  const ended = await bench.work(
    script('echo two >> a.txt; cd "$AGENT_RUN_ARTIFACTS"; for i in $(seq 101); do echo $i > a$i; done; echo ok'),
  );
  expect(await kept(bench, ended, 'changes.patch')).toContain('+two');
  expect(ended.run.artifacts).toHaveLength(101);
  expect(ended.log.system).toContain('1 file beyond the limit of 100');
});

test('a file that an agent calls like the patch is not kept, changes or none', async () => {
  const bench = await openBench({ workspace: createRepository() });
  const forge = 'echo forged > "$AGENT_RUN_ARTIFACTS/changes.patch"; echo x > "$AGENT_RUN_ARTIFACTS/x"';
  const idle = await bench.work(script(`${forge}; echo ok`));
  expect(idle.run.artifacts.map(({ data }) => data.filename)).toEqual(['x']);
  expect(idle.log.system).toContain(
    'not kept as artifacts: changes.patch, a name reserved for changes found by the server',
  );
  const changed = await bench.work(script(`${forge}; echo two >> a.txt; echo ok`));
  expect(await kept(bench, changed, 'changes.patch')).toMatch(/^diff --git a\/a\.txt/);
  const lost = await bench.work(script(`${forge}; rm -rf .git; echo ok`));
  expect(lost.run.artifacts.map(({ data }) => data.filename)).toEqual(['x']);
});

test('a folder for artifacts that leads elsewhere does not lead the patch there', async () => {
  const [workspace, elsewhere] = [createRepository(), createTempFolder()];
  const bench = await openBench({ workspace });
  const ended = await bench.work(
    script(`echo two >> a.txt; rmdir "$AGENT_RUN_ARTIFACTS"; ln -s "${elsewhere}" "$AGENT_RUN_ARTIFACTS"; echo ok`),
  );
  expect(await kept(bench, ended, 'changes.patch')).toContain('+two');
  expect(await readdir(elsewhere)).toEqual([]);
});

const nest = (folder: string, more = ':') =>
  `mkdir -p ${folder}; (cd ${folder}; git init --quiet; echo ${folder} > code.js; ${more})`;
const commit = 'git add --all; git -c user.name=o -c user.email=o@example.com commit --quiet -m x';

test('the files of repositories that an agent makes within the workspace are in the patch, committed or not', async () => {
  const workspace = createRepository();
  const bench = await openBench({ workspace });
  const ended = await bench.work(
    script(
      [
        nest('lib', commit),
        nest('new/app', 'echo built > built; echo dist > .gitignore; echo dist > dist'),
        nest('new/app/deep'),
        nest('built/app'),
        nest('dots:(x)', commit).replaceAll('dots:(x)', "'dots:(x)'"),
        'echo top > top.txt; echo ok',
      ].join('\n'),
    ),
  );
  const patch = await kept(bench, ended, 'changes.patch');
  const other = createRepository();
  execFileSync('git', ['apply'], { cwd: other, input: patch });
  const files = execFileSync('git', ['ls-files', '--others'], { cwd: other }).toString().trim().split('\n');
  const made = ['dots:(x)/code.js', 'lib/code.js', 'new/app/.gitignore', 'new/app/code.js', 'new/app/deep/code.js'];
  expect(files).toEqual([...made, 'top.txt']);
  for (const folder of ['lib', 'new/app', 'new/app/deep'])
    expect(ended.log.system).toContain(`${folder} is a repository of its own: its files are in changes.patch`);
  expect(await readdir(join(workspace, 'lib'))).toEqual(['.git', 'code.js']);
});

test('what changes in a repository that was there before is in the patch, and what it had is not', async () => {
  const workspace = createRepository();
  execFileSync('sh', ['-c', nest('lib', commit)], { cwd: workspace });
  execFileSync('sh', ['-c', nest('bare')], { cwd: workspace });
  const bench = await openBench({ workspace });
  const ended = await bench.work(script('echo more >> lib/code.js; echo new > bare/new.js; rm bare/code.js; echo ok'));
  const patch = await kept(bench, ended, 'changes.patch');
  expect(patch.match(/^diff --git .*$/gm)).toEqual([
    'diff --git a/bare/code.js b/bare/code.js',
    'diff --git a/bare/new.js b/bare/new.js',
    'diff --git a/lib/code.js b/lib/code.js',
  ]);
  expect(ended.log.system).not.toContain('a repository of its own');
});

test('submodules stay links to commits, and the log says what of them is not in the patch', async () => {
  const source = createRepository();
  const workspace = createRepository();
  const allowed = ['-c', 'protocol.file.allow=always', '-c', 'user.name=o', '-c', 'user.email=o@example.com'];
  const git = (...args: readonly string[]) =>
    execFileSync('git', [...allowed, ...args], { cwd: workspace, stdio: 'pipe' });
  for (const name of ['moved', 'dirty', 'still']) git('submodule', '--quiet', 'add', source, name);
  git('commit', '--quiet', '--message=with submodules');
  const bench = await openBench({ workspace });
  const ended = await bench.work(
    script(
      [
        `(cd moved; echo x > x; ${commit})`,
        'echo more >> dirty/a.txt',
        `git -c protocol.file.allow=always submodule --quiet add ${source} added`,
        'echo ok',
      ].join('\n'),
    ),
  );
  const patch = await kept(bench, ended, 'changes.patch');
  expect(patch.match(/^diff --git .*$/gm)).toEqual([
    'diff --git a/.gitmodules b/.gitmodules',
    'diff --git a/added b/added',
    'diff --git a/moved b/moved',
  ]);
  expect(patch.match(/^[+-]Subproject commit /gm)).toHaveLength(3);
  expect(ended.log.system).toMatch(/^moved is a submodule: changes\.patch has only its commit [0-9a-f]{7}$/m);
  expect(ended.log.system).toContain('dirty is a submodule, and its uncommitted changes are not in');
  expect(ended.log.system).not.toMatch(/^still /m);
});

test('of thousands of submodules a few are named, and the others counted', async () => {
  const bench = await openBench({ workspace: createRepository() });
  const links = `for i in $(seq 1001 3000); do printf '160000 ${'1'.repeat(40)}\\tl%s\\n' $i; mkdir l$i; done`;
  const { events, log } = await bench.work(
    script(
      `${links} > ../links; cat ../links; index=$(find "$HOME/../state/changes" -name index); GIT_INDEX_FILE="$index" git update-index --index-info < ../links; echo ok`,
    ),
  );
  expect(log.system.match(/^l\d+ is a submodule: changes\.patch has only its commit 1111111$/gm)).toHaveLength(20);
  expect(log.system).toMatch(/^the same holds for 1980 others, such as l3000$/m);
  expect(events.length).toBeLessThan(100);
});

test('paths of submodules that are nothing but slashes are read in one go', async () => {
  const bench = await openBench({ workspace: createRepository() });
  const slashes = `head -c 60000 /dev/zero | tr '\\0' /`;
  const began = performance.now();
  const ended = await bench.work(
    script(`git init --quiet lib; echo x > lib/x; long=$(${slashes})
for i in $(seq 40); do printf '[submodule "%s"]\\n\\tpath = "%sx"\\n' $i "$long"; done > .gitmodules; echo ok`),
  );
  expect(await kept(bench, ended, 'changes.patch')).toMatch(/^diff --git a\/lib\/x b\/lib\/x$/m);
  expect(performance.now() - began).toBeLessThan(20_000);
});

test('changes of repositories in folders of the workspace are in the patch, by their paths in the workspace', async () => {
  const workspace = await writeTree({ 'repo/a.txt': 'a\n', 'tools/deep/b.txt': 'b\n', 'tools/c.txt': 'c\n' });
  for (const folder of ['repo', 'tools/deep']) commitAll(join(workspace, folder));
  // The checkout of a job in a container belongs to another user.
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', '65534', join(workspace, 'repo')]);
  const bench = await openBench({ workspace });
  const change = 'echo more >> repo/a.txt; echo more >> tools/deep/b.txt; echo more >> tools/c.txt';
  const ended = await bench.work(script(`${change}; git -C repo diff --name-only`));
  expect([ended.run.state, ended.result]).toEqual(['SUCCEEDED', 'a.txt\n']);
  const patch = await kept(bench, ended, 'changes.patch');
  expect(patch.match(/^diff --git .*$/gm)).toEqual([
    'diff --git a/repo/a.txt b/repo/a.txt',
    'diff --git a/tools/deep/b.txt b/tools/deep/b.txt',
  ]);
});

const nestMany = (from: number, to: number) =>
  `for i in $(seq ${from} ${to}); do mkdir -p n/$i; git init --quiet n/$i; echo new > n/$i/code.js; done`;

test('of more than a hundred nested repositories the first hundred are in the patch, and the rest is told in a warning', async () => {
  const bench = await openBench({ workspace: createRepository() });
  const ended = await bench.work(
    script(`${nestMany(101, 310)}; git init --quiet n/150/deep; echo two >> a.txt; echo ok`),
  );
  const files = (await kept(bench, ended, 'changes.patch')).match(/^diff --git .*$/gm);
  expect(files).toHaveLength(101);
  expect(files?.at(-1)).toBe('diff --git a/n/200/code.js b/n/200/code.js');
  const warnings = ended.events.flatMap(({ type, data }) =>
    type === 'log' && data.level === 'warning' ? [data.text] : [],
  );
  expect(warnings.join('')).toMatch(
    /the changes of the workspace are not all in changes\.patch: there are more than 100 .* of 111 others it has nothing \(such as n\/201\)/,
  );
});

test('what was left out of a hundred nested repositories before the agent is none of its changes', async () => {
  const workspace = createRepository();
  execFileSync('sh', ['-c', nestMany(101, 203)], { cwd: workspace });
  const bench = await openBench({ workspace });
  const ended = await bench.work(script('echo more >> n/101/code.js; rm -rf n/102; echo ok'));
  const patch = await kept(bench, ended, 'changes.patch');
  expect(patch.match(/^diff --git .*$/gm)).toEqual([
    'diff --git a/n/101/code.js b/n/101/code.js',
    'diff --git a/n/102/code.js b/n/102/code.js',
  ]);
});

test('another worktree of the repository is no part of the patch, and the log says so', async () => {
  const bench = await openBench({ workspace: createRepository() });
  const ended = await bench.work(
    script('git worktree add --quiet side/tree; echo x > side/tree/x; echo y > y; echo ok'),
  );
  const patch = await kept(bench, ended, 'changes.patch');
  expect(patch.match(/^diff --git .*$/gm)).toEqual(['diff --git a/y b/y']);
  expect(ended.log.system).toContain('side/tree is another worktree of the repository, and is not in');
});

test('a submodule without a commit is told with the words of git, and costs nothing else', async () => {
  const bench = await openBench({ workspace: createRepository() });
  const ended = await bench.work(
    script(
      'mkdir lib; (cd lib; git init --quiet); printf "[submodule \\"lib\\"]\\n\\tpath = lib\\n" > .gitmodules; echo ok',
    ),
  );
  expect(ended.log.system).toContain("git refused some paths: 'lib/' does not have a commit checked out");
  expect(await kept(bench, ended, 'changes.patch')).toMatch(/^diff --git a\/\.gitmodules b\/\.gitmodules$/m);
});

test('settings of the repository do not spoil the patch', async () => {
  const bench = await openBench({ workspace: createRepository() });
  const settings = ['diff.context 0', 'diff.noprefix true', 'diff.external false', 'diff.orderFile /nowhere'];
  const ended = await bench.work(
    script(
      [...settings.map(setting => `git config ${setting}`), 'echo zero | cat - a.txt > b; mv b a.txt; echo ok'].join(
        '\n',
      ),
    ),
  );
  const other = createRepository();
  execFileSync('git', ['apply'], { cwd: other, input: await kept(bench, ended, 'changes.patch') });
  expect(await readFile(join(other, 'a.txt'), 'utf8')).toBe('zero\none\n');
});

test('a filter that holds git up has no more than its time, and the log says that it is waited for and that it was over', async () => {
  const bench = await openBench({
    workspace: createRepository(),
    afterLimits: { slowMs: 200, patchMs: 700, publishMs: 1 },
  });
  const ended = await bench.work(
    script(
      'git config filter.slow.clean "sleep 60"; echo "* filter=slow" > .gitattributes; echo two >> a.txt; echo ok',
    ),
  );
  expect(ended.run.state).toBe('SUCCEEDED');
  expect(ended.log.system).toContain(
    'could not be made into changes.patch: it took longer than its limit of 0.7 seconds',
  );
  // And before, that it is waited for.
  expect(ended.log.system).toMatch(/git is still collecting its changes.*\n.*could not be made/);
});

test('what a run changed until its time was over is its patch', async () => {
  const bench = await openBench({ workspace: createRepository(), limits: { run_minutes: 1 / 30 } });
  const ended = await bench.work(script('echo two >> a.txt; sleep 60'));
  expect(ended.run.statusMessage?.error_code).toBe('time_limit');
  expect(await kept(bench, ended, 'changes.patch')).toContain('+two');
});
