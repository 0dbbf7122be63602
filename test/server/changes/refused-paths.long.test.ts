/** Paths that git refuses cost themselves alone, and are named. */
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../support/temp-folder.ts';
import { createRepository, kept, script } from '../worker/artifact-fixture.ts';
import { commitAll, openBench, warningsOf, writeTree } from '../worker/worker-fixture.ts';

const git = (cwd: string, ...args: readonly string[]) => execFileSync('git', args, { cwd, stdio: 'pipe' }).toString();
const headings = (patch: string) => patch.match(/^diff --git .*$/gm);
const files = { 'f.txt': 'f\n', 'src/a.txt': 'a\n', 'docs/old.md': 'old\n', 'docs/deep/kept.md': 'kept\n' };

test.each([['--no-sparse-index'], ['--sparse-index']])(
  'changes inside and outside of a sparse checkout are in the patch (%s)',
  async index => {
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
    expect(headings(patch)?.map(line => line.split(' b/')[1])).toEqual([
      'docs/lib/x',
      'docs/new.md',
      'docs/old.md',
      'f.txt',
    ]);
    expect(warningsOf(ended)).toEqual([]);
    const whole = await writeTree(files);
    execFileSync('git', ['apply', '--check'], { cwd: whole, input: patch });
  },
);

test('files that git cannot read are named, and the rest is in the patch', async () => {
  const workspace = await writeTree({ 'a.txt': 'a\n', '.gitattributes': '*.rc working-tree-encoding=UTF-16\n' });
  commitAll(workspace);
  git(workspace, 'config', 'filter.gone.clean', 'no-such-program');
  git(workspace, 'config', 'filter.gone.required', 'true');
  git(workspace, 'config', 'core.safecrlf', 'true');
  git(workspace, 'config', 'core.autocrlf', 'input');
  const bench = await openBench({ workspace });
  const ended = await bench.work(
    script(
      [
        "echo x > one.rc; echo x > two.rc; echo '*.big filter=gone' >> .gitattributes; echo x > 'the first.big'",
        "echo x > git~1; printf 'b\\r\\n' >> a.txt; echo z > z.txt; echo ok",
      ].join('\n'),
    ),
  );
  expect(ended.run.state).toBe('SUCCEEDED');
  const patch = await kept(bench, ended, 'changes.patch');
  expect(headings(patch)?.map(line => line.split(' b/')[1])).toEqual(['.gitattributes', 'a.txt', 'z.txt']);
  const [warning = '', ...more] = warningsOf(ended);
  expect(more).toEqual([]);
  expect(warning).toMatch(/the changes of the workspace are not all in changes\.patch: git refused some paths: /);
  for (const named of [
    "BOM is required in 'one.rc'",
    "'two.rc'",
    'the first.big: clean filter',
    "invalid path 'git~1'",
  ])
    expect(warning).toContain(named);
});

test('what git could not read before the agent began is told only when the agent adds to it', async () => {
  const workspace = createRepository();
  writeFileSync(join(workspace, 'git~1'), 'x');
  const bench = await openBench({ workspace });
  const ended = await bench.work(script('echo two >> a.txt; echo ok'));
  expect(headings(await kept(bench, ended, 'changes.patch'))).toHaveLength(1);
  expect(warningsOf(ended)).toEqual([]);
  const more = await bench.work(script("mkdir '.git '; echo x > '.git /x'; echo ok"));
  expect(warningsOf(more)).toEqual([expect.stringMatching(/git refused some paths: invalid path '\.git \/x'$/)]);
});

test('a file whose earlier content a partial clone does not have is named, and the rest is in the patch', async () => {
  const origin = await writeTree(files);
  commitAll(origin);
  git(origin, 'config', 'uploadpack.allowFilter', 'true');
  const workspace = join(createTempFolder(), 'clone');
  git(origin, 'clone', '--quiet', '--filter=blob:none', '--sparse', `file://${origin}`, workspace);
  git(workspace, 'sparse-checkout', 'set', '--cone', 'src');
  // Older gits would fetch it.
  git(workspace, 'remote', 'set-url', 'origin', 'file:///nowhere');
  const bench = await openBench({ workspace });
  const ended = await bench.work(script('mkdir docs; echo again > docs/old.md; echo two >> src/a.txt; echo ok'));
  expect(headings(await kept(bench, ended, 'changes.patch'))).toEqual(['diff --git a/src/a.txt b/src/a.txt']);
  expect(warningsOf(ended)).toEqual([
    expect.stringMatching(/git refused some paths: docs\/old\.md: its content [0-9a-f]{7} is not in the repository$/),
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
])('%s makes a warning with the words of git', async (_name, damage, words) => {
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
