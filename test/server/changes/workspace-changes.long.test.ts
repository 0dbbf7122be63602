/** The part of a run's changes that is in its patch, and the log about it. */
import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../support/temp-folder.ts';
import { createRepository, kept, script } from '../worker/artifact-fixture.ts';
import { commitAll, openBench, warningsOf, writeTree } from '../worker/worker-fixture.ts';

test('the patch is kept in addition to the maximum number of files and bytes', async () => {
  const bench = await openBench({ workspace: createRepository() });
  const ended = await bench.work(
    script('echo two >> a.txt; cd "$AGENT_RUN_ARTIFACTS"; for i in $(seq 101); do echo $i > a$i; done; echo ok'),
  );
  expect(await kept(bench, ended, 'changes.patch')).toContain('+two');
  expect(ended.run.artifacts).toHaveLength(101);
  expect(ended.log.system).toContain('1 file beyond the limit of 100');
});

test('a file with the name of the patch is not kept, with or without changes', async () => {
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

test('an artifacts folder replaced with a link does not redirect the patch', async () => {
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

test('files of repositories that an agent creates in the workspace are in the patch', async () => {
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
  const own = ['dots:(x)', 'lib', 'new/app', 'new/app/deep'];
  const named = own.map(folder => `the commits of "${folder}", a repository of its own`);
  expect(warningsOf(ended)).toEqual([`warning: not in changes.patch: ${named.join('; ')}`]);
  expect(await readdir(join(workspace, 'lib'))).toEqual(['.git', 'code.js']);
});

test('changes of an existing nested repository are in the patch, and its other files are not', async () => {
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
  expect(warningsOf(ended)).toEqual([]);
});

test('a submodule is in the patch if its commit is on a remote, and a warning names the others', async () => {
  const source = createRepository();
  const workspace = createRepository();
  const allowed = ['-c', 'protocol.file.allow=always', '-c', 'user.name=o', '-c', 'user.email=o@example.com'];
  const git = (...args: readonly string[]) =>
    execFileSync('git', [...allowed, ...args], { cwd: workspace, stdio: 'pipe' });
  for (const name of ['moved', 'dirty', 'still', 'pulled']) git('submodule', '--quiet', 'add', source, name);
  execFileSync('sh', ['-c', `echo new > new; ${commit}`], { cwd: source });
  git('commit', '--quiet', '--message=with submodules');
  const bench = await openBench({ workspace });
  const ended = await bench.work(
    script(
      [
        `(cd moved; echo x > x; ${commit})`,
        'echo more >> dirty/a.txt',
        'git -C pulled -c protocol.file.allow=always pull --quiet',
        `git -c protocol.file.allow=always submodule --quiet add ${source} added`,
        'echo ok',
      ].join('\n'),
    ),
  );
  const patch = await kept(bench, ended, 'changes.patch');
  expect(patch.match(/^diff --git .*$/gm)).toEqual([
    'diff --git a/.gitmodules b/.gitmodules',
    'diff --git a/added b/added',
    'diff --git a/pulled b/pulled',
  ]);
  expect(patch.match(/^[+-]Subproject commit /gm)).toHaveLength(3);
  const named = ['dirty', 'moved'].map(name => `changes in the submodule "${name}"`);
  expect(warningsOf(ended)).toEqual([`warning: not in changes.patch: ${named.join('; ')}`]);
});

test('changes of nested repositories are in the patch, with paths from the workspace', async () => {
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

test('settings of the repository do not change the patch', async () => {
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

test('a slow filter has a time limit, and the log says when it starts and ends', async () => {
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
  // The log also says before that it is waited for.
  expect(ended.log.system).toMatch(/git is still collecting its changes.*\n.*could not be made/);
});
